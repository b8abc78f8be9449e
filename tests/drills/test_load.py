"""The load drill in short: the ledger is locked, more requests arrive than may wait, and once it is free all is
recorded.
"""

from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from itertools import islice
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from pytest_django import Settings

from rounds.ledger.verify.verify_log import verify_log
from tests.drills.load import Tally, wrong_when_too_much, wrong_while_steady
from tests.drills.test_failing_statements import crew
from tests.rounds.floor.crew import Crew
from tests.rounds.intake.controller_client import Feeder, feeder_at
from tests.rounds.intake.services.test_batches import entries_of_controllers

__all__ = ["crew"]

AT_WORK, MAY_WAIT, CALLERS = 1, 2, 6


@pytest.fixture
def busy(settings: Settings) -> None:
    settings.CONCURRENT_REQUESTS_EACH, settings.QUEUED_REQUESTS_EACH, settings.LONGEST_QUEUE_SECONDS = (
        AT_WORK,
        MAY_WAIT,
        600.0,
    )


def test_too_much_is_shed_at_once_and_nothing_that_was_taken_is_lost(busy: None, crew: Crew) -> None:
    feeder = feeder_at(crew)
    shared = Client()
    # The first request creates the concurrency limits that all others share.
    assert shared.get("/healthz").status_code == 200
    lines = [feeder.line() for _ in range(CALLERS)]

    def send(line: bytes) -> Any:
        try:
            return Feeder(client=shared).send(line)
        finally:
            connection.close()

    with ThreadPoolExecutor(CALLERS) as callers:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM ledger_head FOR UPDATE")
            sent = [callers.submit(send, line) for line in lines]
            # Shed requests are answered although no other makes progress.
            shed = first_done(sent, CALLERS - AT_WORK - MAY_WAIT)
        answers = [one.result() for one in sent]
    assert [one.result().status_code for one in shed] == [503] * 3
    assert all(1 <= int(one.result()["Retry-After"]) <= 4 for one in shed)
    assert sorted(answer.status_code for answer in answers) == [200] * 3 + [503] * 3

    again = [Feeder(client=shared).send(line) for line in lines]
    assert [answer.status_code for answer in again] == [200] * CALLERS
    assert sorted(entry.body for entry in entries_of_controllers()) == sorted(lines)
    assert verify_log("harbour").issues == ()


def first_done(sent: list[Future[Any]], count: int) -> list[Future[Any]]:
    return list(islice(as_completed(sent, timeout=600), count))


def test_the_drill_tells_what_was_wrong() -> None:
    tally = Tally()
    for status, retry_after in ((200, None), (503, "2"), (429, "1")):
        tally.note(status, 0.1, retry_after)
    assert wrong_when_too_much(tally, 3.0, times=3.0) == []
    tally.note(503, 0.1, None)
    tally.note(500, 0.1, None)
    tally.note(0, 60.0, None)
    wrong = wrong_when_too_much(tally, -1.0, times=2.9)
    assert [sentence.split(" ")[0] for sentence in wrong] == ["Only", "2", "1", "It"]
    assert wrong_when_too_much(Tally(), 1.0, times=3.1)[0].startswith("Nothing was shed")


def test_a_steady_load_leaves_nobody_waiting_or_refused() -> None:
    well, refused = Tally(), Tally()
    well.note(200, 0.1, None)
    refused.note(503, 0.1, "2")
    assert wrong_while_steady(well, well, 60.0) == []
    assert [sentence[:17] for sentence in wrong_while_steady(refused, well, 60.1)] == [
        "Not all batches w",
        "A round waited 60",
    ]
