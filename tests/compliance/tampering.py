"""A superuser who switches a table's guards off, changes something, and switches them on again so that nobody sees."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from tests.conftest import superuser


def tamper(table: str, statement: str) -> None:
    _unseen(table, "SET CONSTRAINTS ALL IMMEDIATE", statement)


@contextmanager
def tampered(table: str, statement: str) -> Iterator[None]:
    """The same for a while: afterwards the table is as it was."""
    _unseen(table, f"CREATE TABLE as_it_was AS TABLE {table}", "SET CONSTRAINTS ALL IMMEDIATE", statement)
    try:
        yield
    finally:
        _unseen(table, f"DELETE FROM {table}", f"INSERT INTO {table} SELECT * FROM as_it_was", "DROP TABLE as_it_was")


def _unseen(table: str, *statements: str) -> None:
    with superuser(connection.settings_dict["NAME"]) as rogue, rogue.transaction():
        guards = rogue.execute(
            "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND tgenabled = 'A' AND NOT tgisinternal",
            [table],
        ).fetchall()
        for (guard,) in guards:
            rogue.execute(f"ALTER TABLE {table} DISABLE TRIGGER {guard}")
        for statement in statements:
            rogue.execute(statement)
        rogue.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for (guard,) in guards:
            rogue.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {guard}")
