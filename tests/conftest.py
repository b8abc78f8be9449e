"""The test database: created and migrated as the owner, used as the app role, as the service does."""

import gc
import os
from collections.abc import Iterator
from typing import Any

import hypothesis
import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import TestCase, TransactionTestCase
from psycopg import errors, sql
from pytest_django import DjangoDbBlocker

from compliance.config.environment import database_address
from tests import run_preparation, snapshot_databases
from tests.fixture_snapshots import create_snapshot_functions
from tests.servers import digest_of_migrations

OWNER = settings.DATABASE_OWNER or {}
# The service's hasher is slow on purpose; test_sign_in.py tests it once.
HASHERS_OF_THE_SERVICE = settings.PASSWORD_HASHERS
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# No deadline: an example's duration depends on the machine, not on the code.
hypothesis.settings.register_profile(
    "any-machine", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("any-machine")


def superuser(database: str) -> psycopg.Connection:
    address = database_address(os.environ["TEST_SUPERUSER_URL"], "TEST_SUPERUSER_URL")
    return psycopg.connect(
        host=address.host,
        port=address.port,
        user=address.user,
        password=address.password,
        dbname=database,
        autocommit=True,
    )


def unlock_all(other: psycopg.Connection) -> None:
    """Closing the connection would return before its server process ends and releases the locks."""
    other.execute("SELECT pg_advisory_unlock_all()")


@pytest.fixture(scope="session")
def django_db_setup(worker_id: str, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A copy of the template database that the first worker migrated; migrating the copy again sets today's
    privileges."""
    name = f"test_{worker_id}"
    with superuser("postgres") as admin, django_db_blocker.unblock():
        make_database(admin, name, make_template(admin))
        migrate(name)
    with superuser(name) as admin:
        create_snapshot_functions(admin)
    with superuser("postgres") as admin:
        make_database(admin, f"{name}_empty", name)
    snapshot_databases.set_database_factory(by=lambda world: copy_template(f"{name}_empty", world))
    yield
    connection.close()


def make_template(admin: psycopg.Connection) -> str:
    """Creates the template database once a server, by the worker that comes first."""
    template = f"migrated_{digest_of_migrations()}"
    admin.execute("SELECT pg_advisory_lock(1)")
    if not admin.execute("SELECT 1 FROM pg_database WHERE datname = %s", [template]).fetchone():
        make_database(admin, "half_migrated")
        migrate("half_migrated")
        admin.execute(sql.SQL("ALTER DATABASE half_migrated RENAME TO {}").format(sql.Identifier(template)))
    admin.execute("SELECT pg_advisory_unlock(1)")
    return template


def copy_template(empty: str, name: str) -> psycopg.Connection:
    with superuser("postgres") as admin:
        make_database(admin, name, empty)
    return superuser(name)


@pytest.fixture(scope="session", autouse=True)
def static_files_read_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        run_preparation.cache_static_files(monkeypatch)
        yield


def make_database(admin: psycopg.Connection, name: str, template: str = "template1") -> None:
    owner, app = OWNER["USER"], connection.settings_dict["USER"]
    for statement in (
        "DROP DATABASE IF EXISTS {name} WITH (FORCE)",
        "CREATE DATABASE {name} OWNER {owner} TEMPLATE {template} STRATEGY file_copy",
        "GRANT CONNECT ON DATABASE {name} TO {app}",
    ):
        names = {"name": name, "owner": owner, "template": template, "app": app}
        admin.execute(sql.SQL(statement).format(**{key: sql.Identifier(value) for key, value in names.items()}))


def migrate(name: str) -> None:
    connection.close()
    connection.settings_dict["NAME"] = settings.DATABASES["default"]["NAME"] = name
    call_command("migrate", verbosity=0, interactive=False)
    connection.close()


def empty_every_table(self: TransactionTestCase) -> None:
    """After a test with real commits: deletes all rows as superuser with triggers off, since the app role may not."""
    connection.close()
    with superuser(connection.settings_dict["NAME"]) as admin:
        admin.execute("SET lock_timeout = '10s'")
        try:
            admin.execute("CALL kept.empty_every_table()")
        except (errors.LockNotAvailable, errors.DeadlockDetected):
            # A request of the live server may outlast its test. Rows left behind would fail every test that follows.
            admin.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'"
            )
            admin.execute("CALL kept.empty_every_table()")


DJANGOS: Any = TestCase
ENTER, ROLL_BACK = DJANGOS._enter_atomics.__func__, DJANGOS._rollback_atomics.__func__


def enter_atomics(cls: type[TestCase]) -> Any:
    atomics = ENTER(cls)
    snapshot_databases.mark_test_begin()
    return atomics


def rollback_atomics(cls: type[TestCase], atomics: Any) -> None:
    ROLL_BACK(cls, atomics)
    snapshot_databases.restore_database()


TransactionTestCase._fixture_teardown = empty_every_table  # type: ignore[attr-defined]
# A test without commits may switch to a snapshot database; its rollback switches back.
DJANGOS._enter_atomics, DJANGOS._rollback_atomics = classmethod(enter_atomics), classmethod(rollback_atomics)


def pytest_sessionstart(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):
        run_preparation.prepare_run(session.config)
        run_preparation.make_signing_key()


def pytest_collectstart() -> None:
    gc.disable()


def pytest_collection_finish() -> None:
    """Excludes everything loaded so far from garbage collection, which would take a tenth of a run."""
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(50_000, 20, 20)
