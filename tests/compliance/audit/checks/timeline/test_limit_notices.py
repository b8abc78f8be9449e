"""NSW 4.5: a higher minimum needs a sign with the new minimum and the time, up for twenty minutes before."""

from pathlib import Path
from typing import Any

import pytest

from compliance.audit.models import Finding
from rounds.floor.fact_values import LimitsValue
from rounds.intake.protocol.fields import BetLimits, Position, Staff
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import LICENSEE, MBS, RWS, SKYCITY
from tests.compliance.audit.table_lines import TableReporter, after
from tests.compliance.tables.signs.builders import use_rules_with_pausing_clock

pytestmark = pytest.mark.django_db
USUAL = LimitsValue(min=500, max=50_000)


@pytest.fixture
def table(house: House) -> TableReporter:
    house.open_table(limits=USUAL)
    at_table = TableReporter(house)
    at_table.opens(after(-60))
    return at_table


def codes(table: TableReporter) -> list[str]:
    table.house.audit()
    return table.house.codes()


def test_a_minimum_that_goes_up_without_a_sign(table: TableReporter) -> None:
    changed = table.limits(1_000, 50_000, after(0))
    assert codes(table) == ["LIMIT-NO-SIGN"]
    finding = Finding.objects.get()
    assert (finding.subject_index, finding.clause, finding.table) == (changed, "4.5", "sb-1")
    assert finding.sentence == "The minimum became $10.00 without a sign; 20 min of notice are due."


@pytest.mark.parametrize(
    ("minutes", "seconds", "found"),
    [(19, 59, ["LIMIT-SHORT-NOTICE"]), (20, 0, []), (20, 1, [])],
    ids=["just-under", "at", "just-over"],
)
def test_the_sign_stands_for_twenty_minutes(table: TableReporter, minutes: int, seconds: int, found: list[str]) -> None:
    table.shows("s", "limit-change", after(0), min=1_000, max=50_000, change_at=after(minutes, seconds))
    table.limits(1_000, 50_000, after(minutes, seconds), sign="s")
    assert codes(table) == found


def test_what_a_short_notice_says(table: TableReporter) -> None:
    shown = table.shows("s", "limit-change", after(0), min=1_000, change_at=after(19, 59))
    changed = table.limits(1_000, 50_000, after(19, 59), sign="s")
    codes(table)
    finding = Finding.objects.get()
    assert finding.sentence == "The sign stood for 19 min 59 s before the minimum rose; 20 min are due."
    assert finding.evidence[:2] == [changed, shown]


def test_a_sign_that_was_lost_meanwhile_counts_from_its_return(table: TableReporter) -> None:
    sign = {"min": 1_000, "max": 50_000, "change_at": after(25)}
    table.shows("s", "limit-change", after(0), **sign)
    table.removes("s", after(10))
    table.shows("s", "limit-change", after(11), again=True, **sign)
    table.limits(1_000, 50_000, after(25), sign="s")
    assert codes(table) == ["LIMIT-SHORT-NOTICE"]


