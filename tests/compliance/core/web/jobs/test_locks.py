"""Advisory locks: the numbers stay as they are, and each way of locking excludes the others."""

import psycopg
import pytest
from django.db import transaction
from psycopg.errors import LockNotAvailable

from compliance.config.environment import PROJECT
from compliance.core.web.jobs.locks import Lock, advisory_lock, lock_transaction, wait_for_locks
from tests.rounds.ledger import harbour_log

pytestmark = pytest.mark.django_db(transaction=True)


def is_free(other: psycopg.Connection, key: int = 7) -> bool:
    """Whether another session gets the lock at once."""
    row = other.execute("SELECT pg_try_advisory_lock(%s, %s)", [Lock.SIGNING, key]).fetchone()
    other.execute("SELECT pg_advisory_unlock_all()")
    return row == (True,)


def test_the_numbers_never_change() -> None:
    assert {lock.name: lock.value for lock in Lock} == {
        "COVERAGE": 1129272658,
        "READING_FINDINGS": 1380270404,
        "SAMPLE_DRAW": 1146241367,
        "BUNDLE": 1163282756,
        "REPORT": 1380274260,
        "CERTIFICATE": 1128616532,
        "TRIAL": 0x54525921,
        "EXAMINATION": 1178683730,
        "SIGNING": 1397311310,
        "VERIFICATION": 1447383625,
        "PREDICTION": 1347568964,
    }
    assert len(Lock) == len(Lock.__members__), "Two names have one number."
    assert str(Lock.COVERAGE.value) in (PROJECT / "compliance/audit/migrations/0002_guards.py").read_text()


def test_a_lock_that_is_taken_is_not_waited_for() -> None:
    with harbour_log.admin() as other:
        other.execute("SELECT pg_advisory_lock(%s, 7)", [Lock.SIGNING])
        with advisory_lock(Lock.SIGNING, 7) as is_ours, advisory_lock(Lock.SIGNING, 8) as is_other_ours:
            assert (is_ours, is_other_ours) == (False, True)
        assert is_free(other, 8)


def test_session_locks_last_across_transactions_and_are_released_after_an_error() -> None:
    with harbour_log.admin() as other:
        with pytest.raises(ZeroDivisionError), wait_for_locks(Lock.SIGNING, [8, 7]):
            with transaction.atomic():
                pass
            assert not is_free(other, 7)
            assert not is_free(other, 8)
            raise ZeroDivisionError
        assert is_free(other, 7)
        assert is_free(other, 8)


def test_a_transaction_holds_its_lock_until_it_ends() -> None:
    with harbour_log.admin() as other:
        with transaction.atomic():
            lock_transaction(Lock.SIGNING, 7)
            lock_transaction(Lock.SIGNING, "harbour")
            [hashed] = other.execute("SELECT hashtext('harbour')").fetchone() or [0]
            assert not is_free(other, 7)
            assert not is_free(other, hashed)
        assert is_free(other, 7)
        assert is_free(other, hashed)


def test_locks_for_sessions_and_for_transactions_exclude_each_other() -> None:
    with harbour_log.admin() as other:
        other.execute("SET lock_timeout = '50ms'")
        with wait_for_locks(Lock.SIGNING, [7]), pytest.raises(LockNotAvailable):
            other.execute("SELECT pg_advisory_xact_lock(%s, 7)", [Lock.SIGNING])
