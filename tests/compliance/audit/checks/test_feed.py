"""Checks of the feed: gaps, conflicts, late lines, wrong clocks, silence, rejected lines; and the log's own
signatures."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from pytest_django import Settings

from compliance.audit.models import Block, Finding
from rounds.floor.selectors import ControllerIdentity, identify_controller
from rounds.intake.errors import MalformedLines, SequenceConflict
from rounds.intake.models import Feed
from rounds.intake.protocol.examples import example_line
from rounds.intake.protocol.signature import line_digest
from rounds.intake.protocol.signed_batch import SignedBatch
from rounds.intake.services.batches import receive_batch
from rounds.intake.services.feed_silence import record_silences
from rounds.intake.services.rejected_signatures import record_refused_signature, record_unknown_key
from rounds.ledger.signing.checkpoints import create_key_file, sign_log
from rounds.ledger.writing.append import append, make_entry
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import MBS, wager
from tests.rounds.floor.crew import speaking_controller

pytestmark = pytest.mark.django_db(transaction=True)
NOW = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)
MILLISECOND = timedelta(milliseconds=1)


class Box:
    """The controller of a table, whose batches arrive at given times."""

    def __init__(self, house: House) -> None:
        self.house = house
        controller = speaking_controller(house.crew, house.open_table())
        key = controller.keys.get()
        held = identify_controller(key.key_id, NOW)
        assert held is not None
        self.key: ControllerIdentity = held
        self.record, self.stored_key = controller, key

    def line(self, sequence: int, at: datetime = NOW, kind: str = "sign-removed", **body: Any) -> bytes:
        line = example_line(kind, table="sb-1", sequence=sequence, at=at.isoformat())
        line["body"] = {**line["body"], **body}
        return json.dumps(line).encode()

    def send(self, *lines: bytes, sent: datetime = NOW, received: datetime | None = None) -> None:
        digests = [line_digest(line) for line in lines]
        batch = SignedBatch(self.key.key_id, sent.isoformat(), sent, bytes(64), list(lines), digests)
        receive_batch(batch=batch, key=self.key, now=received or sent)

    def found(self) -> list[str]:
        self.house.audit()
        return self.house.codes()


@pytest.fixture
def box(committed_house: House) -> Box:
    return Box(committed_house)


class TestGaps:
    def test_a_number_that_never_came(self, box: Box) -> None:
        box.send(box.line(1), box.line(2))
        box.send(box.line(5))
        assert box.found() == ["FEED-GAP"]
        finding = Finding.objects.get()
        assert finding.sentence == (
            "Feed of box-1 for sb-1: numbers 3 to 4 are missing; every number from 1 to 5 is expected."
        )
        assert (finding.table, finding.version, finding.clause) == ("sb-1", None, "")

    def test_it_comes_late_and_the_gap_is_closed(self, box: Box) -> None:
        box.send(box.line(1), box.line(3))
        assert box.found() == ["FEED-GAP"]
        box.send(box.line(2))
        assert box.found() == []
        assert "came late" in Finding.objects.get().superseded_reason
        assert Block.objects.get().generation == 2

    def test_the_first_numbers(self, box: Box) -> None:
        box.send(box.line(2))
        assert box.found() == ["FEED-GAP"]
        assert "number 1 is missing" in Finding.objects.get().sentence

    def test_between_what_was_audited_before_and_what_came_since(self, box: Box) -> None:
        box.send(box.line(1), box.line(2))
        assert box.found() == []
        box.send(box.line(4), box.line(5))
        assert box.found() == ["FEED-GAP"]
        assert "number 3 is missing" in Finding.objects.get().sentence
        box.send(box.line(6))
        assert box.found() == ["FEED-GAP"]

    def test_at_one_table_while_another_has_the_same_number(self, box: Box) -> None:
        box.house.open_table("mb-1", rules=MBS)
        for _ in range(3):
            box.house.play((4, 2, 4), wager("small", 2_500, 5_000), table="mb-1")
        box.send(box.line(1), box.line(3))
        assert box.found() == ["FEED-GAP"]
        assert Finding.objects.get().sentence.startswith("Feed of box-1 for sb-1: number 2 is missing")

    def test_without_gaps(self, box: Box) -> None:
        box.send(*[box.line(number) for number in (1, 2, 3)])
        assert box.found() == []

    def test_what_is_in_quarantine_was_sent(self, box: Box) -> None:
        box.send(box.line(1))
        with pytest.raises(MalformedLines):
            box.send(box.line(2).replace(b"sign-removed", b"sign-ramoved"))
        box.send(box.line(3))
        assert box.found() == ["FEED-QUARANTINE"]
        finding = Finding.objects.get()
        assert (finding.table, finding.sentence.split(":")[0]) == (
            "sb-1",
            "Line 2 of sb-1 from box-1 could not be read and is in quarantine",
        )


class TestClocks:
    @pytest.mark.parametrize(
        ("off", "found"),
        [
            (2 * SECOND, []),
            (2 * SECOND + MILLISECOND, ["FEED-SKEW"]),
            (-2 * SECOND, []),
            (-2 * SECOND - MILLISECOND, ["FEED-SKEW"]),
        ],
        ids=["behind-at", "behind-over", "ahead-at", "ahead-over"],
    )
    def test_two_seconds_off_is_the_most(self, box: Box, off: timedelta, found: list[str]) -> None:
        box.send(box.line(1), received=NOW + off)
        assert box.found() == found

    @pytest.mark.parametrize(("off", "said"), [(2_993, "2.993 s behind"), (-2_993, "2.993 s ahead")])
    def test_the_sentence_says_how_far_and_in_which_direction(self, box: Box, off: int, said: str) -> None:
        box.send(box.line(1), received=NOW + off * MILLISECOND)
        assert box.found() == ["FEED-SKEW"]
        assert Finding.objects.get().sentence == f"The clock of box-1 was {said}; 2 s is the most."

    @pytest.mark.parametrize(("late", "found"), [(59, []), (60, []), (61, ["FEED-LATE"])])
    def test_a_line_is_sent_within_a_minute(self, box: Box, late: int, found: list[str]) -> None:
        box.send(box.line(1, NOW - late * SECOND))
        assert box.found() == found

    def test_a_batch_that_was_held_back_is_one_finding_however_it_is_audited(self, box: Box) -> None:
        held_back = [box.line(number, NOW - timedelta(minutes=10)) for number in range(1, 6)]
        box.send(*held_back)
        assert box.found() == ["FEED-LATE"]
        [first] = Finding.objects.values_list("subject_index", flat=True)
        Block.objects.update(audited_to=first + 2, generation=2)
        assert box.found() == ["FEED-LATE"]
        assert Finding.objects.get().sentence == "A line of box-1 came 10 min after it happened; 1 min is the most."

    def test_so_is_a_batch_of_rounds(self, box: Box) -> None:
        held_back = [box.line(number, kind="round", round=f"r-{number}") for number in (1, 2, 3)]
        box.send(*held_back, sent=NOW + timedelta(days=30))
        box.found()
        late = Finding.objects.current().filter(code="FEED-LATE").values_list("subject_index", flat=True)
        [first] = late
        Block.objects.update(audited_to=first + 1, generation=2)
        box.found()
        assert list(late.all()) == [first]

    def test_a_round_that_came_late_did_so_even_if_it_is_taken_back(self, box: Box) -> None:
        box.send(box.line(1, kind="round"), sent=NOW + timedelta(days=30))
        box.found()
        late = Finding.objects.current().filter(code="FEED-LATE")
        [(round_index, sentence)] = late.values_list("subject_index", "sentence")
        box.send(box.line(2, kind="correction", corrects=1, reason="Typed wrongly."))
        assert box.found() == ["FEED-LATE"]
        assert [(round_index, sentence)] == list(late.values_list("subject_index", "sentence"))
        assert Block.objects.get().generation == 2


class TestRefusals:
    def test_a_number_used_twice_for_different_bytes(self, box: Box) -> None:
        box.send(box.line(1))
        with pytest.raises(SequenceConflict):
            box.send(box.line(1, sign="another"))
        assert box.found() == ["FEED-CONFLICT"]
        finding = Finding.objects.get()
        assert len(finding.evidence) == 2

    def test_a_key_that_no_controller_has(self, box: Box) -> None:
        record_unknown_key(key_id="f" * 16, tables={"sb-1"}, now=NOW)
        assert box.found() == ["FEED-SIGNATURE"]
        finding = Finding.objects.get()
        assert finding.table == "sb-1"
        assert finding.sentence == (
            "1 batches under the key of no controller were refused; they claimed to be of sb-1, "
            "whose controllers' keys are others."
        )

    def test_a_signature_that_is_not_the_controllers(self, box: Box) -> None:
        record_refused_signature(key=box.stored_key, why="bad-signature", now=NOW)
        assert box.found() == ["FEED-SIGNATURE"]
        assert Finding.objects.get().table == "sb-1"

    @pytest.mark.parametrize(("seconds", "found"), [(30, []), (31, ["FEED-SILENT"])])
    def test_silence_of_more_than_thirty_seconds(self, box: Box, seconds: int, found: list[str]) -> None:
        box.send(box.line(1, kind="table-opened"))
        record_silences(now=NOW + seconds * SECOND)
        assert box.found() == found
        assert Feed.objects.count() == 1


class TestTheLog:
    def test_a_verification_that_found_something_altered(self, box: Box) -> None:
        body = {
            "log": "harbour",
            "ok": False,
            "first_misfit": {"check": "leaves", "first": 3, "last": 3, "says": "entry 3 does not fit its leaf"},
        }
        with transaction.atomic():
            append("harbour", [make_entry("ledger-verified", body)], NOW)
        assert box.found() == ["LEDGER-BROKEN"]
        assert "entry 3 does not fit its leaf" in Finding.objects.get().sentence

    def test_one_that_found_everything_whole(self, box: Box) -> None:
        with transaction.atomic():
            append(
                "harbour", [make_entry("ledger-verified", {"log": "harbour", "ok": True, "first_misfit": None})], NOW
            )
        assert box.found() == []


class TestSigned:
    @pytest.fixture(autouse=True)
    def _key(self, tmp_path: Path, settings: Settings) -> None:
        settings.LEDGER_KEY_FILE = tmp_path / "ledger.key"
        create_key_file(settings.LEDGER_KEY_FILE)

    @pytest.mark.parametrize(("seconds", "found"), [(180, []), (181, ["CHECKPOINT-LATE"])], ids=["at", "over"])
    def test_within_three_minutes(self, box: Box, seconds: int, found: list[str]) -> None:
        """The first unsigned entry at 9:00:00, the next exactly at the limit or just after it."""
        sign_log("harbour", NOW - SECOND)
        box.send(box.line(1))
        later = NOW + seconds * SECOND
        box.send(box.line(2, later), sent=later)
        assert box.found() == found

    def test_signed_in_time_although_nothing_followed_for_long(self, box: Box) -> None:
        sign_log("harbour", NOW - SECOND)
        box.send(box.line(1))
        sign_log("harbour", NOW + 60 * SECOND)
        later = NOW + timedelta(hours=1)
        box.send(box.line(2, later), sent=later)
        assert box.found() == []

    def test_signed_too_late_although_nothing_followed_meanwhile(self, box: Box) -> None:
        sign_log("harbour", NOW - SECOND)
        box.send(box.line(1))
        sign_log("harbour", NOW + timedelta(minutes=10))
        later = NOW + timedelta(hours=1)
        box.send(box.line(2, later), sent=later)
        assert box.found() == ["CHECKPOINT-LATE"]
