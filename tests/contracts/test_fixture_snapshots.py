"""A fixture is the same whether it was built for a test or restored from a snapshot (tests/fixture_snapshots.py)."""

from pathlib import Path

import pytest
from django.contrib.sessions.models import Session
from django.db import connection

from rounds.floor.fact_values import TableRulesValue
from rounds.floor.models import Table
from rounds.floor.selectors import facts_at
from rounds.ledger.storage import get_log, head_of
from rounds.rulebook.models import RuleVersion
from tests import snapshot_databases
from tests.fixture_snapshots import OWN_DATABASE_AFTER
from tests.rounds.floor.conftest import quick_passwords
from tests.rounds.floor.crew import OPENING, gather, print_rules, table_under

__all__ = ["quick_passwords"]

NSW = "nsw-sic-bo"
PRINTED_ANEW = ("removal_restarts_the_clock = true", "removal_restarts_the_clock = false")


def start_next_test() -> None:
    connection.connection.rollback()
    snapshot_databases.restore_database()
    connection.connection.autocommit = False
    snapshot_databases.mark_test_begin()


def begin() -> Table:
    start_next_test()
    return table_under(gather(), NSW, "sb-9")


@pytest.fixture
def kept_table(db: None) -> Table:
    """Requested until it gets its own snapshot database, which takes as many requests as its crew took."""
    for _ in range(2 * OWN_DATABASE_AFTER + 2):
        table = begin()
    assert "_make_table_under" in (snapshot_databases.current_snapshot() or "")
    return table


def facts_about(table: Table) -> list[object]:
    size = head_of(get_log("harbour")).size
    versions = RuleVersion.objects.values_list("rules", "number", "pack_id", "effective_at")
    return [size, table.slug, table.casino.slug, facts_at(table, OPENING).get(TableRulesValue), *versions]


def test_a_kept_table_is_as_one_made_anew(kept_table: Table) -> None:
    kept = facts_about(kept_table)
    start_next_test()
    crew = gather()
    # Sessions made earlier in the test remain: switching databases must not take anything away.
    Session.objects.create(session_key="theirs", expire_date=OPENING)
    made = table_under(crew, NSW, "sb-9")
    assert "_make_table_under" not in (snapshot_databases.current_snapshot() or "")
    assert Session.objects.count() == 1
    assert facts_about(made) == kept


def test_rules_printed_otherwise_are_not_those_that_were_kept(
    kept_table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [kept] = RuleVersion.objects.values_list("pack_id", flat=True)
    monkeypatch.setattr("tests.rounds.floor.crew.PACK_FOLDER", print_rules(tmp_path, NSW, PRINTED_ANEW))
    begin()
    [anew] = RuleVersion.objects.values_list("pack_id", flat=True)
    assert anew != kept
