"""The service connects as a role that owns nothing and may not TRUNCATE anything."""

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import ProgrammingError, connection, transaction
from pytest_django import Settings

from compliance.config.database_roles import app_privileges
from compliance.core.accounts.models import Casino
from tests.conftest import OWNER, superuser

pytestmark = pytest.mark.django_db


def refused(statement: str) -> str:
    with pytest.raises(ProgrammingError) as caught, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert isinstance(caught.value.__cause__, psycopg.errors.InsufficientPrivilege)
    return str(caught.value)


def test_the_service_is_the_app_role_and_owns_no_table() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        assert cursor.fetchone() == ("fairthrow_app",)
        cursor.execute("SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'")
        assert cursor.fetchall() == [("fairthrow_owner",)]


@pytest.mark.parametrize(
    "statement",
    [
        "TRUNCATE accounts_casino CASCADE",
        "CREATE TABLE mine (n int)",
        "ALTER TABLE accounts_casino DISABLE TRIGGER ALL",
        "DROP TABLE accounts_casino",
        "SET session_replication_role = replica",
        "DELETE FROM django_migrations",
    ],
)
def test_the_app_role_is_refused(statement: str) -> None:
    assert "permission denied" in refused(statement) or "must be owner" in refused(statement)


def test_each_table_has_exactly_the_privileges_its_model_states() -> None:
    granted: dict[str, set[str]] = {}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, privilege_type FROM information_schema.table_privileges WHERE grantee = user"
        )
        for table, privilege in cursor.fetchall():
            granted.setdefault(table, set()).add(privilege)
    stated = {table: set(privileges) for table, privileges in app_privileges().items()}
    assert {table: granted[table] for table in stated} == stated


@pytest.mark.django_db(transaction=True)
def test_migrating_takes_back_a_privilege_given_by_hand() -> None:
    name = connection.settings_dict["NAME"]
    with superuser(name) as admin:
        admin.execute("GRANT TRUNCATE ON accounts_casino TO fairthrow_app")
    call_command("migrate", verbosity=0, interactive=False)
    assert "permission denied" in refused("TRUNCATE accounts_casino CASCADE")
    assert Casino.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_migrating_without_the_owner_says_what_is_missing(settings: Settings) -> None:
    settings.DATABASE_OWNER = None
    with pytest.raises(CommandError, match="DATABASE_OWNER_URL is not set"):
        call_command("migrate", verbosity=0)


def test_the_owner_is_not_signed_in_while_the_service_runs() -> None:
    with superuser(connection.settings_dict["NAME"]) as admin:
        rows = admin.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE usename = %s AND datname = current_database()",
            [OWNER["USER"]],
        ).fetchone()
    assert rows == (0,)
