"""A database besides the test's own: an empty one to restore into, or a copy of another."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import connection
from psycopg import sql

from compliance.config.environment import DatabaseAddress
from tests.conftest import make_database, superuser


def owner_address(database: str | None = None) -> DatabaseAddress:
    said = settings.DATABASE_OWNER
    assert said is not None
    name = database or connection.settings_dict["NAME"]
    return DatabaseAddress(said["USER"], said["PASSWORD"], said["HOST"], said["PORT"], name)


@contextmanager
def empty_database(template: str = "template1") -> Iterator[DatabaseAddress]:
    """Connects Django to a new database within the block."""
    usual = connection.settings_dict["NAME"]
    name = f"{usual}_restored"
    connection.close()
    with superuser("postgres") as admin:
        make_database(admin, name, template)
        connection.settings_dict["NAME"] = name
        try:
            yield owner_address(name)
        finally:
            connection.close()
            connection.settings_dict["NAME"] = usual
            admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
