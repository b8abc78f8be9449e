"""The check at process start finds every guard that is missing, disabled or emptied."""

from collections.abc import Callable, Iterator

import pytest
from django.db import connection

from rounds.ledger.verify.check_database_guards import DatabaseGuardsMissing, check_guards
from tests.rounds.ledger import harbour_log

GROWING = ("ledger_log", "ledger_entry", "ledger_tile", "ledger_checkpoint", "ledger_reversal")
GUARDS = [(table, guard) for table in (*GROWING, "PARTITION") for guard in ("ledger_no_change", "ledger_no_truncate")]
GUARDS += [("ledger_head", guard) for guard in ("ledger_no_delete", "ledger_no_truncate", "ledger_only_forward")]
GUARDS += [("ledger_halt", "ledger_halts_once"), ("ledger_epoch", "ledger_epoch_is_told")]

pytestmark = pytest.mark.usefixtures("committed_log")


def faults() -> list[str]:
    with pytest.raises(DatabaseGuardsMissing) as down:
        check_guards()
    assert down.value.code == "guards-down"
    assert down.value.sentence == "The ledger is not guarded: " + " ".join(down.value.faults)
    return down.value.faults


@pytest.fixture
def rogue() -> Iterator[Callable[..., None]]:
    """Executes SQL as superuser and undoes it after the test."""
    undo: list[str] = []

    def do(statement: str, *, undone_by: str) -> None:
        with harbour_log.admin() as admin:
            admin.execute(statement)
        undo.append(undone_by)

    yield do
    with harbour_log.admin() as admin:
        for statement in reversed(undo):
            admin.execute(statement)


def real(table: str) -> str:
    return harbour_log.partition() if table == "PARTITION" else table


def test_all_is_well_as_it_is_set_up() -> None:
    harbour_log.opened("marina")
    harbour_log.play(3)
    check_guards()
    assert [receipt.index for receipt in harbour_log.play(1, first=3)] == [3]


@pytest.mark.parametrize(("table", "guard"), GUARDS)
@pytest.mark.parametrize("state", ["DISABLE", "ENABLE", "ENABLE REPLICA"])
def test_a_guard_that_is_not_always_on_is_named(table: str, guard: str, state: str, rogue: Callable[..., None]) -> None:
    where = real(table)
    # Without ONLY, PostgreSQL would also disable the triggers of the partitions.
    rogue(
        f"ALTER TABLE ONLY {where} {state} TRIGGER {guard}",
        undone_by=f"ALTER TABLE ONLY {where} ENABLE ALWAYS TRIGGER {guard}",
    )
    assert faults() == [f"the guard {guard} of {where} is not always on."]


@pytest.mark.parametrize(("table", "guard"), [one for one in GUARDS if one != ("PARTITION", "ledger_no_change")])
def test_a_guard_that_is_missing_is_named(table: str, guard: str, rogue: Callable[..., None]) -> None:
    where = real(table)
    rogue(
        f"ALTER TRIGGER {guard} ON {where} RENAME TO gone",
        undone_by=f"ALTER TRIGGER gone ON {where} RENAME TO {guard}",
    )
    assert f"the guard {guard} of {where} is missing." in faults()


def test_a_partition_without_its_own_truncate_guard_is_named() -> None:
    """TRUNCATE of a partition does not fire its parent's trigger, so each one needs its own."""
    with harbour_log.admin() as admin:
        admin.execute(f"DROP TRIGGER ledger_no_truncate ON {harbour_log.partition()}")
    assert faults() == [f"the guard ledger_no_truncate of {harbour_log.partition()} is missing."]


def test_a_guard_that_guards_only_sometimes_is_named(rogue: Callable[..., None]) -> None:
    whole = "BEFORE UPDATE OR DELETE ON ledger_tile FOR EACH ROW EXECUTE FUNCTION ledger_refuse()"
    rogue(
        "CREATE OR REPLACE TRIGGER ledger_no_change BEFORE UPDATE OR DELETE ON ledger_tile FOR EACH ROW "
        "WHEN (OLD.level > 100) EXECUTE FUNCTION ledger_refuse();"
        "ALTER TABLE ledger_tile ENABLE ALWAYS TRIGGER ledger_no_change",
        undone_by=f"CREATE OR REPLACE TRIGGER ledger_no_change {whole};"
        "ALTER TABLE ledger_tile ENABLE ALWAYS TRIGGER ledger_no_change",
    )
    assert faults() == ["the guard ledger_no_change of ledger_tile is not the one that was set up."]


def test_a_guard_whose_function_allows_everything_is_named(rogue: Callable[..., None]) -> None:
    with harbour_log.admin() as admin:
        [before] = admin.execute("SELECT pg_get_functiondef('ledger_head_grows'::regproc)").fetchone() or [""]
    rogue(
        "CREATE OR REPLACE FUNCTION ledger_head_grows() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
        undone_by=before,
    )
    assert faults() == [
        "the guard ledger_only_forward of ledger_head no longer refuses: its function ledger_head_grows was replaced."
    ]


@pytest.mark.parametrize("verb", ["UPDATE", "DELETE", "TRUNCATE"])
@pytest.mark.parametrize("table", GROWING)
def test_a_privilege_too_many_is_named_though_the_triggers_still_stand(
    table: str, verb: str, rogue: Callable[..., None]
) -> None:
    app = connection.settings_dict["USER"]
    rogue(f"GRANT {verb} ON {table} TO {app}", undone_by=f"REVOKE {verb} ON {table} FROM {app}")
    assert f"the service has the privilege to {verb} {table}." in faults()
    assert f"the service was not refused when it tried to {verb} {table}." in faults()


def test_the_right_to_change_one_column_is_one_too_many(rogue: Callable[..., None]) -> None:
    app = connection.settings_dict["USER"]
    rogue(
        f"GRANT UPDATE (body) ON {harbour_log.partition()} TO {app}",
        undone_by=f"REVOKE UPDATE (body) ON {harbour_log.partition()} FROM {app}",
    )
    assert faults() == [f"the service has the privilege to UPDATE {harbour_log.partition()}."]


def test_signing_in_as_the_owner_is_named(rogue: Callable[..., None]) -> None:
    app = connection.settings_dict["USER"]
    with harbour_log.admin() as admin:
        [owner] = admin.execute("SELECT tableowner FROM pg_tables WHERE tablename = 'ledger_tile'").fetchone() or [""]
    rogue(f"GRANT {owner} TO {app}", undone_by=f"REVOKE {owner} FROM {app}")
    assert "the service signs in as an owner of ledger_entry." in faults()


def test_the_attack_leaves_no_trace() -> None:
    harbour_log.play(3)
    check_guards()
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone() == ("0",)
        cursor.execute("SELECT count(*) FROM ledger_entry")
        assert cursor.fetchone() == (3,)
