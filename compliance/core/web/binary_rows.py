"""Queries in PostgreSQL's binary format, for comparisons that read a million rows."""

from collections.abc import Sequence
from typing import Any, LiteralString

from django.db import connection
from psycopg import Cursor


def fetch_binary_rows(query: LiteralString, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Fetch many rows in PostgreSQL's binary format, without models."""
    connection.ensure_connection()
    if connection.queries_logged:
        connection.queries_log.append({"sql": query, "time": ""})
    # Django's cursors bind parameters on the client and read the text format only.
    with connection.wrap_database_errors, Cursor(connection.connection) as cursor:
        return cursor.execute(query, parameters, binary=True).fetchall()
