"""Appended entries get consecutive indexes and correct leaf hashes, all or none; a refused one never takes the lock."""

import json
from datetime import UTC, datetime

import pytest
from django.db import transaction
from pytest_django import DjangoAssertNumQueries

from rounds.ledger.models import Tile
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.storage import consistency_proof, get_log, head_of, inclusion_proof, root_at
from rounds.ledger.writing.append import NewEntry, SequenceTaken, append, correct, make_entry, open_log
from rounds.transparency_log.errors import EntryError
from rounds.transparency_log.tree.merkle import TreeHead, leaf_hash, root_of, verify_consistency, verify_inclusion
from tests.entry_kinds import NOTE

NOW = datetime(2026, 11, 16, 9, 30, 0, 123456, tzinfo=UTC)
pytestmark = pytest.mark.django_db


def note(number: int) -> NewEntry:
    return make_entry(NOTE, {"number": number}, table="T1")


def from_controller(sequence: int, body: bytes = b'{"n":1}') -> NewEntry:
    return NewEntry(kind=NOTE, body=body, table="T1", controller="C1", sequence=sequence)


@pytest.fixture
def log(db: None) -> str:
    open_log("harbour", NOW)
    return "harbour"


def test_a_receipt_carries_index_and_leaf_hash_of_the_exact_bytes(log: str) -> None:
    body = b'{ "spacing" : "is kept" }'
    [first] = append(log, [note(1)], NOW)
    [second] = append(log, [from_controller(7, body)], NOW)
    assert (first.index, second.index) == (0, 1)
    header = (
        b'{"controller":"C1","kind":"test-note","log":"harbour","recorded_at":"2026-11-16T09:30:00.123456Z",'
        b'"schema":1,"sequence":7,"table":"T1"}'
    )
    assert second.leaf_sha256 == leaf_hash(header + b"\n" + body)
    [stored] = read_entries(log, 1, 2)
    assert stored.body == body
    assert stored.leaf_sha256 == second.leaf_sha256


def test_the_head_is_the_root_of_all_leaves_and_proofs_verify_across_tile_borders(log: str) -> None:
    leaves: list[bytes] = []
    for size in (1, 254, 1, 1, 300, 65536 - 557, 3):
        leaves += [receipt.leaf_sha256 for receipt in append(log, [note(n) for n in range(size)], NOW)]
    stored = get_log(log)
    head = head_of(stored)
    assert head == TreeHead(65539, root_of(leaves))
    assert set(Tile.objects.filter(log=stored, level=1).values_list("index", flat=True)) == {0}
    for index in (0, 255, 256, 65535, 65536, 65538):
        verify_inclusion(leaves[index], index, head, inclusion_proof(stored, index, head.size))
    for size in (1, 255, 256, 257, 65536, 65538):
        before = TreeHead(size, root_of(leaves[:size]))
        assert root_at(stored, size) == before.root
        verify_consistency(before, head, consistency_proof(stored, size, head.size))


def test_a_rolled_back_caller_leaves_no_hole(log: str) -> None:
    append(log, [note(1)], NOW)
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        append(log, [note(2), note(3)], NOW)
        raise ZeroDivisionError
    [receipt] = append(log, [note(4)], NOW)
    assert receipt.index == 1
    assert [json.loads(entry.body)["number"] for entry in read_entries(log, 0, 10)] == [1, 4]


@pytest.mark.parametrize(
    ("entry", "code", "field"),
    [
        (NewEntry(kind="hearsay", body=b"{}"), "unknown-kind", "/kind"),
        (NewEntry(kind=NOTE, body=b"\xff{}"), "not-utf-8", ""),
        (NewEntry(kind=NOTE, body=b'{"a":1,"a":2}'), "repeated-member", "/a"),
        (NewEntry(kind=NOTE, body=b'{"a":{"b":NaN}}'), "not-a-number", "/a/b"),
        (NewEntry(kind=NOTE, body=b'{"a":[0,9007199254740993]}'), "integer-too-large", "/a/1"),
        (NewEntry(kind=NOTE, body=b'{"a":"' + b"x" * 3 * 2**20 + b'"}'), "too-large", ""),
        (NewEntry(kind=NOTE, body=b"[]"), "not-an-object", ""),
    ],
)
def test_bad_input_is_refused_before_the_lock_and_names_the_field(
    log: str, entry: NewEntry, code: str, field: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0), pytest.raises(EntryError) as refused:
        append(log, [note(1), entry], NOW)
    assert (refused.value.code, refused.value.field) == (code, field)
    assert head_of(get_log(log)).size == 0


