"""Postgres session-level advisory locks: one worker at a time.
A lock is released when its worker's connection ends."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def advisory_lock(space: int, key: int) -> Iterator[bool]:
    """Tries to take the lock without waiting; yields whether it was taken.
    `space` is a number that no other kind of job uses."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [space, key])
        [is_ours] = cursor.fetchone() or [False]
        try:
            yield is_ours
        finally:
            if is_ours:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [space, key])
