"""Advisory locks of PostgreSQL: one worker at a time. All lock numbers are here, because two purposes with one number
would block each other. A session-level lock is also released when its connection ends."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import IntEnum, unique

from django.db import connection


@unique
class Lock(IntEnum):
    """The first key of an advisory lock. Numbers never change: releases may run side by side during an upgrade."""

    COVERAGE = 0x434F5552  # by log; taken by a trigger in compliance/audit/migrations/0002_guards.py
    READING_FINDINGS = 0x52454144  # by casino
    SAMPLE_DRAW = 0x44524157  # one worker at a time, so that the others can consume the log
    BUNDLE = 0x45564944  # by bundle
    REPORT = 0x52455054  # by report
    CERTIFICATE = 0x43455254
    TRIAL = 0x54525921  # likewise
    PREDICTION = 0x50524544  # likewise
    EXAMINATION = 0x46414952  # by casino
    SIGNING = 0x5349474E  # by log; also to halt it, to rotate its key and to begin an epoch
    VERIFICATION = 0x56455249


@contextmanager
def advisory_lock(lock: Lock, key: int = 0) -> Iterator[bool]:
    """Tries to take a session-level lock without waiting; yields whether it was taken."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [lock, key])
        [is_ours] = cursor.fetchone() or [False]
        try:
            yield is_ours
        finally:
            if is_ours:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [lock, key])


@contextmanager
def wait_for_locks(lock: Lock, keys: Iterable[int]) -> Iterator[None]:
    """Waits for session-level locks, which last across transactions; in sorted order, against deadlocks."""
    ordered = sorted(keys)
    with connection.cursor() as cursor:
        for key in ordered:
            cursor.execute("SELECT pg_advisory_lock(%s, %s)", [lock, key])
        try:
            yield
        finally:
            for key in ordered:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [lock, key])


def lock_transaction(lock: Lock, key: int | str = 0) -> None:
    """Waits for the lock and holds it until the transaction ends. Text, such as a log's name, is hashed to a key."""
    key_sql = "hashtext(%s)" if isinstance(key, str) else "%s"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_advisory_xact_lock(%s, {key_sql})", [lock, key])
