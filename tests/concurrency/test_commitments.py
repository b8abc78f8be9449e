"""Several workers commit to the wagers of one log at once: no round is left out, and none is committed to twice."""

from concurrent.futures import ThreadPoolExecutor

from django.db import connection, transaction

from compliance.proofs.committing import commit_next
from compliance.proofs.models import Commitment
from rounds.intake.kinds.examples import BODIES
from rounds.ledger.appending import append, record
from rounds.ledger.following import followed_up_to, read_entries
from rounds.ledger.searching import size_of
from tests.rounds.floor.conftest import committed_crew, quick_passwords
from tests.rounds.floor.crew import OPENING, Crew

__all__ = ["committed_crew", "quick_passwords"]

WORKERS, BATCHES, ROUNDS = 4, 12, 100


def test_each_round_is_committed_to_once(committed_crew: Crew) -> None:
    line = {"kind": "round", "table": "sb-1", "at": OPENING.isoformat(), "body": BODIES["round"]}
    entries = [record("round", line, table="sb-1")] * ROUNDS

    def work(place: int) -> None:
        """The first plays on while the others commit; whoever finds another at it comes again."""
        try:
            for _ in range(BATCHES if place == 0 else 0):
                with transaction.atomic():
                    append("harbour", entries, OPENING)
            while followed_up_to("wager-commitments", "harbour") < size_of("harbour"):
                commit_next(log="harbour", now=OPENING)
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
