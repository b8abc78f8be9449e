"""The two database roles: the owner, which migrates, and the app role, with its privileges on each table."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.apps import apps
from django.conf import settings
from django.core.management.base import CommandError
from django.db import DEFAULT_DB_ALIAS, connections
from psycopg import sql

DEFAULT_PRIVILEGES = ("SELECT", "INSERT", "UPDATE", "DELETE")


@contextmanager
def as_owner(alias: str = DEFAULT_DB_ALIAS) -> Iterator[None]:
    """Connects as the owner role within the block."""
    if settings.DATABASE_OWNER is None:
        raise CommandError(
            "DATABASE_OWNER_URL is not set. Migrations run as the owner of the tables; the service itself never does."
        )
    connection = connections[alias]
    everyday = {key: connection.settings_dict[key] for key in ("USER", "PASSWORD")}
    connection.close()
    connection.settings_dict.update({key: settings.DATABASE_OWNER[key] for key in everyday})
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict.update(everyday)


def app_privileges() -> dict[str, tuple[str, ...]]:
    """By table. An append-only model declares `app_privileges = ("SELECT", "INSERT")`."""
    privileges = {
        model._meta.db_table: getattr(model, "app_privileges", DEFAULT_PRIVILEGES)
        for model in apps.get_models(include_auto_created=True)
        if not model._meta.proxy and (model._meta.managed or hasattr(model, "app_privileges"))
    }
    return privileges | {"django_migrations": ("SELECT",)}


def grant_app_role(app_role: str, alias: str = DEFAULT_DB_ALIAS) -> None:
    """Run as the owner: grants the app role exactly its privileges and revokes all others. TRUNCATE is never
    granted."""
    role = sql.Identifier(app_role)
    with connections[alias].cursor() as cursor:
        existing = set(connections[alias].introspection.table_names(cursor, include_views=True))
        cursor.execute(sql.SQL("GRANT USAGE ON SCHEMA public TO {}").format(role))
        cursor.execute(sql.SQL("GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {}").format(role))
        for table, privileges in app_privileges().items():
            if table in existing:
                name = sql.Identifier(table)
                cursor.execute(sql.SQL("REVOKE ALL ON {} FROM {}").format(name, role))
                verbs = sql.SQL(", ").join(map(sql.SQL, privileges))
                cursor.execute(sql.SQL("GRANT {} ON {} TO {}").format(verbs, name, role))
