"""No process takes work while something could change the ledger."""

import importlib
import sys

import pytest
from django.db import connection

from compliance.config.celery import check_before_work
from rounds.ledger.guards import GuardsDown
from tests.conftest import superuser


def start_web() -> None:
    """As the web server does: by importing the application."""
    sys.modules.pop("compliance.config.wsgi", None)
    importlib.import_module("compliance.config.wsgi")


def alter_guard(state: str) -> None:
    with superuser(connection.settings_dict["NAME"]) as admin:
        admin.execute(f"ALTER TABLE ledger_entry {state} TRIGGER ledger_no_change")


@pytest.mark.django_db(transaction=True)
def test_with_a_guard_switched_off_neither_web_nor_worker_starts() -> None:
    start_web()
    check_before_work()
    alter_guard("DISABLE")
    try:
        with pytest.raises(GuardsDown, match="ledger_entry"):
            start_web()
        with pytest.raises(SystemExit, match="The ledger is not guarded"):
            check_before_work()
    finally:
        alter_guard("ENABLE ALWAYS")
