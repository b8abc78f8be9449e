"""Several workers commit to the wagers of one log at once: no round is left out, none is committed to twice."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import IntegrityError, connection, transaction

from compliance.transparency.wager_proofs.consumer import _commit_rounds, commit_next_rounds
from compliance.transparency.wager_proofs.models import Commitment
from rounds.intake.protocol.examples import BODIES
from rounds.ledger.maintenance.halt import lock_log_head
from rounds.ledger.readers.consumer import position_of, read_entries
from rounds.ledger.readers.search import size_of
from rounds.ledger.storage import get_log
from rounds.ledger.writing.append import append, make_entry
from tests.concurrency.test_audit_workers import wait_until_so_many_wait
from tests.rounds.floor.conftest import committed_crew, quick_passwords
from tests.rounds.floor.crew import OPENING, Crew

__all__ = ["committed_crew", "quick_passwords"]

WORKERS, BATCHES, ROUNDS = 4, 12, 100
LINE = {"kind": "round", "table": "sb-1", "at": OPENING.isoformat(), "body": BODIES["round"]}


def play(rounds: int) -> None:
    with transaction.atomic():
        append("harbour", [make_entry("round", LINE, table="sb-1")] * rounds, OPENING)


def test_each_round_is_committed_to_once(committed_crew: Crew) -> None:
    def work(place: int) -> None:
        """The first plays on while the others commit; whoever finds another at it comes again."""
        try:
            for _ in range(BATCHES if place == 0 else 0):
                play(ROUNDS)
            while position_of("wager-commitments", "harbour") < size_of("harbour"):
                commit_next_rounds(log="harbour", now=OPENING)
        finally:
            connection.close()

    with ThreadPoolExecutor(WORKERS) as workers:
        list(workers.map(work, range(WORKERS)))
    work(1)
    commitments = list(Commitment.objects.order_by("first"))
    played = [entry.index for entry in read_entries("harbour", 0, 10**6, {"round"})]
    assert len(played) == BATCHES * ROUNDS
    assert [index for each in commitments for index in each.nodes_by_entry()] == played
    assert [each.first for each in commitments] == [0, *(each.last for each in commitments[:-1])]


def alone(act: Callable[[], None]) -> Callable[[], None]:
    """Runs it in its own transaction on its own connection."""

    def work() -> None:
        try:
            with transaction.atomic():
                act()
        finally:
            connection.close()

    return work


def test_a_worker_that_did_not_wait_for_the_cursor_is_refused(committed_crew: Crew) -> None:
    """Both worked out the same stretch before either wrote it: the log lets one after the other in, and the second
    begins where nothing ends any more."""
    play(3)
    rounds = read_entries("harbour", 0, 10**6, {"round"})
    work = alone(lambda: _commit_rounds("harbour", rounds, OPENING))
    with ThreadPoolExecutor(2) as workers:
        with transaction.atomic():
            lock_log_head(get_log("harbour"))
            both = [workers.submit(work) for _ in range(2)]
            wait_until_so_many_wait(2)
        [refused] = [error for error in (one.exception(60) for one in both) if error]
    assert isinstance(refused, IntegrityError)
    assert "a commitment begins where the one before it ended" in str(refused)
    assert Commitment.objects.count() == 1
    assert len(read_entries("harbour", 0, 10**6, {"wagers-committed"})) == 1


def test_of_two_written_without_the_log_s_lock_the_second_is_refused(committed_crew: Crew) -> None:
    """Neither can see the other yet."""

    def write(entry_index: int) -> None:
        Commitment.objects.create(
            log="harbour",
            first=0,
            last=1,
            rounds=1,
            root_sha256="",
            key=bytes(32),
            nodes=bytes(40),
            at=OPENING,
            entry_index=entry_index,
        )

    with ThreadPoolExecutor(1) as workers:
        with transaction.atomic():
            write(5)
            second = workers.submit(alone(lambda: write(6)))
            wait_until_so_many_wait(1)
        with pytest.raises(IntegrityError, match="proofs_commitment_once"):
            second.result(60)
    assert Commitment.objects.count() == 1
