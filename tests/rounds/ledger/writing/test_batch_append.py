"""Group commit: waiting requests for one log are appended together, and an error affects only its own request."""

from collections.abc import Callable, Sequence
from threading import Barrier, Event, Thread

import pytest
from django.db import OperationalError, connection, transaction

from compliance.core.web.models import CapturedEmail
from rounds.ledger.models import Entry
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.verify.verify_log import verify_log
from rounds.ledger.writing import batch_append
from rounds.ledger.writing.append import NewEntry, Receipt, SequenceTaken, prepare_entries
from rounds.ledger.writing.batch_append import AppendInterrupted, SideWrite, append_batched, submit
from rounds.transparency_log.errors import EntryError, LedgerError
from tests.rounds.ledger import harbour_log

NOW = harbour_log.OPENED_AT
pytestmark = pytest.mark.usefixtures("committed_log")

Outcome = list[Receipt] | BaseException


def run_together(*calls: Callable[[], list[Receipt]]) -> list[Outcome]:
    """Run each call on its own thread, as the web server does, while the log is locked until all of them wait.

    The first is then appending alone; the others wait for it and will share the next batch.
    """
    outcomes: list[Outcome] = [[] for _ in calls]

    def run(place: int) -> None:
        try:
            outcomes[place] = calls[place]()
        except BaseException as error:
            outcomes[place] = error
        finally:
            connection.close()

    threads = [Thread(target=run, args=(place,)) for place in range(len(calls))]
    with held_log():
        for place, thread in enumerate(threads):
            thread.start()
            wait_for(place + 1)
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()
    return outcomes


class held_log:  # noqa: N801
    """Another process that holds the log's lock during the block."""

    def __enter__(self) -> None:
        self.admin = harbour_log.admin()
        self.admin.autocommit = False
        self.admin.execute("SELECT 1 FROM ledger_head FOR NO KEY UPDATE")

    def __exit__(self, *unused: object) -> None:
        self.admin.close()


def wait_for(requests: int) -> None:
    """Wait until one request waits for the database and the others wait for it."""
    queue = batch_append._queue_for(harbour_log.LOG)
    while True:
        with queue.changed:
            if queue.is_busy and len(queue.waiting) == requests - 1:
                return
        Event().wait(0.01)


def one(sequence: int, body: bytes = b"") -> Callable[[], list[Receipt]]:
    return lambda: submit(harbour_log.LOG, [harbour_log.a_round(sequence, body)], NOW)


def indexes(outcome: Outcome) -> list[int]:
    assert isinstance(outcome, list), outcome
    return [receipt.index for receipt in outcome]