@pytest.mark.parametrize(
    ("seconds", "found"), [(-1, ["LIMIT-SHORT-NOTICE"]), (0, []), (1, [])], ids=["just-under", "at", "just-over"]
)
def test_under_rules_whose_clock_goes_on_a_minute_down_is_not_counted(
    house: House, seconds: int, found: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Ten minutes up, one down, ten up: twenty at minute 21."""
    use_rules_with_pausing_clock(monkeypatch, tmp_path)
    house.open_table(limits=USUAL)
    table, sign = TableReporter(house), {"min": 1_000, "max": 50_000, "change_at": after(21, seconds)}
    table.opens(after(-60))
    table.shows("s", "limit-change", after(0), **sign)
    table.removes("s", after(10))
    table.shows("s", "limit-change", after(11), again=True, **sign)
    table.limits(1_000, 50_000, after(21, seconds), sign="s")
    assert codes(table) == found


def test_a_sign_that_is_down_is_no_sign(table: TableReporter) -> None:
    table.shows("s", "limit-change", after(0), min=1_000, change_at=after(25))
    table.removes("s", after(24, 59))
    table.limits(1_000, 50_000, after(25), sign="s")
    assert codes(table) == ["LIMIT-NO-SIGN"]


def test_a_sign_without_the_time_or_with_another_minimum(table: TableReporter) -> None:
    table.shows("s", "limit-change", after(0), min=1_000)
    table.limits(1_000, 50_000, after(30), sign="s")
    table.shows("t", "limit-change", after(31), min=1_500, change_at=after(60))
    table.limits(2_000, 50_000, after(60), sign="t")
    assert codes(table) == ["LIMIT-SIGN-INCOMPLETE", "LIMIT-SIGN-INCOMPLETE"]
    first, second = Finding.objects.order_by("at")
    assert "no time; it must show the time of the change" in first.sentence
    assert "a minimum of $15.00" in second.sentence
    assert "it must show the new minimum of $20.00" in second.sentence


@pytest.mark.parametrize(("seconds", "found"), [(-1, ["LIMIT-EARLY"]), (0, []), (1, [])])
def test_it_applies_from_the_time_on_the_sign(table: TableReporter, seconds: int, found: list[str]) -> None:
    table.shows("s", "limit-change", after(0), min=1_000, change_at=after(30))
    table.limits(1_000, 50_000, after(30, seconds), sign="s")
    assert codes(table) == found


def test_lowering_the_minimum_or_the_maximum_needs_no_sign(table: TableReporter) -> None:
    table.limits(400, 50_000, after(0))
    table.limits(400, 10_000, after(1))
    assert codes(table) == []


def test_a_table_may_open_at_a_higher_minimum(table: TableReporter) -> None:
    table.closes(after(0), players=False)
    table.limits(2_000, 50_000, after(5))
    table.opens(after(10))
    assert codes(table) == []


def test_a_minimum_that_a_person_recorded_needs_the_sign_too(table: TableReporter) -> None:
    house = table.house
    house.state(house.casino.tables.get(), LimitsValue(min=1_000, max=50_000), at=after(0))
    assert codes(table) == ["LIMIT-NO-SIGN"]


@pytest.mark.parametrize("rules", [RWS, MBS, SKYCITY])
def test_documents_that_say_nothing_of_it(house: House, rules: str) -> None:
    house.open_table(rules=rules, limits=USUAL)
    table = TableReporter(house)
    table.limits(1_000, 50_000, after(0))
    assert codes(table) == []


@pytest.mark.parametrize(
    ("position", "found"),
    [
        ("dealer", ["LIMIT-RANK"]),
        ("inspector", ["LIMIT-RANK"]),
        ("games-supervisor", []),
        ("casino-supervisor", []),
        ("shift-manager", []),
        (None, []),
    ],
)
@pytest.mark.parametrize("minimum", [400, 1_000], ids=["lowered", "raised"])
def test_a_supervisor_changes_the_limits(
    table: TableReporter, position: Position | None, found: list[str], minimum: int
) -> None:
    table.shows("s", "limit-change", after(0), min=minimum, max=50_000, change_at=after(20))
    table.limits(minimum, 50_000, after(20), sign="s", by=Staff(position=position) if position else None)
    assert codes(table) == found
    if position == "dealer":
        finding = Finding.objects.get()
        assert (finding.clause, finding.severity) == ("4.5", "breach")
        assert finding.sentence == "The limits were changed by a dealer; a casino supervisor must do it."


@pytest.mark.parametrize("rules", [RWS, MBS, SKYCITY, LICENSEE])
def test_documents_that_do_not_say_who_changes_limits(house: House, rules: str) -> None:
    house.open_table(rules=rules, limits=USUAL)
    table = TableReporter(house)
    table.limits(400, 50_000, after(0), by=Staff(position="dealer"))
    assert codes(table) == []


SMALL_AT_TEN = {"small": BetLimits(min=1_000)}


class TestByTypeOfWager:
    """The minimum of one type of wager is a minimum like the table's."""

    def test_it_goes_up_without_a_sign(self, table: TableReporter) -> None:
        table.limits(500, 50_000, after(0), by_bet=SMALL_AT_TEN)
        assert codes(table) == ["LIMIT-NO-SIGN"]
        assert Finding.objects.get().sentence == (
            "The minimum became $10.00 on Small without a sign; 20 min of notice are due."
        )

    @pytest.mark.parametrize(
        ("minutes", "seconds", "found"),
        [(19, 59, ["LIMIT-SHORT-NOTICE"]), (20, 0, []), (20, 1, [])],
        ids=["just-under", "at", "just-over"],
    )
    def test_its_sign_stands_for_twenty_minutes(
        self, table: TableReporter, minutes: int, seconds: int, found: list[str]
    ) -> None:
        then = after(minutes, seconds)
        table.shows("s", "limit-change", after(0), min=500, max=50_000, by_bet=SMALL_AT_TEN, change_at=then)
        table.limits(500, 50_000, then, sign="s", by_bet=SMALL_AT_TEN)
        assert codes(table) == found

    @pytest.mark.parametrize(
        ("shown", "found"),
        [
            ({"min": 1_000}, []),
            ({"by_bet": {"small": BetLimits(min=1_000)}}, []),
            ({"min": 500}, ["LIMIT-SIGN-INCOMPLETE"]),
            ({"min": 500, "by_bet": {"small": BetLimits(min=999)}}, ["LIMIT-SIGN-INCOMPLETE"]),
            ({"min": 500, "by_bet": {"big": BetLimits(min=1_000)}}, ["LIMIT-SIGN-INCOMPLETE"]),
        ],
    )
    def test_its_sign_shows_the_minimum_of_the_type(
        self, table: TableReporter, shown: dict[str, Any], found: list[str]
    ) -> None:
        table.shows("s", "limit-change", after(0), change_at=after(20), **shown)
        table.limits(500, 50_000, after(20), sign="s", by_bet=SMALL_AT_TEN)
        assert codes(table) == found

    def test_leaving_out_a_lower_minimum_raises_it(self, table: TableReporter) -> None:
        table.limits(500, 50_000, after(0), by_bet={"small": BetLimits(min=200)})
        table.limits(500, 50_000, after(1))
        assert codes(table) == ["LIMIT-NO-SIGN"]

    def test_a_lower_minimum_and_another_maximum_need_no_sign(self, table: TableReporter) -> None:
        table.limits(500, 50_000, after(0), by_bet={"small": BetLimits(min=400, max=10_000)})
        table.limits(500, 50_000, after(1), by_bet={"small": BetLimits(min=400, max=60_000), "big": BetLimits(max=1)})
        assert codes(table) == []

    def test_a_type_with_its_own_minimum_does_not_follow_the_table(self, table: TableReporter) -> None:
        """The table's minimum goes up with its sign, which need not repeat that Small stays at $5."""
        small = {"small": BetLimits(min=500)}
        table.limits(500, 50_000, after(0), by_bet=small)
        table.shows("s", "limit-change", after(1), min=1_000, change_at=after(21))
        table.limits(1_000, 50_000, after(21), sign="s", by_bet=small)
        assert codes(table) == []

    @pytest.mark.parametrize("rules", [RWS, MBS, SKYCITY, LICENSEE])
    def test_documents_that_say_nothing_of_it(self, house: House, rules: str) -> None:
        house.open_table(rules=rules, limits=USUAL)
        table = TableReporter(house)
        table.limits(500, 50_000, after(0), by_bet=SMALL_AT_TEN)
        assert codes(table) == []
