"""A table's report becomes a fact, right or wrong, and is retracted when its controller corrects it."""

import json
from datetime import datetime
from typing import Any

import pytest
from django.db import connection, transaction

from rounds.floor.fact_values import (
    DecksValue,
    DiceInUseValue,
    LimitsValue,
    PostedOddsValue,
    ShakerInUseValue,
    SmallestChipValue,
)
from rounds.floor.models import Fact, Table
from rounds.floor.selectors import facts_at, table_fact_history
from rounds.floor.services import retract_fact
from rounds.intake.consumer import verify_rows
from rounds.intake.tasks import consume_controller_reports
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.writing.append import NewEntry, append
from tests.compliance.core.accounts.people import browser_of
from tests.conftest import superuser
from tests.rounds.floor.crew import HOUR, JUST_BEFORE, OPENING, Crew, new_table, record_table_fact, table_under


class Box:
    """A controller whose lines are already in the log."""

    def __init__(self, table: Table) -> None:
        self.table, self.sequence = table, 0

    def says(self, kind: str, at: datetime = OPENING, **body: Any) -> int:
        """Appends a line; returns its sequence number."""
        self.sequence += 1
        envelope = {"kind": kind, "table": self.table.slug, "sequence": self.sequence, "at": at.isoformat()}
        line = json.dumps({**envelope, "body": body}).encode()
        recorded_as = "controller-correction" if kind == "correction" else kind
        entry = NewEntry(kind=recorded_as, body=line, table=self.table.slug, controller="box-1", sequence=self.sequence)
        with transaction.atomic():
            append("harbour", [entry], at)
        return self.sequence


@pytest.fixture
def table(crew: Crew) -> Table:
    return new_table(crew)


@pytest.fixture
def box(table: Table) -> Box:
    return Box(table)


def test_limits_govern_from_the_instant_on_the_controllers_clock(table: Table, box: Box) -> None:
    box.says("limits-changed", OPENING + HOUR, limits={"min": 1_000, "max": 50_000, "payable_unit": 250})
    consume_controller_reports()
    assert facts_at(table, OPENING + HOUR + JUST_BEFORE).get(LimitsValue) is None
    facts = facts_at(table, OPENING + HOUR)
    assert facts.get(LimitsValue) == LimitsValue(min=1_000, max=50_000)
    assert facts.get(SmallestChipValue) == SmallestChipValue(cents=250)
    fact = facts.rows["limits"]
    assert (fact.by, fact.sequence) == ("controller box-1", 1)
    assert read_entries("harbour", fact.entry_index, fact.entry_index + 1)[0].kind == "limits-changed"


def test_what_breaks_a_rule_is_recorded_as_it_was(crew: Crew) -> None:
    table = table_under(crew, "licensee-sic-bo")
    box = Box(table)
    box.says("posted-odds-shown", odds={"total:4": "45 to 1", "total:5": "18 for 1"})
    box.says("limits-changed", limits={"min": 5_000, "max": 1_000})
    consume_controller_reports()
    facts = facts_at(table, OPENING)
    assert facts.get(PostedOddsValue) == PostedOddsValue(odds={"total:4": "45 to 1", "total:5": "18 for 1"})
    assert facts.get(LimitsValue) == LimitsValue(min=5_000, max=1_000)


def test_a_brochure_is_not_what_the_table_posts(table: Table, box: Box) -> None:
    box.says("posted-odds-shown", odds={"total:4": "60 to 1"}, where="brochure")
    consume_controller_reports()
    assert facts_at(table, OPENING).get(PostedOddsValue) is None


def test_dice_shakers_and_decks_come_and_go(table: Table, box: Box) -> None:
    box.says("dice-placed", dice="set-1", shaker="shaker-2")
    box.says("shaker-placed", shaker="shaker-2", type="automated")
    box.says("shoe-changed", shoe="shoe-7", decks=4)
    box.says("dice-removed", OPENING + HOUR, dice="set-1", reason="time")
    box.says("shaker-removed", OPENING + HOUR, shaker="shaker-2", type="automated")
    consume_controller_reports()
    before, after = facts_at(table, OPENING), facts_at(table, OPENING + HOUR)
    assert before.get(DiceInUseValue) == DiceInUseValue(dice="set-1")
    assert before.get(ShakerInUseValue) == ShakerInUseValue(shaker="shaker-2", type="automated")
    assert before.get(DecksValue) == DecksValue(decks=4)
    assert after.get(DiceInUseValue) == DiceInUseValue(dice=None)
    assert after.get(ShakerInUseValue) == ShakerInUseValue(shaker=None)


def test_a_set_that_leaves_after_its_successor_came_leaves_the_successor_in_use(table: Table, box: Box) -> None:
    box.says("dice-placed", dice="set-1")
    box.says("dice-placed", OPENING + HOUR, dice="set-2")
    box.says("dice-removed", OPENING + 2 * HOUR, dice="set-1")
    consume_controller_reports()
    assert facts_at(table, OPENING + 2 * HOUR).get(DiceInUseValue) == DiceInUseValue(dice="set-2")


