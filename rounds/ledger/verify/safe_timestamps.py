"""Times as PostgreSQL has them and Python has not: a column that was tampered with may hold the year 290000.

Read through here it is brought to the nearest year that can be told: still wrong, and found by what it was signed in.
"""

from datetime import UTC, datetime

from django.db.models import DateTimeField, F, Value
from django.db.models.functions import Greatest, Least

EARLIEST, LATEST = datetime(1000, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)


def clamped_timestamp(column: str) -> Least:
    return Least(Greatest(F(column), Value(EARLIEST)), Value(LATEST), output_field=DateTimeField())
