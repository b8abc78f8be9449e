"""A signed batch becomes entries, byte for byte and once; its receipts can be recomputed."""

import gzip
import json
from hashlib import sha256

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from rounds.floor.selectors import identify_controller
from rounds.intake.models import Batch, Feed
from rounds.intake.protocol.envelope import parse_line
from rounds.intake.services.feed_state import feed_updates, update_feeds
from rounds.ledger.entry import LogEntry
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.verify.verify_log import verify_log
from rounds.transparency_log.formats.signed_note import VerifierKey, open_checkpoint
from rounds.transparency_log.tree.merkle import TreeHead, verify_inclusion
from tests.rounds.floor.crew import Crew
from tests.rounds.intake.controller_client import TABLE, Feeder, feeder_at


def entries_of_controllers(log: str = "harbour") -> list[LogEntry]:
    return [entry for entry in read_entries(log, 0, 10**6) if entry.controller]


def test_lines_become_entries_byte_for_byte_and_each_gets_a_receipt(feeder: Feeder) -> None:
    lines = [feeder.line("table-opened"), feeder.line(), feeder.line()]
    response = feeder.send(*lines)
    assert response.status_code == 200, response.content
    entries = entries_of_controllers()
    assert [entry.body for entry in entries] == lines
    assert [(entry.kind, entry.table, entry.controller, entry.sequence) for entry in entries] == [
        ("table-opened", "sb-1", "box-1", 1),
        ("round", "sb-1", "box-1", 2),
        ("round", "sb-1", "box-1", 3),
    ]
    answer = response.json()
    assert (answer["log"], answer["controller"]) == ("harbour", "box-1")
    assert [(one["line"], one["sequence"], one["index"]) for one in answer["receipts"]] == [
        (place, place, entry.index) for place, entry in enumerate(entries, 1)
    ]


def test_a_receipt_has_all_it_takes_to_work_out_the_leaf(feeder: Feeder) -> None:
    line = feeder.line()
    answer = feeder.send(line).json()
    [receipt] = answer["receipts"]
    header = json.dumps(
        {
            "controller": answer["controller"],
            "kind": receipt["kind"],
            "log": answer["log"],
            "recorded_at": receipt["recorded_at"],
            "schema": answer["schema"],
            "sequence": receipt["sequence"],
            "table": receipt["table"],
        },
        separators=(",", ":"),
    )
    assert sha256(b"\x00" + header.encode() + b"\n" + line).hexdigest() == receipt["leaf_sha256"]


def test_the_same_batch_again_gives_the_same_receipts_and_changes_nothing(feeder: Feeder) -> None:
    lines = [feeder.line(), feeder.line()]
    first, again = feeder.send(*lines), feeder.send(*lines)
    assert first.json()["receipts"] == again.json()["receipts"]
    assert len(entries_of_controllers()) == 2
    assert Batch.objects.count() == 1
    assert Feed.objects.get().accepted == 2


def test_of_a_batch_with_old_and_new_lines_the_new_ones_are_appended(feeder: Feeder) -> None:
    old, new = feeder.line(), feeder.line()
    [before] = feeder.send(old).json()["receipts"]
    after = feeder.send(old, new, new).json()["receipts"]
    assert {**after[0], "line": 1} == before
    assert after[1]["index"] == after[2]["index"] > before["index"]
    assert [entry.body for entry in entries_of_controllers()] == [old, new]


def test_with_wait_the_receipt_is_proved_against_a_checkpoint_signed_now(feeder: Feeder) -> None:
    answer = feeder.send(feeder.line(), feeder.line(), query="?wait=checkpoint").json()
    checkpoint = open_checkpoint(answer["checkpoint"].encode(), VerifierKey.parse(answer["verifier"]))
    assert checkpoint.origin == "localhost/harbour"
    for receipt in answer["receipts"]:
        proof = [bytes.fromhex(one) for one in receipt["inclusion_proof"]]
        verify_inclusion(bytes.fromhex(receipt["leaf_sha256"]), receipt["index"], TreeHead(*checkpoint.head), proof)


