"""Database guards of the ledger's tables: the triggers exist and are always on, and the app role lacks the privileges.

Run when a process starts: a service whose ledger could be changed must not accept records.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from django.db import Error, connection, transaction
from psycopg import sql
from psycopg.errors import InsufficientPrivilege

from rounds.transparency_log.errors import LedgerError

# tgtype of pg_trigger, bit by bit: 1 row, 2 before, 4 insert, 8 delete, 16 update, 32 truncate.
NO_CHANGE = 1 + 2 + 8 + 16
NO_DELETE = 1 + 2 + 8
ONLY_FORWARD = 1 + 2 + 16
NO_TRUNCATE = 2 + 32
HALTS_ONCE = 1 + 2 + 4
EPOCH_HAS_ENTRY = 1 + 4
APPEND_ONLY_TABLES = (
    "ledger_log",
    "ledger_entry",
    "ledger_tile",
    "ledger_checkpoint",
    "ledger_reversal",
    "ledger_halt",
    "ledger_epoch",
)
# In addition to the two triggers of every append-only table.
EXTRA_TRIGGERS = {
    "ledger_halt": ("ledger_halts_once", HALTS_ONCE),
    "ledger_epoch": ("ledger_epoch_is_told", EPOCH_HAS_ENTRY),
}

# SHA-256 of the trigger functions, to detect one whose refusal was removed. Update it with the migration that changes
# one.
FUNCTION_SHA256 = {
    "ledger_refuse": "bd1fc9fb73a2f6e081c59200d3f0f90df70bb74dc3981e5a8860bf80c0052629",
    "ledger_head_grows": "5ff6141b363dadc9c7926e10e12d56b0927db2002b44fa4b73a569cec90a3033",
    "ledger_halts_once": "b3320e7b56568a98beafb5baa237ac3d6f5da2394468ca2ffc7aeadd416151fd",
    "ledger_epoch_is_told": "3641f4188eb9dc2846a3ced016e404bc4474ed883ffb537544645266038c4068",
}

TRIGGERS_SQL = """
SELECT relation.relname, guard.tgname, guard.tgenabled, guard.tgtype, function.proname, function.prosrc,
       guard.tgqual IS NOT NULL OR guard.tgattr <> ''
FROM pg_trigger guard JOIN pg_class relation ON relation.oid = guard.tgrelid
JOIN pg_proc function ON function.oid = guard.tgfoid
WHERE NOT guard.tgisinternal AND relation.relnamespace = 'public'::regnamespace AND relation.relname LIKE 'ledger\\_%%'
"""

PARTITIONS_SQL = """
SELECT relation.relname FROM pg_inherits JOIN pg_class relation ON relation.oid = inhrelid
WHERE inhparent = 'ledger_entry'::regclass ORDER BY relation.relname
"""

# The privilege to update a single column is enough to change an entry.
PRIVILEGES_SQL = """
SELECT relation.relname, pg_has_role(current_user, relation.relowner, 'MEMBER'),
       relation.relname <> 'ledger_head' AND has_any_column_privilege(relation.oid, 'UPDATE'),
       has_table_privilege(relation.oid, 'DELETE'), has_table_privilege(relation.oid, 'TRUNCATE')
FROM pg_class relation WHERE relation.oid = ANY(%s::regclass[]) ORDER BY relation.relname
"""


class DatabaseGuardsMissing(LedgerError):
    """The ledger could be changed. ``faults`` has a sentence for each reason."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("guards-down", "The ledger is not guarded: " + " ".join(faults))
        self.faults = faults


@dataclass(frozen=True)
class ExpectedTrigger:
    table: str
    name: str
    function: str
    events: int


@dataclass(frozen=True)
class _InstalledTrigger:
    state: str
    events: int
    function: str
    source: str
    is_limited: bool


def check_guards() -> None:
    """Raises unless every trigger is in place and the database refuses what the service must never do."""
    faults = guard_faults() + _try_forbidden_statements()
    if faults:
        raise DatabaseGuardsMissing(faults)


