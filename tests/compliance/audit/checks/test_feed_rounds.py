"""Rounds that contradict each other: a name used twice in a gaming day, and rounds that overlap."""

from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from compliance.audit.context.entry_source import NoEntries
from compliance.audit.context.rules_in_force import approved_versions
from compliance.audit.models import BLOCK_ENTRIES, Block, Finding
from compliance.audit.run.evaluate_in_memory import evaluate_in_memory
from rounds.intake.entry_kinds import ROUND
from rounds.intake.protocol.envelope import encode_line
from rounds.intake.protocol.fields import Staff
from rounds.intake.protocol.round import Round
from rounds.intake.protocol.table import Correction
from rounds.ledger import read_entries, size_of
from rounds.ledger.writing.append import NewEntry, append, correct
from tests.compliance.audit.house import CONTROLLER, NOW, House, shifted
from tests.compliance.audit.round_builders import LICENSEE, MBS, NSW, RWS, SKYCITY, START, build_round, void
from tests.compliance.audit.run.test_superseded_findings import fill_up_to

pytestmark = pytest.mark.django_db
OWN = "FEED-ROUND-"
RULES = (NSW, RWS, MBS, SKYCITY, LICENSEE)
DICE = (1, 2, 4)
MILLISECOND, MINUTE, DAY = timedelta(milliseconds=1), timedelta(minutes=1), timedelta(days=1)
# When the result of a round is shown, after its beginning.
RESULT_AFTER = {NSW: 40, RWS: 50, MBS: 40, SKYCITY: 40, LICENSEE: 50}


def codes(house: House) -> list[str]:
    """The codes of reported rounds. Entries that are not stored must give the same."""
    house.audit()
    entries = read_entries(house.casino.slug, 0, size_of(house.casino.slug))
    drafts = evaluate_in_memory(NoEntries(house.casino, approved_versions(house.casino)), entries)
    found = sorted((each.index, each.code, each.sentence) for each in drafts if each.code.startswith(OWN))
    rows = Finding.objects.current().filter(code__startswith=OWN).order_by("subject_index", "code")
    assert [(row.subject_index, row.code, row.sentence) for row in rows] == found
    return [row.code for row in rows]


def report(house: House, name: str, later: timedelta = timedelta(), table: str = "sb-1", **rest: Any) -> int:
    body = build_round(house.rules[table], DICE, round=name, **rest)
    return house.report("round", shifted(body, later), table=table)


def report_as(house: House, controller: str | None, body: Round, at: datetime) -> int:
    """A round in the line of another controller, or of an import."""
    line = encode_line(kind="round", table="sb-1", sequence=500, at=at, body=body)
    with transaction.atomic():
        entry = NewEntry(kind=ROUND, body=line, table="sb-1", controller=controller, sequence=500)
        [receipt] = append(house.casino.slug, [entry], NOW)
    return receipt.index


def take_back(house: House, index: int) -> None:
    with transaction.atomic():
        correct(house.casino.slug, index, {"reason": "Never played.", "by": {"id": 1, "name": "Sid"}}, NOW)


class TestNames:
    @pytest.mark.parametrize("rules", RULES)
    @pytest.mark.parametrize(
        ("name", "day", "found"),
        [("r-1", 0, ["FEED-ROUND-NAME"]), ("r-2", 0, []), ("r-1", 1, []), ("R-1", 0, [])],
        ids=["same-name", "another-name", "another-day", "another-letter"],
    )
    def test_a_name_is_used_once_in_a_gaming_day(
        self, house: House, rules: str, name: str, day: int, found: list[str]
    ) -> None:
        house.open_table(rules=rules)
        first = report(house, "r-1")
        second = report(house, name, 5 * MINUTE + day * DAY, gaming_day=START.date() + day * DAY)
        assert codes(house) == found
        for finding in Finding.objects.all():
            assert (finding.subject_index, finding.evidence, finding.clause) == (second, [second, first], "")
            assert finding.sentence == (
                f"Round r-1 of sb-1 was reported before, as entry {first}; a name is used once in a gaming day."
            )

    def test_every_further_use_is_found(self, house: House) -> None:
        house.open_table()
        first, *others = [report(house, "r-1", number * MINUTE * 5) for number in range(3)]
        assert codes(house) == ["FEED-ROUND-NAME"] * 2
        assert [row.evidence for row in Finding.objects.order_by("subject_index")] == [[each, first] for each in others]

    def test_two_tables_may_use_the_same_name(self, house: House) -> None:
        house.open_table()
        house.open_table("mb-1", rules=MBS)
        report(house, "r-1")
        report(house, "r-1", table="mb-1")
        assert codes(house) == []

    def test_a_round_that_was_taken_back_does_not_count(self, house: House) -> None:
        house.open_table()
        report(house, "r-1")
        house.report(
            "correction", Correction(corrects=1, reason="A wrong player.", by=Staff(position="games-supervisor"))
        )
        report(house, "r-1")
        assert codes(house) == []

    def test_the_first_is_taken_back_in_an_earlier_block(self, house: House) -> None:
        house.open_table()
        first = report(house, "r-1")
        fill_up_to(house, BLOCK_ENTRIES)
        report(house, "r-1", 5 * MINUTE)
        assert codes(house) == ["FEED-ROUND-NAME"]
        take_back(house, first)
        assert codes(house) == []
        assert f"takes entry {first} back" in Finding.objects.get().superseded_reason
        assert list(Block.objects.order_by("number").values_list("generation", flat=True)) == [2, 2]


