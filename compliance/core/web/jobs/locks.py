"""One worker at a time: a piece of work held by an advisory lock, which ends with its worker, however that ends."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def advisory_lock(space: int, key: int) -> Iterator[bool]:
    """Whether it is ours. `space` is a number that no other kind of work uses."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [space, key])
        [is_ours] = cursor.fetchone() or [False]
        try:
            yield is_ours
        finally:
            if is_ours:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [space, key])
