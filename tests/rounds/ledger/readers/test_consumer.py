"""A consumer handles each entry once, in order; its rows and its cursor commit together or not at all."""

from collections.abc import Sequence
from datetime import timedelta
from threading import Event, Thread

import pytest
from django.db import connection

from compliance.core.web.models import CapturedEmail
from rounds.ledger.entry import LogEntry
from rounds.ledger.readers.consumer import ConsumerLag, consume, consume_all, consumer_lags, read_entries
from rounds.transparency_log.errors import LedgerError
from tests.rounds.ledger import harbour_log


class Follower:
    """A consumer that writes a row for each entry; it uses the demo mailbox as its table."""

    def __init__(self) -> None:
        self.batches: list[int] = []

    def __call__(self, entries: Sequence[LogEntry]) -> None:
        self.batches.append(len(entries))
        CapturedEmail.objects.bulk_create(
            CapturedEmail(to="", subject=f"{entry.log} {entry.index}", body="", sent_at=harbour_log.OPENED_AT)
            for entry in entries
        )

    @staticmethod
    def kept() -> list[str]:
        return list(CapturedEmail.objects.order_by("pk").values_list("subject", flat=True))


def test_each_entry_once_and_in_order(log: str) -> None:
    harbour_log.play(12)
    follower = Follower()
    assert [consume("audit", log, follower, limit=5) for _ in range(4)] == [5, 5, 2, 0]
    assert follower.kept() == [f"harbour {index}" for index in range(12)]
    harbour_log.play(1, first=12)
    assert consume("audit", log, follower) == 1
    assert follower.kept()[-1] == "harbour 12"


def test_an_entry_arrives_with_its_facts(log: str) -> None:
    harbour_log.play(1)
    handed: list[LogEntry] = []
    consume("audit", log, handed.extend)
    [entry] = handed
    assert (entry.log, entry.index, entry.kind) == ("harbour", 0, "test-round")
    assert (entry.table, entry.controller, entry.sequence) == ("SB-7", "shaker-7", 0)
    assert entry.recorded_at == harbour_log.OPENED_AT
    assert entry.content() == {"round": "R0", "dice": [1, 2, 1]}


def test_a_handler_that_raises_leaves_cursor_and_state_alone(log: str) -> None:
    harbour_log.play(4)
    follower = Follower()
    consume("audit", log, follower, limit=2)

    def stumble(entries: Sequence[LogEntry]) -> None:
        follower(entries)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        consume("audit", log, stumble)
    assert follower.kept() == ["harbour 0", "harbour 1"]
    consume("audit", log, follower)
    assert follower.kept() == ["harbour 0", "harbour 1", "harbour 2", "harbour 3"]


def test_it_catches_up_after_an_outage_with_every_log(log: str) -> None:
    harbour_log.opened("marina")
    harbour_log.play(1203)
    harbour_log.play(7, "marina")
    follower = Follower()
    assert consume_all("audit", ["harbour", "marina"], follower) == 1210
    assert follower.batches == [500, 500, 203, 7]
    assert follower.kept() == [f"harbour {n}" for n in range(1203)] + [f"marina {n}" for n in range(7)]
    assert consume_all("audit", ["harbour", "marina"], follower) == 0


def test_a_follower_that_appends_to_what_it_follows_comes_to_rest(log: str) -> None:
    harbour_log.play(3)

    def answer(entries: Sequence[LogEntry]) -> None:
        harbour_log.record_all([harbour_log.note(entry.index) for entry in entries])

    assert consume_all("audit", [log], answer, limit=2) == 3
    assert len(read_entries(log, 0, 100)) == 6


def test_consumers_do_not_disturb_each_other(log: str) -> None:
    harbour_log.play(3)
    audit, alerts = Follower(), Follower()
    consume("audit", log, audit)
    consume("alerts", log, alerts, limit=1)
    assert (audit.batches, alerts.batches) == ([3], [1])


def test_only_the_kinds_asked_for_are_handed_over_and_the_others_passed(log: str) -> None:
    harbour_log.play(2)
    harbour_log.record_all([harbour_log.note(7)])
    harbour_log.play(2, first=2)
    handed: list[LogEntry] = []
    assert consume("alerts", log, handed.extend, kinds={"test-note"}) == 5
    assert [(entry.index, entry.content()) for entry in handed] == [(2, {"number": 7})]
    assert consume("alerts", log, handed.extend, kinds={"test-note"}) == 0


@pytest.mark.usefixtures("committed_log")
def test_of_two_followers_at_once_one_leaves_the_other_the_work() -> None:
    harbour_log.play(4)
    follower, is_at_work, may_go_on = Follower(), Event(), Event()

    def dawdle(entries: Sequence[LogEntry]) -> None:
        follower(entries)
        is_at_work.set()
        assert may_go_on.wait(20)

    def follow_slowly() -> None:
        consume("audit", harbour_log.LOG, dawdle, limit=2)
        connection.close()

    slow = Thread(target=follow_slowly)
    slow.start()
    assert is_at_work.wait(20)
    assert consume("audit", harbour_log.LOG, follower) == 0
    may_go_on.set()
    slow.join(20)
    assert consume("audit", harbour_log.LOG, follower) == 2
    assert follower.kept() == [f"harbour {index}" for index in range(4)]


@pytest.mark.usefixtures("committed_log")
def test_an_entry_that_was_taken_away_is_not_passed_over_in_silence() -> None:
    harbour_log.play(4)
    with harbour_log.unguarded() as rogue:
        rogue.execute(f"DELETE FROM {harbour_log.partition()} WHERE index = 2")
    with pytest.raises(LedgerError, match="Entries 0 to 3 of harbour are not all there"):
        consume("audit", harbour_log.LOG, Follower())
    assert Follower.kept() == []


def test_lag_says_how_many_entries_wait_and_since_when(log: str) -> None:
    consume("audit", log, Follower())
    assert consumer_lags() == [ConsumerLag("audit", "harbour", 0, None)]
    harbour_log.play(60)
    consume("audit", log, Follower(), limit=55)
    assert consumer_lags() == [ConsumerLag("audit", "harbour", 5, harbour_log.OPENED_AT + timedelta(minutes=50))]