class TestOverlaps:
    @pytest.mark.parametrize("rules", RULES)
    @pytest.mark.parametrize(
        ("off", "found"),
        [(-MILLISECOND, ["FEED-ROUND-OVERLAP"]), (timedelta(), []), (MILLISECOND, [])],
        ids=["before-the-result", "at-the-result", "after-the-result"],
    )
    def test_no_round_begins_before_the_last_has_a_result(
        self, house: House, rules: str, off: timedelta, found: list[str]
    ) -> None:
        house.open_table(rules=rules)
        first = report(house, "r-1")
        second = report(house, "r-2", timedelta(seconds=RESULT_AFTER[rules]) + off)
        assert codes(house) == found
        for finding in Finding.objects.filter(code="FEED-ROUND-OVERLAP"):
            assert (finding.subject_index, finding.evidence, finding.clause) == (second, [second, first], "")
            assert finding.sentence == (
                "Round r-2 of sb-1 overlaps round r-1: each began before the other had a result."
            )

    @pytest.mark.parametrize("rules", RULES)
    @pytest.mark.parametrize(("off", "found"), [(-MILLISECOND, []), (timedelta(), []), (MILLISECOND, True)])
    def test_the_earlier_round_may_be_recorded_later(
        self, house: House, rules: str, off: timedelta, found: object
    ) -> None:
        house.open_table(rules=rules)
        report(house, "r-1", timedelta(hours=1))
        late = report(house, "r-2", timedelta(hours=1) - timedelta(seconds=RESULT_AFTER[rules]) + off)
        assert codes(house) == (["FEED-ROUND-OVERLAP"] if found else [])
        assert set(Finding.objects.values_list("subject_index", flat=True)) == ({late} if found else set())

    def test_one_round_over_several(self, house: House) -> None:
        """Whatever block each round is in, each is compared with those that were recorded before it."""
        house.open_table()
        short = report(house, "r-1", 10 * MINUTE)
        long = build_round(NSW, DICE, round="r-2")
        first, *others = long.events
        spread = tuple(msgspec.structs.replace(one, at=one.at + timedelta(hours=1)) for one in others)
        longest = house.report("round", msgspec.structs.replace(long, events=(first, *spread)))
        third = report(house, "r-3", 20 * MINUTE)
        assert codes(house) == ["FEED-ROUND-OVERLAP"] * 2
        rows = Finding.objects.order_by("subject_index")
        assert [row.evidence for row in rows] == [[longest, short], [third, longest]]

    def test_rounds_in_different_blocks(self, house: House) -> None:
        house.open_table()
        first = report(house, "r-1")
        fill_up_to(house, BLOCK_ENTRIES)
        second = report(house, "r-2", timedelta(seconds=30))
        assert codes(house) == ["FEED-ROUND-OVERLAP"]
        take_back(house, first)
        assert codes(house) == []
        report(house, "r-1", -5 * MINUTE)
        assert codes(house) == []
        assert Finding.objects.get().subject_index == second

    @pytest.mark.parametrize(("seconds", "found"), [(41, []), (30, []), (29, ["FEED-ROUND-OVERLAP"])])
    def test_two_controllers_have_two_clocks(self, house: House, seconds: int, found: list[str]) -> None:
        """The result is shown after forty seconds; ten seconds are the tolerance of clocks."""
        house.open_table()
        report(house, "r-1")
        body = shifted(build_round(NSW, DICE, round="r-2"), timedelta(seconds=seconds))
        report_as(house, "box-2", body, NOW)
        assert codes(house) == found

    @pytest.mark.parametrize(("controller", "found"), [("import:a-1", []), (CONTROLLER, ["FEED-ROUND-OVERLAP"])])
    def test_rounds_from_a_file_have_no_exact_times(self, house: House, controller: str, found: list[str]) -> None:
        house.open_table()
        report(house, "r-1")
        body = shifted(build_round(NSW, DICE, round="r-2"), timedelta(seconds=5))
        report_as(house, controller, body, NOW)
        assert codes(house) == found

    def test_a_round_without_a_result_lasts_until_its_last_event(self, house: House) -> None:
        house.open_table()
        events = build_round(NSW, DICE).events[:3]
        body = build_round(NSW, None, round="r-1", **void("not-flat"))
        house.report("round", msgspec.structs.replace(body, events=events))
        report(house, "r-2", timedelta(seconds=30) - MILLISECOND)
        report(house, "r-3", timedelta(seconds=75))
        assert codes(house) == ["FEED-ROUND-OVERLAP"]


def test_the_number_of_statements_does_not_depend_on_the_rounds(house: House) -> None:
    counts = []
    house.open_table()
    for rounds in (2, 20):
        for _ in range(rounds):
            house.play(DICE)
        with CaptureQueriesContext(connection) as queries:
            house.audit()
        counts.append(len(queries))
    assert counts[1] <= counts[0]