def test_two_who_wait_within_a_second_do_not_sign_twice_for_one_size(feeder: Feeder) -> None:
    line = feeder.line()
    first, again = (feeder.send(line, query="?wait=checkpoint").json() for _ in range(2))
    assert first["checkpoint"] == again["checkpoint"]


def test_gzip_is_taken(feeder: Feeder) -> None:
    lines = [feeder.line(), feeder.line()]
    body = gzip.compress(b"\n".join(lines))
    response = feeder.post(body, {**feeder.headers(lines), "Content-Encoding": "gzip"})
    assert response.status_code == 200
    assert [entry.body for entry in entries_of_controllers()] == lines


def test_a_heartbeat_is_a_sign_of_life_and_no_entry(feeder: Feeder) -> None:
    feeder.sequences[TABLE] = 7
    [receipt] = feeder.send(feeder.line("heartbeat")).json()["receipts"]
    assert receipt == {"line": 1, "kind": "heartbeat", "table": "sb-1", "sequence": 7}
    assert entries_of_controllers() == []
    feed = Feed.objects.get()
    assert (feed.announced_sequence, feed.accepted, feed.missing_count) == (7, 0, 7)
    assert feed.last_heartbeat_at == feed.last_seen_at


def test_a_feed_knows_what_is_missing_and_that_late_lines_fill_the_gap(feeder: Feeder) -> None:
    feeder.send(feeder.line_at(1), feeder.line_at(4), feeder.line_at(5))
    assert Feed.objects.get().missing_count == 2
    assert feeder.send(feeder.line_at(3)).status_code == 200
    assert Feed.objects.get().missing_count == 1
    feeder.send(feeder.line_at(2))
    assert Feed.objects.get().missing_count == 0


def test_opening_and_closing_follow_the_sequence_not_the_order_of_arrival(feeder: Feeder) -> None:
    feeder.send(feeder.line_at(4, "table-closed"))
    feeder.send(feeder.line_at(3, "table-opened"))
    assert Feed.objects.get().is_open is False


def test_each_table_has_its_own_sequence(crew: Crew) -> None:
    feeder = feeder_at(crew, "sb-1", "sb-2")
    response = feeder.send(feeder.line(table="sb-2"), feeder.line(table="sb-1"), feeder.line(table="sb-2"))
    assert [(one["table"], one["sequence"]) for one in response.json()["receipts"]] == [
        ("sb-2", 1),
        ("sb-1", 1),
        ("sb-2", 2),
    ]
    assert list(Feed.objects.values_list("table", "accepted")) == [("sb-1", 1), ("sb-2", 2)]


def test_batches_that_are_recorded_together_each_move_their_feed(
    feeder: Feeder, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    now = timezone.now()
    key = identify_controller(feeder.key_id, now)
    assert key is not None
    batches = [[feeder.line("table-opened"), feeder.line()], [feeder.line()], [feeder.line(table="sb-2")]]
    moves = [
        move
        for batch in batches
        for move in feed_updates(key, [parse_line(line) for line in batch], sent_at=now, now=now)
    ]
    # One statement for the first update of each table, another for the second update of sb-1.
    with django_assert_num_queries(2):
        update_feeds(moves)
    assert list(Feed.objects.values_list("table", "accepted", "last_sequence", "is_open")) == [
        ("sb-1", 3, 3, True),
        ("sb-2", 1, 1, None),
    ]


def test_a_controllers_correction_is_an_entry_that_takes_nothing_back_by_itself(feeder: Feeder) -> None:
    feeder.send(feeder.line(), feeder.line("correction", corrects=1))
    assert [entry.kind for entry in entries_of_controllers()] == ["round", "controller-correction"]


def test_the_whole_log_verifies_with_its_batches(feeder: Feeder) -> None:
    feeder.send(*(feeder.line() for _ in range(5)))
    feeder.send(feeder.line("heartbeat"), feeder.line("fault"))
    assert verify_log("harbour").issues == ()


def test_a_batch_cannot_be_changed_by_the_service(feeder: Feeder) -> None:
    feeder.send(feeder.line())
    for statement in ("UPDATE intake_batch SET key_id = 'x'", "DELETE FROM intake_batch", "TRUNCATE intake_batch"):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
