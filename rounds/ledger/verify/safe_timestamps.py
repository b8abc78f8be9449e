"""Reads timestamps that PostgreSQL can store and Python cannot: a tampered column may hold the year 290000.

They are clamped to a year Python can represent. The value stays wrong, so the signature check still finds it.
"""

from datetime import UTC, datetime

from django.db.models import DateTimeField, F, Value
from django.db.models.functions import Greatest, Least

EARLIEST, LATEST = datetime(1000, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)


def clamped_timestamp(column: str) -> Least:
    return Least(Greatest(F(column), Value(EARLIEST)), Value(LATEST), output_field=DateTimeField())
