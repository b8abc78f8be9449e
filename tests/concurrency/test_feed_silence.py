"""A feed's silence is recorded while its batches are: no deadlock between the two."""

from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.test import Client

from rounds.intake.models import Feed
from rounds.intake.services.feed_silence import record_returns, record_silences
from rounds.ledger.readers.consumer import read_entries
from tests.concurrency.test_audit_workers import wait_until_so_many_wait
from tests.rounds.floor.conftest import committed_crew, quick_passwords
from tests.rounds.floor.crew import Crew
from tests.rounds.intake.controller_client import Feeder, feeder_at

__all__ = ["committed_crew", "quick_passwords"]


def kinds() -> list[str]:
    return [entry.kind for entry in read_entries("harbour", 0, 10**6) if entry.table == "sb-1"][-2:]


def test_a_batch_and_the_silence_before_it_are_both_recorded(committed_crew: Crew) -> None:
    feeder = feeder_at(committed_crew)
    feeder.send(feeder.line("table-opened"))
    later = Feed.objects.get().last_seen_at + timedelta(minutes=5)

    def aside(act: Any) -> Any:
        try:
            return act()
        finally:
            connection.close()

    for watch in (record_silences, record_returns):
        # A heart-beat, which ends a recorded silence.
        feeder.send(feeder.line("heartbeat"))
        line = feeder.line()
        with ThreadPoolExecutor(2) as people:
            with transaction.atomic(), connection.cursor() as cursor:
                # Both wait for the log's lock, the batch first: it then locks its feed.
                cursor.execute("SELECT 1 FROM ledger_head FOR UPDATE")
                batch: Future[Any] = people.submit(aside, lambda line=line: Feeder(client=Client()).send(line))
                wait_until_so_many_wait(1)
                watching: Future[int] = people.submit(aside, lambda watch=watch: watch(now=later))
                wait_until_so_many_wait(2)
            assert batch.result(60).status_code == 200
            assert watching.result(60) == 1
    assert kinds() == ["round", "feed-returned"]
