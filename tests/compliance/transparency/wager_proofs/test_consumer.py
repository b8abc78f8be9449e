"""The consumer commits to each range of rounds once, in order, whatever the rounds contain."""

from typing import Any

import pytest
from django.db import DatabaseError, transaction

from compliance.config.schedule import PERIODIC_TASKS
from compliance.transparency.wager_proofs.consumer import CONSUMER, MAX_ENTRIES, commit_next_rounds
from compliance.transparency.wager_proofs.models import Commitment
from compliance.transparency.wager_proofs.tasks import COMMIT_TASK, commit_wagers
from rounds.ledger.readers.consumer import position_of, read_entries
from rounds.ledger.readers.search import size_of
from rounds.ledger.verify.verify_log import verify_log
from rounds.ledger.writing.append import correct
from tests.compliance.disputes.disputed_round import Floor
from tests.compliance.transparency.wager_proofs.committed_rounds import (
    LATER,
    commit_all,
    record_line,
    record_rounds,
    wagers,
)


def rounds_of(commitments: list[Commitment]) -> list[int]:
    return [index for each in commitments for index in each.nodes_by_entry()]


def test_every_round_is_in_one_commitment_and_none_in_two(floor: Floor) -> None:
    for _ in range(3):
        record_rounds(MAX_ENTRIES // 2)
        commit_all()
    commitments = commit_all()
    played = [entry.index for entry in read_entries("harbour", 0, 10**6, {"round"})]
    assert rounds_of(commitments) == played
    assert [each.first for each in commitments] == [0, *(each.last for each in commitments[:-1])]
    recorded = read_entries("harbour", 0, 10**6, {"wagers-committed"})
    assert [entry.content() for entry in recorded] == [each.entry_body() for each in commitments]
    assert all(each.rounds <= MAX_ENTRIES for each in commitments)
    assert len({bytes(each.key) for each in commitments}) == len(commitments) >= 3
    assert verify_log("harbour").is_intact


def test_without_a_round_nothing_is_recorded_and_a_second_ring_changes_nothing(floor: Floor) -> None:
    before = size_of("harbour")
    commit_wagers()
    assert size_of("harbour") == before
    floor.play()
    commit_wagers()
    commit_wagers()
    assert size_of("harbour") == before + 2
    assert [each.rounds for each in Commitment.objects.all()] == [1]
    assert COMMIT_TASK in {bell.task for bell in PERIODIC_TASKS}


UNREADABLE: list[dict[str, Any]] = [
    {"body": {"wagers": "none"}},
    {"body": {"wagers": [1]}},
    {"body": {"wagers": [{"id": 7}]}},
    {"body": {"wagers": [{"stake": 7}]}},
    {"body": {"events": [7], "wagers": []}},
    {"body": []},
    {},
]


def test_a_line_that_cannot_be_read_has_no_wagers_here(floor: Floor) -> None:
    for line in UNREADABLE:
        record_line(line)
    [commitment] = commit_all()
    assert commitment.rounds == len(UNREADABLE)
    assert verify_log("harbour").is_intact


def test_rounds_that_are_late_empty_full_and_taken_back(floor: Floor) -> None:
    """A correction is another entry: the round stays committed as recorded."""
    empty, large = floor.play("R-1", wagers=[]), floor.play("R-2", wagers=wagers(3_000))
    commit_all()
    with transaction.atomic():
        correct("harbour", large.entry.index, {"reason": "Sent twice.", "by": "Sid"}, LATER)
    late = floor.play("R-0")
    first, second = commit_all()
    assert list(first.nodes_by_entry()) == [empty.entry.index, large.entry.index]
    assert list(second.nodes_by_entry()) == [late.entry.index]
    assert verify_log("harbour").is_intact


def stretch(**changes: Any) -> Commitment:
    """The commitment that would follow the existing one, with changes."""
    [before] = Commitment.objects.all()
    end, index = before.last, size_of("harbour")
    said = {
        "log": "harbour",
        "first": end,
        "last": end + 1,
        "rounds": 1,
        "root_sha256": "",
        "at": LATER,
        "key": bytes(32),
        "nodes": bytes(40),
        "entry_index": index,
    }
    return Commitment(**said | changes)


def test_the_database_refuses_gaps_second_commitments_and_halves(floor: Floor) -> None:
    record_rounds(3)
    commit_all()
    [commitment] = Commitment.objects.all()
    end = commitment.last
    for changes, guard in (
        ({"first": end + 1, "last": end + 2, "entry_index": end + 9}, "begins where the one before it ended"),
        ({"first": end - 1}, "begins where the one before it ended"),
        ({"first": 0}, "begins where the one before it ended"),
        ({"key": bytes(31)}, "proofs_commitment_is_whole"),
        ({"nodes": bytes(39)}, "proofs_commitment_is_whole"),
        ({"rounds": 2, "nodes": bytes(80)}, "proofs_commitment_is_a_stretch"),
        ({"entry_index": end}, "proofs_commitment_is_a_stretch"),
    ):
        with pytest.raises(DatabaseError, match=guard), transaction.atomic():
            stretch(**changes).save(force_insert=True)
    for act in (commitment.delete, lambda: Commitment.objects.update(key=bytes(32))):
        with pytest.raises(DatabaseError), transaction.atomic():
            act()
    stretch(entry_index=end + 5).save(force_insert=True)


def test_what_comes_in_meanwhile_waits_for_the_next_ring(floor: Floor) -> None:
    """Each commitment is an entry: a worker that did not stop would write one for each. Its limit counts rounds, not
    the other entries between them."""
    record_rounds(MAX_ENTRIES + 10)
    passed = commit_next_rounds(log="harbour", now=LATER)
    [commitment] = Commitment.objects.all()
    assert (commitment.rounds, commitment.last) == (MAX_ENTRIES, passed)
    commit_wagers()
    # Only the entry of the last commitment has not been read yet.
    assert position_of(CONSUMER, "harbour") == size_of("harbour") - 1
