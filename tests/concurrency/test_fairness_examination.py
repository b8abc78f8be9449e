"""Two workers examine the same gaming day at once: one examination, one set of signals, no error."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any

from django.db import connection, transaction

from compliance.analysis.fairness.examination.daily_examination import examine_day
from compliance.analysis.fairness.models import Examination, LastTest, Signal
from compliance.core.web.jobs.locks import Lock
from rounds.ledger.readers.consumer import read_entries
from tests.compliance.analysis.fairness.dice_play import AFTER, DAY, SIX_ALWAYS, results, with_dice
from tests.compliance.tables.equipment.builders import Floor
from tests.compliance.tables.equipment.conftest import committed_floor
from tests.concurrency.test_audit_workers import wait_until_so_many_wait
from tests.rounds.floor.conftest import committed_crew, quick_passwords

__all__ = ["committed_crew", "committed_floor", "quick_passwords"]


def test_a_day_is_examined_once_whoever_comes_second(committed_floor: Floor) -> None:
    with_dice(committed_floor, results(SIX_ALWAYS))
    casino = committed_floor.house.casino

    def examine(now: datetime) -> Any:
        try:
            return examine_day(casino=casino, day=DAY, now=now)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as workers:
        with transaction.atomic(), connection.cursor() as cursor:
            # Both must wait for this lock, so that neither ends before the other has begun.
            cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [Lock.EXAMINATION, casino.slug])
            both = [workers.submit(examine, AFTER) for _ in range(2)]
            wait_until_so_many_wait(2)
        done = [future.result(60) for future in both]
    assert sorted(one is None for one in done) == [False, True]
    assert Examination.objects.count() == 1
    kinds = [entry.kind for entry in read_entries("harbour", 0, 10**6)]
    assert kinds.count("fairness-examined") == 1
    assert kinds.count("fairness-signal") == Signal.objects.count() > 0
    assert LastTest.objects.count() > 0