def commits() -> int:
    """Number of transactions: entries appended together have the same one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(DISTINCT xmin::text) FROM ledger_entry")
        row = cursor.fetchone()
    assert row is not None
    return int(row[0])


def test_a_request_alone_is_recorded_alone() -> None:
    [receipt] = submit(harbour_log.LOG, [harbour_log.a_round(7)], NOW)
    [entry] = read_entries(harbour_log.LOG, 0, 9)
    assert (receipt.index, receipt.leaf_sha256) == (0, entry.leaf_sha256)


def test_those_that_wait_share_one_append() -> None:
    outcomes = run_together(*[one(sequence) for sequence in range(20)])
    assert [indexes(outcome) for outcome in outcomes] == [[index] for index in range(20)]
    assert commits() == 2
    for sequence, outcome in enumerate(outcomes):
        [index] = indexes(outcome)
        [entry] = read_entries(harbour_log.LOG, index, index + 1)
        assert entry.sequence == sequence
    assert verify_log(harbour_log.LOG).is_intact


def test_a_conflict_fails_its_own_request_and_no_other() -> None:
    harbour_log.record_all([harbour_log.a_round(5)])
    outcomes = run_together(one(0), one(1), one(5, b'{"another":"story"}'), one(2), one(3))
    assert isinstance(outcomes[2], SequenceTaken)
    assert [indexes(outcomes[place]) for place in (0, 1, 3, 4)] == [[1], [2], [3], [4]]
    assert verify_log(harbour_log.LOG).is_intact


def test_of_two_with_the_same_sequence_one_is_recorded() -> None:
    outcomes = run_together(one(0), one(9, b'{"a":1}'), one(9, b'{"a":2}'), one(1))
    assert [type(outcome) for outcome in outcomes] == [list, list, SequenceTaken, list]
    assert Entry.objects.count() == 3
    assert verify_log(harbour_log.LOG).is_intact


def test_a_request_of_several_entries_is_recorded_whole_or_not_at_all() -> None:
    harbour_log.record_all([harbour_log.a_round(5)])

    def several(*sequences: int) -> Callable[[], list[Receipt]]:
        return lambda: submit(harbour_log.LOG, [harbour_log.a_round(sequence) for sequence in sequences], NOW)

    outcomes = run_together(one(0), several(10, 11, 12), several(20, 5, 21), several(30, 31))
    assert isinstance(outcomes[2], SequenceTaken)
    for place, length in ((1, 3), (3, 2)):
        first, *rest = indexes(outcomes[place])
        assert rest == list(range(first + 1, first + length))
    assert not Entry.objects.filter(sequence__in=(20, 21)).exists()


def test_bad_input_is_refused_before_anybody_waits() -> None:
    bad = NewEntry(kind="test-note", body=b'{"a":1,"a":2}')
    with held_log(), pytest.raises(EntryError) as refused:
        submit(harbour_log.LOG, [bad], NOW)
    assert (refused.value.code, refused.value.field) == ("repeated-member", "/a")


def test_what_a_request_writes_beside_its_entries_is_recorded_with_them() -> None:
    def sign(receipts: Sequence[Receipt]) -> None:
        CapturedEmail.objects.create(to="", subject=f"{[receipt.index for receipt in receipts]}", body="", sent_at=NOW)

    def fail(receipts: Sequence[Receipt]) -> None:
        sign(receipts)
        raise ZeroDivisionError

    outcomes = run_together(
        lambda: submit(harbour_log.LOG, [harbour_log.note(1)], NOW, on_append=sign),
        lambda: submit(harbour_log.LOG, [harbour_log.note(2)], NOW, on_append=fail),
        lambda: submit(harbour_log.LOG, [harbour_log.note(3), harbour_log.note(4)], NOW, on_append=sign),
    )
    assert isinstance(outcomes[1], ZeroDivisionError)
    written = [f"{indexes(outcomes[place])}" for place in (0, 2)]
    assert sorted(CapturedEmail.objects.values_list("subject", flat=True)) == sorted(written)
    assert Entry.objects.count() == 3


def test_what_those_that_share_an_append_write_beside_it_is_written_at_once() -> None:
    calls: list[list[tuple[int, list[int]]]] = []

    def write(told: Sequence[tuple[int, Sequence[Receipt]]]) -> None:
        calls.append([(what, [receipt.index for receipt in receipts]) for what, receipts in told])

    def asking(sequence: int) -> Callable[[], list[Receipt]]:
        prepared = prepare_entries(harbour_log.LOG, [harbour_log.a_round(sequence)], NOW)
        return lambda: append_batched(harbour_log.LOG, prepared, SideWrite(write, sequence))

    run_together(*[asking(sequence) for sequence in range(20)])
    assert calls == [[(0, [0])], [(sequence, [sequence]) for sequence in range(1, 20)]]


def test_the_database_going_away_is_told_to_each_that_shared_the_append() -> None:
    def go_away(receipts: Sequence[Receipt]) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    outcomes = run_together(
        one(0), lambda: submit(harbour_log.LOG, [harbour_log.a_round(1)], NOW, on_append=go_away), one(2)
    )
    assert indexes(outcomes[0]) == [0]
    assert [type(outcome) for outcome in outcomes[1:]] == [OperationalError, OperationalError]
    assert [indexes(outcome) for outcome in run_together(one(1), one(2))] == [[1], [2]]


def test_a_thread_that_is_stopped_in_the_middle_leaves_the_others_an_answer() -> None:
    class Stopped(BaseException):
        """What a web server raises in a thread that it stops."""

    def stop(receipts: Sequence[Receipt]) -> None:
        raise Stopped

    outcomes = run_together(
        one(0), lambda: submit(harbour_log.LOG, [harbour_log.a_round(1)], NOW, on_append=stop), one(2)
    )
    assert indexes(outcomes[0]) == [0]
    assert {type(outcome) for outcome in outcomes[1:]} == {Stopped, AppendInterrupted}
    assert Entry.objects.count() == 1
    assert [indexes(outcome) for outcome in run_together(one(1), one(2))] == [[1], [2]]


def test_no_more_than_so_many_entries_share_an_append(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_append, "MAX_BATCH_ENTRIES", 3)
    outcomes = run_together(*[one(sequence) for sequence in range(10)])
    assert sorted(index for outcome in outcomes for index in indexes(outcome)) == list(range(10))
    assert commits() == 4


def test_a_caller_that_has_a_transaction_of_its_own_is_refused() -> None:
    with transaction.atomic(), pytest.raises(RuntimeError, match="durable"):
        submit(harbour_log.LOG, [harbour_log.a_round(1)], NOW)


def test_a_log_that_is_held_up_does_not_hold_up_another() -> None:
    harbour_log.opened("marina")
    done: list[Outcome] = []

    def wait() -> None:
        done.append(submit(harbour_log.LOG, [harbour_log.a_round(1)], NOW))
        connection.close()

    waiting = Thread(target=wait)
    with harbour_log.admin() as admin, admin.transaction():
        admin.execute(
            "SELECT 1 FROM ledger_head JOIN ledger_log ON id = log_id WHERE slug = 'harbour' FOR NO KEY UPDATE"
        )
        waiting.start()
        wait_for(1)
        assert [receipt.index for receipt in submit("marina", [harbour_log.a_round(1)], NOW)] == [0]
        assert done == []
    waiting.join(30)
    assert indexes(done[0]) == [0]


def test_an_unknown_log_is_told_to_the_caller() -> None:
    with pytest.raises(LedgerError, match="There is no log 'atlantis'"):
        submit("atlantis", [harbour_log.a_round(1)], NOW)


def test_forty_threads_without_a_pause_leave_a_dense_log() -> None:
    start = Barrier(40)

    def play(table: int) -> Callable[[], list[Receipt]]:
        def go() -> list[Receipt]:
            start.wait(30)
            return [
                receipt
                for turn in range(5)
                for receipt in submit(harbour_log.LOG, [harbour_log.a_round(table * 100 + turn)], NOW)
            ]

        return go

    outcomes: list[Outcome] = [[] for _ in range(40)]

    def run(place: int, call: Callable[[], list[Receipt]]) -> None:
        outcomes[place] = call()
        connection.close()

    threads = [Thread(target=run, args=(place, play(place))) for place in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(index for outcome in outcomes for index in indexes(outcome)) == list(range(200))
    assert verify_log(harbour_log.LOG).is_intact