def test_a_controller_takes_its_own_line_back_by_its_number(crew: Crew, table: Table, box: Box) -> None:
    record_table_fact(crew, table, LimitsValue(min=500, max=50_000))
    wrong = box.says("limits-changed", OPENING + HOUR, limits={"min": 1_000, "max": 50_000, "payable_unit": 250})
    consume_controller_reports()
    box.says("correction", OPENING + 2 * HOUR, corrects=wrong, reason="Read wrongly.", by={"position": "dealer"})
    consume_controller_reports()
    assert facts_at(table, OPENING + HOUR).get(LimitsValue) == LimitsValue(min=500, max=50_000)
    assert facts_at(table, OPENING + HOUR).get(SmallestChipValue) is None
    assert table_fact_history(table, "limits")[0].taken_back.by_name == "controller box-1"


def test_a_person_takes_back_what_a_controller_reported_with_all_it_stated(crew: Crew, table: Table, box: Box) -> None:
    box.says("limits-changed", limits={"min": 1_000, "max": 50_000, "payable_unit": 250})
    consume_controller_reports()
    retract_fact(fact=Fact.objects.get(name="limits"), reason="Test line.", actor=crew.sid, now=OPENING + HOUR)
    consume_controller_reports()
    assert facts_at(table, OPENING).rows == {}


def test_ringing_twice_or_late_changes_nothing(table: Table, box: Box) -> None:
    for hour in range(3):
        box.says("limits-changed", OPENING + hour * HOUR, limits={"min": 1_000 + hour, "max": 50_000})
        consume_controller_reports()
        consume_controller_reports()
    assert Fact.objects.count() == 3


def test_a_report_that_cannot_be_read_does_not_stop_the_ones_behind_it(table: Table, box: Box) -> None:
    box.says("limits-changed", limits={"least": 5})
    box.says("limits-changed", limits={"min": 1_000, "max": 50_000})
    consume_controller_reports()
    assert facts_at(table, OPENING).get(LimitsValue) == LimitsValue(min=1_000, max=50_000)


class TestReadAgain:
    def found(self) -> list[str]:
        return [sentence for _, sentence in verify_rows("harbour", 0, 100, read_entries("harbour", 0, 100))]

    def test_facts_agree_with_their_entries_also_before_the_last_were_followed(self, table: Table, box: Box) -> None:
        box.says("limits-changed", limits={"min": 1_000, "max": 50_000})
        box.says("dice-placed", dice="set-2")
        box.says("dice-removed", dice="set-1")
        consume_controller_reports()
        box.says("limits-changed", limits={"min": 2_000, "max": 50_000})
        assert self.found() == []

    @pytest.mark.parametrize(
        ("statement", "sentence"),
        [
            ('UPDATE floor_fact SET value = \'{"min": 1, "max": 50000}\'', "now says something else"),
            ("UPDATE floor_fact SET effective_at = effective_at + interval '1 s'", "now says something else"),
            ("DELETE FROM floor_fact", "has lost its fact limits"),
            ("UPDATE floor_fact SET entry_index = 99", "claims to come from it"),
        ],
    )
    def test_a_fact_that_was_tampered_with_is_found(self, crew: Crew, statement: str, sentence: str) -> None:
        Box(new_table(crew)).says("limits-changed", limits={"min": 1_000, "max": 50_000})
        consume_controller_reports()
        assert self.found() == []
        with superuser(connection.settings_dict["NAME"]) as admin:
            admin.execute("SET session_replication_role = replica")
            admin.execute("ALTER TABLE floor_fact DISABLE TRIGGER ALL")
            admin.execute(statement)
            admin.execute("ALTER TABLE floor_fact ENABLE TRIGGER ALL")
            for guard in ("floor_no_delete", "floor_no_truncate", "floor_no_change"):
                admin.execute(f"ALTER TABLE floor_fact ENABLE ALWAYS TRIGGER {guard}")
        assert any(sentence in found for found in self.found())


def test_odds_reported_below_the_minimum_are_kept_and_marked_on_the_tables_page(crew: Crew) -> None:
    box = Box(table_under(crew, "licensee-sic-bo"))
    page = "/casinos/harbour/floor/tables/sb-1/"
    box.says("posted-odds-shown", OPENING + HOUR, where="layout", odds={"total:4": "45 to 1", "total:5": "18 to 1"})
    consume_controller_reports()
    shown = browser_of(crew.sid).get(page).content.decode()
    assert "total:4 is posted at 45 to 1, below the minimum of 50 to 1 in clause 4(b)" in shown
    assert shown.count("Breaks the rules") == 1
    box.says("posted-odds-shown", OPENING + 2 * HOUR, where="layout", odds={"total:4": "50 to 1"})
    consume_controller_reports()
    assert "Breaks the rules" not in browser_of(crew.sid).get(page).content.decode()
