"""Edits by a database superuser, who disables the triggers, changes something and enables them again.

`verify_ledger` runs in the same transaction, which is rolled back, so that one fixture serves a thousand edits.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from psycopg.pq import ExecStatus, Format

from compliance.config.environment import database_address

COLUMNS = """
SELECT attname, atttypid, typsend::text FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum
"""
GUARDS = "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND tgenabled = 'A' AND NOT tgisinternal"


class EditRefused(Exception):
    """Not even a superuser can write this: invalid for the column's type, or it breaks a constraint."""


@dataclass(frozen=True)
class Column:
    """A column, its type, and the send function that gives a value's binary form."""

    table: str
    name: str
    type_oid: int
    send: str

    def __str__(self) -> str:
        return f"{self.table}.{self.name}"


@dataclass(frozen=True)
class Edit:
    """One byte of one value was changed; `row` is the row before."""

    column: Column
    row: dict[str, Any]
    place: int


@contextmanager
def as_superuser() -> Iterator[None]:
    """Connects Django as a superuser within the block."""
    address, known = database_address(os.environ["TEST_SUPERUSER_URL"], "TEST_SUPERUSER_URL"), connection.settings_dict
    service = {name: known[name] for name in ("USER", "PASSWORD")}
    connection.close()
    known.update(USER=address.user, PASSWORD=address.password)
    try:
        yield
    finally:
        connection.close()
        known.update(service)


@contextmanager
def rolled_back() -> Iterator[None]:
    with transaction.atomic():
        try:
            yield
        finally:
            transaction.set_rollback(True)


@contextmanager
def guards_disabled(*tables: str, service: str) -> Iterator[CursorWrapper]:
    """Triggers are off within the block; afterwards they are on, and the session is the service's again."""
    with connection.cursor() as rogue:
        rogue.execute("RESET ROLE")
        rogue.execute("SET LOCAL session_replication_role = replica")
        guards = [(table, guard) for table in tables for guard in _guards_of(rogue, table)]
        for table, guard in guards:
            rogue.execute(f'ALTER TABLE "{table}" DISABLE TRIGGER "{guard}"')
        yield rogue
        for table, guard in guards:
            rogue.execute(f'ALTER TABLE "{table}" ENABLE ALWAYS TRIGGER "{guard}"')
        rogue.execute("SET LOCAL session_replication_role = origin")
        rogue.execute(f"SET LOCAL ROLE {service}")


def _guards_of(rogue: CursorWrapper, table: str) -> list[str]:
    rogue.execute(GUARDS, [table])
    return [name for (name,) in rogue.fetchall()]


def columns_of(table: str) -> list[Column]:
    with connection.cursor() as cursor:
        cursor.execute(COLUMNS, [table])
        return [Column(table, *row) for row in cursor.fetchall()]


def edit_byte(column: Column, chance: Random) -> Edit:
    """Changes one random byte in a random row."""
    with connection.cursor() as rogue:
        name = f'"{column.name}"'
        rogue.execute(f'SELECT ctid::text FROM "{column.table}" WHERE {name} IS NOT NULL ORDER BY ctid')
        rows = [ctid for (ctid,) in rogue.fetchall()]
        if not rows:
            raise EditRefused("There is nothing to edit.")
        ctid = chance.choice(rows)
        rogue.execute(
            f'SELECT {column.send}({name}), to_jsonb(it) FROM "{column.table}" it WHERE ctid = %s::tid', [ctid]
        )
        value, row = rogue.fetchone()
    before = bytes(value)
    if not before:
        raise EditRefused("An empty value has no byte.")
    place = chance.randrange(len(before))
    other = (before[place] + chance.randrange(1, 256)) % 256
    written = _write_value(column, ctid, before[:place] + bytes([other]) + before[place + 1 :])
    if written == before:
        raise EditRefused("The same value in other bytes.")
    return Edit(column, json.loads(row), place)


def _write_value(column: Column, ctid: str, value: bytes) -> bytes:
    """Writes the binary form, any bytes that the type accepts. Returns what the table then has."""
    name = f'"{column.name}"'
    statement = f'UPDATE "{column.table}" SET {name} = $1 WHERE ctid = $2::tid RETURNING {column.send}({name})'
    with transaction.atomic():
        result = connection.connection.pgconn.exec_params(
            statement.encode(), [value, ctid.encode()], [column.type_oid, 0], [Format.BINARY, Format.TEXT]
        )
        if result.status != ExecStatus.TUPLES_OK:
            raise EditRefused(result.error_message.decode())
    return bytes.fromhex((result.get_value(0, 0) or b"").decode().removeprefix("\\x"))
