"""A requested verification reads everything from then on, shows its progress, and goes first."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from rounds.ledger import tasks
from rounds.ledger.models import VerificationRequest
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.storage import get_log, head_of
from rounds.ledger.verify.history import last_verification, next_verification_start
from rounds.ledger.verify.verification_requests import (
    logs_requested_first,
    progress_reporter,
    request_verification,
    running_verification,
)
from rounds.ledger.verify.verify_log import VerificationResult, verify_log
from tests.rounds.ledger import harbour_log

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)

pytestmark = pytest.mark.usefixtures("committed_log")


def verify_at(moment: datetime) -> None:
    with time_machine.travel(moment, tick=False):
        tasks.verify_every_log()


def results() -> list[tuple[int, int]]:
    entries = read_entries("harbour", 0, 9_999, kinds=["ledger-verified"])
    return [(entry.content()["from"], entry.content()["size"]) for entry in entries]


def test_it_is_done_though_the_daily_one_is_not_due() -> None:
    harbour_log.play(3)
    verify_at(NOON)
    verify_at(NOON + HOUR)
    assert results() == [(0, 3)]
    request_verification(log="harbour", by="Ines", now=NOON + HOUR)
    waiting = running_verification("harbour")
    assert waiting is not None
    assert (waiting.asked_by, waiting.asked_at, waiting.moved_at) == ("Ines", NOON + HOUR, None)
    verify_at(NOON + 2 * HOUR)
    verify_at(NOON + 2 * HOUR)
    assert results() == [(0, 3), (0, 4)]
    assert running_verification("harbour") is None


def test_one_that_is_under_way_is_not_what_was_asked_for() -> None:
    """Its first part was read before the request, which wants everything read now."""
    harbour_log.play(350)
    with time_machine.travel(NOON, tick=False), pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks, "MAX_SECONDS", -1)
        tasks.verify_every_log()
    assert (due := next_verification_start("harbour", NOON)) is not None
    assert due[0].size == 100
    request_verification(log="harbour", by="Ines", now=NOON + HOUR)
    verify_at(NOON + 2 * HOUR)
    assert results() == [(0, 100), (0, 351)]


def test_asking_twice_is_asking_once_and_the_longest_waiting_comes_first() -> None:
    harbour_log.opened("adelaide")
    harbour_log.opened("marina")
    request_verification(log="marina", by="Otto", now=NOON)
    request_verification(log="harbour", by="Ines", now=NOON + HOUR)
    request_verification(log="marina", by="Cora", now=NOON + 2 * HOUR)
    assert logs_requested_first() == ["marina", "harbour", "adelaide"]
    assert VerificationRequest.objects.get(log__slug="marina").asked_by == "Otto"


def test_what_is_asked_for_while_the_daily_one_runs_is_done_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The request comes while the worker reads.

    That verification began earlier, so the log is read again from the start.
    """
    harbour_log.play(2)
    asked: list[str] = []

    def ask_meanwhile(log: str, **options: Any) -> VerificationResult:
        if not asked:
            asked.append(log)
            request_verification(log=log, by="Ines", now=NOON + HOUR)
        return verify_log(log, **options)

    rung: list[str] = []
    monkeypatch.setattr(tasks, "wake", rung.append)
    monkeypatch.setattr(tasks, "verify_log", ask_meanwhile)
    verify_at(NOON + HOUR)
    assert (results(), rung) == ([(0, 2)], [tasks.VERIFY_TASK])
    assert running_verification("harbour") is not None
    verify_at(NOON + 2 * HOUR)
    assert results() == [(0, 2), (0, 3)]
    assert running_verification("harbour") is None
    assert len(rung) == 1


def test_how_far_it_has_come_is_seen_from_elsewhere() -> None:
    moments = iter([NOON + timedelta(seconds=1), NOON + timedelta(seconds=1.5), NOON + timedelta(seconds=3)])
    with progress_reporter("harbour", lambda: next(moments)) as report:
        seen = []
        for done in (100, 200, 300):
            report(done, 900)
            running = running_verification("harbour")
            assert running is not None
            seen.append((running.done, running.total))
    assert seen == [(100, 900), (100, 900), (300, 900)]


def test_a_worker_that_was_lost_leaves_it_to_the_next() -> None:
    harbour_log.play(2)
    request_verification(log="harbour", by="Ines", now=NOON)
    with progress_reporter("harbour", lambda: NOON) as report:
        report(1, 2)
    running = running_verification("harbour")
    assert running is not None
    assert (running.asked_by, running.done) == ("Ines", 1)
    verify_at(NOON + HOUR)
    assert running_verification("harbour") is None
    last = last_verification("harbour")
    assert last is not None
    assert (last.size, last.last_read) == (2, 1)
    assert head_of(get_log("harbour")).size == 3
