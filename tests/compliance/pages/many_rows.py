"""Multiplies rows in the database for lists with many rows, and counts a page's queries."""

from collections.abc import Mapping

from django.db import connection, models
from django.test import Client
from django.test.utils import CaptureQueriesContext

MANY = 10_000


def copy_row(row: models.Model, times: int, apart: Mapping[str, str]) -> None:
    """Inserts copies of a row, each with its own entry index; `apart` has SQL for the other columns that must
    differ."""
    table = row._meta.db_table
    fields = [field for field in row._meta.concrete_fields if not field.primary_key]
    apart = {"index": '"index" + n', "entry_index": "entry_index + n", **apart}
    columns = ", ".join(f'"{field.column}"' for field in fields)
    values = ", ".join(apart.get(field.column or "", f'"{field.column}"') for field in fields)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({columns}) "
            f"SELECT {values} FROM {table}, generate_series(1, %s) AS n WHERE id = %s ORDER BY n",
            [times, row.pk],
        )


def count_queries(browser: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as asked:
        assert browser.get(address).status_code == 200, address
    return len(asked)