def guard_faults() -> list[str]:
    """What the database catalogue shows as missing, disabled or granted too freely. Only reads."""
    tables = _guarded_tables()
    with connection.cursor() as cursor:
        cursor.execute(TRIGGERS_SQL)
        installed = {(table, name): _InstalledTrigger(*rest) for table, name, *rest in cursor.fetchall()}
        cursor.execute(PRIVILEGES_SQL, [tables])
        privilege_faults = [fault for row in cursor.fetchall() for fault in _excess_privileges(*row)]
    expected = [guard for table in tables for guard in _expected_triggers(table)]
    return [
        fault for guard in expected if (fault := _trigger_fault(guard, installed.get((guard.table, guard.name))))
    ] + privilege_faults


def _excess_privileges(table: str, is_owner: bool, *verbs: bool) -> Iterator[str]:
    if is_owner:
        yield f"the service signs in as an owner of {table}."
        return
    yield from (
        f"the service has the privilege to {verb} {table}."
        for verb, is_granted in zip(("UPDATE", "DELETE", "TRUNCATE"), verbs, strict=True)
        if is_granted
    )


def _guarded_tables() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(PARTITIONS_SQL)
        return [*APPEND_ONLY_TABLES, "ledger_head", *(name for (name,) in cursor.fetchall())]


def _expected_triggers(table: str) -> list[ExpectedTrigger]:
    guards = [ExpectedTrigger(table, "ledger_no_truncate", "ledger_refuse", NO_TRUNCATE)]
    if table in EXTRA_TRIGGERS:
        name, events = EXTRA_TRIGGERS[table]
        guards.append(ExpectedTrigger(table, name, name, events))
    if table != "ledger_head":
        return [*guards, ExpectedTrigger(table, "ledger_no_change", "ledger_refuse", NO_CHANGE)]
    return [
        *guards,
        ExpectedTrigger(table, "ledger_no_delete", "ledger_refuse", NO_DELETE),
        ExpectedTrigger(table, "ledger_only_forward", "ledger_head_grows", ONLY_FORWARD),
    ]


def _trigger_fault(guard: ExpectedTrigger, installed: _InstalledTrigger | None) -> str:
    what = f"the guard {guard.name} of {guard.table}"
    if installed is None:
        return f"{what} is missing."
    if installed.state != "A":
        return f"{what} is not always on."
    if installed.events != guard.events or installed.function != guard.function or installed.is_limited:
        return f"{what} is not the one that was set up."
    if sha256(installed.source.encode()).hexdigest() != FUNCTION_SHA256[guard.function]:
        return f"{what} no longer refuses: its function {guard.function} was replaced."
    return ""


def _try_forbidden_statements() -> list[str]:
    """Try forbidden statements in the app role, in a transaction that is rolled back. Each must fail for lack of
    privilege.

    Their conditions match no row, so that even a statement that is allowed changes nothing.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '2s'")
        faults = [
            f"the service was not refused when it tried to {verb} {table}."
            for table in (*APPEND_ONLY_TABLES, "ledger_head")
            for verb, statement in _forbidden_statements(table)
            if not _is_refused(statement)
        ]
        transaction.set_rollback(True)
    return faults


def _forbidden_statements(table: str) -> Iterator[tuple[str, sql.Composed]]:
    name = sql.Identifier(table)
    if table != "ledger_head":
        column = "slug" if table == "ledger_log" else "log_id"
        update = sql.SQL("UPDATE {} SET {} = {} WHERE false")
        yield "UPDATE", update.format(name, sql.Identifier(column), sql.Identifier(column))
    yield "DELETE", sql.SQL("DELETE FROM {} WHERE false").format(name)
    yield "TRUNCATE", sql.SQL("TRUNCATE {}").format(name)


def _is_refused(statement: sql.Composed) -> bool:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    except Error as error:
        return isinstance(error.__cause__, InsufficientPrivilege)
    return False
