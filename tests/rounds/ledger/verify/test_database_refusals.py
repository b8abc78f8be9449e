"""What the database refuses: the app role lacks the privilege, and triggers stop even the owner."""

from datetime import UTC, datetime

import psycopg
import pytest
from django.db import Error, connection, transaction

from rounds.ledger.writing.append import append, make_entry, open_log
from tests.conftest import OWNER, superuser
from tests.entry_kinds import NOTE

NOW = datetime(2026, 11, 16, 9, 30, tzinfo=UTC)

GROWING = ("ledger_log", "ledger_entry", "ledger_tile", "ledger_checkpoint", "ledger_reversal")
COLUMN = {"ledger_log": "opened_at = now()", "ledger_entry": "body = '{}'", "ledger_tile": "root = hashes"}
COLUMN |= {"ledger_checkpoint": "note = ''", "ledger_reversal": "correction_index = 99"}
ATTACKS = [
    statement
    for table in GROWING
    for statement in (f"UPDATE {table} SET {COLUMN[table]}", f"DELETE FROM {table}", f"TRUNCATE {table} CASCADE")
]


@pytest.fixture
def log(transactional_db: None) -> str:
    with transaction.atomic():
        open_log("harbour", NOW)
        append("harbour", [make_entry(NOTE, {"n": 1})], NOW)
    return "harbour"


@pytest.mark.parametrize("statement", [*ATTACKS, "DELETE FROM ledger_head", "TRUNCATE ledger_head"])
def test_the_app_role_lacks_the_privilege(log: str, statement: str) -> None:
    with pytest.raises(Error) as refused, connection.cursor() as cursor:
        cursor.execute(statement)
    assert isinstance(refused.value.__cause__, psycopg.errors.InsufficientPrivilege)


def as_owner() -> psycopg.Connection:
    return psycopg.connect(
        host=OWNER["HOST"],
        port=OWNER["PORT"],
        user=OWNER["USER"],
        password=OWNER["PASSWORD"],
        dbname=connection.settings_dict["NAME"],
    )


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ledger_entry_{0} SET body = '{{}}'",
        "DELETE FROM ledger_entry_{0}",
        "TRUNCATE ledger_entry_{0}",
        "UPDATE ledger_head SET size = size - 1",
        "DELETE FROM ledger_entry",
        "DELETE FROM ledger_log",
    ],
)
def test_triggers_stop_even_the_owner_and_even_in_replica_mode(log: str, statement: str) -> None:
    with as_owner() as owner:
        [number] = owner.execute("SELECT id FROM ledger_log").fetchone() or [0]
        with pytest.raises(psycopg.errors.RestrictViolation):
            owner.execute(statement.format(number))
    with superuser(connection.settings_dict["NAME"]) as admin:
        admin.execute("SET session_replication_role = replica")
        with pytest.raises(psycopg.errors.RestrictViolation):
            admin.execute(statement.format(number))


def test_every_guard_on_every_partition_is_always_on(log: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgrelid::regclass::text, tgname, tgenabled FROM pg_trigger "
            "WHERE tgname LIKE 'ledger%%' ORDER BY 1, 2"
        )
        guards = cursor.fetchall()
        cursor.execute("SELECT id FROM ledger_log")
        [number] = cursor.fetchone() or [0]
    assert {state for _, _, state in guards} == {"A"}
    for table in (*GROWING, f"ledger_entry_{number}"):
        assert [name for relation, name, _ in guards if relation == table] == ["ledger_no_change", "ledger_no_truncate"]