def test_a_sequence_is_used_once_for_ever(log: str) -> None:
    append(log, [from_controller(1), from_controller(2)], NOW)
    with pytest.raises(SequenceTaken), transaction.atomic():
        append(log, [from_controller(3), from_controller(2, b'{"n":2}')], NOW)
    open_log("marina", NOW)
    assert [receipt.index for receipt in append("marina", [from_controller(2)], NOW)] == [0]
    assert [receipt.index for receipt in append(log, [from_controller(3)], NOW)] == [2]


def test_acts_of_people_have_no_sequence_and_never_collide(log: str) -> None:
    assert [receipt.index for receipt in append(log, [note(1), note(1), note(1)], NOW)] == [0, 1, 2]


def test_an_entry_is_taken_back_at_most_once(log: str) -> None:
    append(log, [note(1), note(2)], NOW)
    receipt = correct(log, 1, {"reason": "Counted twice.", "by": "supervisor"}, NOW)
    [correction] = read_entries(log, receipt.index, receipt.index + 1)
    assert correction.content() == {"reason": "Counted twice.", "by": "supervisor", "corrects": 1}
    for index, reason, code in ((1, "Again.", "already-corrected"), (9, "None.", "nothing-to-correct")):
        with pytest.raises(EntryError) as refused, transaction.atomic():
            correct(log, index, {"reason": reason, "by": "supervisor"}, NOW)
        assert refused.value.code == code
    with pytest.raises(EntryError, match="says why it is made and by whom"):
        correct(log, 0, {"reason": "", "by": "supervisor"}, NOW)
    assert head_of(get_log(log)).size == 3


@pytest.mark.parametrize(
    ("index", "code"), [(1, "already-corrected"), (3, "nothing-to-correct"), (-1, "nothing-to-correct")]
)
def test_a_refused_correction_leaves_no_trace_though_the_caller_goes_on(log: str, index: int, code: str) -> None:
    append(log, [note(1), note(2)], NOW)
    correct(log, 1, {"reason": "Counted twice.", "by": "supervisor"}, NOW)
    before = head_of(get_log(log))
    with transaction.atomic():
        with pytest.raises(EntryError) as refused:
            correct(log, index, {"reason": "Again.", "by": "supervisor"}, NOW)
        assert refused.value.code == code
    assert head_of(get_log(log)) == before


@pytest.mark.parametrize(("body", "field"), [({"by": "supervisor"}, "/reason"), ({"reason": "Counted twice."}, "/by")])
def test_a_correction_without_reason_or_person_names_what_is_missing(
    log: str, body: dict[str, str], field: str
) -> None:
    append(log, [note(1)], NOW)
    with pytest.raises(EntryError, match="says why it is made and by whom") as refused:
        correct(log, 0, body, NOW)
    assert refused.value.field == field


def test_a_correction_cannot_be_appended_past_the_list_of_what_was_taken_back(log: str) -> None:
    append(log, [note(1)], NOW)
    with pytest.raises(EntryError, match="is recorded by correct"):
        append(log, [make_entry("correction", {"corrects": 0, "reason": "x", "by": "y"})], NOW)


@pytest.mark.django_db(transaction=True)
def test_appending_outside_a_transaction_is_a_mistake_of_the_caller() -> None:
    open_log("harbour", NOW)
    with pytest.raises(RuntimeError, match="belongs inside the transaction"):
        append("harbour", [note(1)], NOW)
    with pytest.raises(RuntimeError, match="belongs inside the transaction"):
        correct("harbour", 0, {"reason": "Counted twice.", "by": "supervisor"}, NOW)
