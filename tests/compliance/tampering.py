"""A superuser who switches a table's guards off, changes something, and switches them on again so that nobody sees."""

from django.db import connection

from tests.conftest import superuser


def tamper(table: str, statement: str) -> None:
    with superuser(connection.settings_dict["NAME"]) as rogue, rogue.transaction():
        guards = rogue.execute(
            "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND tgenabled = 'A' AND NOT tgisinternal",
            [table],
        ).fetchall()
        for (guard,) in guards:
            rogue.execute(f"ALTER TABLE {table} DISABLE TRIGGER {guard}")
        rogue.execute("SET CONSTRAINTS ALL IMMEDIATE")
        rogue.execute(statement)
        for (guard,) in guards:
            rogue.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {guard}")
