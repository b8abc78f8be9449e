"""Databases for frequent fixture snapshots: the fixture is committed there once, a test switches its connection to it
and is rolled back there. Restoring the rows instead takes longer than most tests.
"""

from collections.abc import Callable
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection

MakeDatabase = Callable[[str], psycopg.Connection]


class SnapshotDatabase:
    """Database of one snapshot: its name, and the connection that stays open from test to test."""

    def __init__(self, name: str, rows: str) -> None:
        self.name = name
        self.open: psycopg.Connection | None = None
        assert _make_database is not None
        with _make_database(name) as admin:
            admin.execute("SELECT kept.write_back(%s)", [rows])
            admin.execute("CALL kept.go_on_counting()")

    def connect(self) -> psycopg.Connection:
        """With all the settings of Django's own connection."""
        if self.open is None or self.open.closed:
            other = connection.copy()
            other.settings_dict["NAME"] = self.name
            other.ensure_connection()
            self.open = other.connection
        assert self.open is not None
        self.open.autocommit = False
        return self.open


_databases: dict[str, SnapshotDatabase] = {}
_make_database: MakeDatabase | None = None
_home: tuple[Any, str] | None = None
_world: str | None = None
_savepoints_before = 0


def set_database_factory(by: MakeDatabase) -> None:
    global _make_database
    _make_database = by


def mark_test_begin() -> None:
    """Called when the test's transaction, which is rolled back after it, begins."""
    global _savepoints_before
    _savepoints_before = connection.savepoint_state


def can_switch_database() -> bool:
    """Only while that transaction is the only one open, without savepoints."""
    blocks = connection.atomic_blocks
    is_only_one = len(blocks) == 1 and bool(blocks[0]._from_testcase)  # type: ignore[attr-defined]
    return _make_database is not None and is_only_one and connection.savepoint_state == _savepoints_before


def current_snapshot() -> str | None:
    """The snapshot that the test has switched to."""
    return _world


def switch_database(world: str, rows: str) -> None:
    """From the home database, or from one snapshot to another."""
    global _home, _world
    home = _home or (connection.connection, _database_name())
    if world not in _databases:
        _databases[world] = SnapshotDatabase(f"{home[1]}_world_{len(_databases)}", rows)
    connection.connection.rollback()
    _home, _world = home, world
    connection.connection = _databases[world].connect()
    _set_database_name(_databases[world].name)


def restore_database() -> None:
    """After a test: back to the home database, whatever the test did to the connection."""
    global _home, _world
    if _home is not None:
        if connection.connection is not None and all(
            connection.connection is not its.open for its in _databases.values()
        ):
            connection.connection.close()
        connection.connection, name = _home
        connection.connection.autocommit = True
        _set_database_name(name)
        _home = _world = None


def _database_name() -> str:
    return str(connection.settings_dict["NAME"])


def _set_database_name(name: str) -> None:
    connection.settings_dict["NAME"] = settings.DATABASES["default"]["NAME"] = name
