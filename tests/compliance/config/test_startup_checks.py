"""No process accepts work while something could change the ledger, and start-up does no unnecessary work."""

import gc
import importlib
import sys

import pytest
from django.apps import apps
from django.db import connection

from compliance.config.celery import check_ledger_before_work
from rounds.ledger.verify.check_database_guards import DatabaseGuardsMissing
from tests.conftest import superuser


def start_web() -> None:
    """Imports the WSGI application, as the web server does."""
    sys.modules.pop("compliance.config.wsgi", None)
    importlib.import_module("compliance.config.wsgi")


def alter_guard(state: str) -> None:
    with superuser(connection.settings_dict["NAME"]) as admin:
        admin.execute(f"ALTER TABLE ledger_entry {state} TRIGGER ledger_no_change")


@pytest.mark.django_db(transaction=True)
def test_with_a_guard_switched_off_neither_web_nor_worker_starts() -> None:
    start_web()
    check_ledger_before_work()
    alter_guard("DISABLE")
    try:
        with pytest.raises(DatabaseGuardsMissing, match="ledger_entry"):
            start_web()
        with pytest.raises(SystemExit, match="The ledger is not guarded"):
            check_ledger_before_work()
    finally:
        alter_guard("ENABLE ALWAYS")


def test_garbage_is_looked_for_again_once_django_is_set_up() -> None:
    """While it is, nothing is: settings.py."""
    gc.disable()
    try:
        apps.get_app_config("config").ready()
        assert gc.isenabled()
    finally:
        gc.enable()
