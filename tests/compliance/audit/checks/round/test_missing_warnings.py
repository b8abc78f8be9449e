"""SkyCity 8.d: after a wager under the minimum its owner is warned; a second one without a warning is found."""

from datetime import date, timedelta
from typing import Any

import pytest

from compliance.audit.models import Finding
from compliance.tables.limit_notices.services import warn_player
from rounds.floor.fact_values import GamingDayValue, LimitsValue
from rounds.floor.models import Table
from rounds.intake.protocol.fields import Staff
from rounds.intake.protocol.table import Correction
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import NSW, SECOND, SKYCITY, at, wager
from tests.rounds.floor.crew import record_table_fact

pytestmark = pytest.mark.django_db
LOW = 500
LIMITS = LimitsValue(min=LOW, max=50_000)
CODE = "WAGER-NO-WARNING"
LOST = (6, 6, 5)
LATER = timedelta(minutes=5)
# From the placing of the first wager until its round has ended.
UNTIL_END = timedelta(seconds=50)


@pytest.fixture
def house(house: House) -> House:
    house.open_table(rules=SKYCITY, limits=LIMITS)
    record_table_fact(house.crew, None, GamingDayValue(cut_over="06:00"))
    return house


def wager_twice(house: House, first: dict[str, Any] | None = None, second: dict[str, Any] | None = None) -> list[int]:
    """Two rounds in which the same player loses a wager a cent under the minimum, except for what is stated."""
    indexes = []
    for place, changes in enumerate((first or {}, second or {})):
        usual = {"stake": LOW - 1, "returned": 0, "id": f"w-{place}"}
        of_round = {key: changes[key] for key in ("table", "gaming_day", "later") if key in changes}
        of_wager = usual | {key: value for key, value in changes.items() if key not in of_round}
        later = {"later": place * LATER} | of_round
        indexes.append(house.play(LOST, wager("small", **of_wager), **later))  # type: ignore[arg-type]
    return indexes


def unwarned(house: House) -> list[Finding]:
    house.audit()
    return list(Finding.objects.current().filter(casino=house.casino, code=CODE).order_by("subject_index"))


def test_a_second_wager_under_the_minimum_without_a_warning_is_found(house: House) -> None:
    first, second = wager_twice(house)
    [found] = unwarned(house)
    assert (found.subject_index, found.wager, found.clause) == (second, "w-1", "8.d")
    assert first in found.evidence
    # The number of an entry depends on the order of arrival; a sentence must not.
    assert "entry" not in found.sentence


@pytest.mark.parametrize(
    ("first", "second", "is_found"),
    [
        ({"stake": LOW}, {}, False),
        ({}, {"stake": LOW}, False),
        ({}, {"player": "p-02"}, False),
        ({}, {"gaming_day": date(2026, 11, 17)}, False),
        ({}, {"warned": True, "verdict": "void", "returned": LOW - 1}, False),
        ({"verdict": "void", "returned": LOW - 1}, {}, False),
        ({}, {"verdict": "refused", "returned": LOW - 1}, False),
        ({"player": None, "seat": 4}, {"player": None, "seat": 4}, True),
        ({"player": None, "seat": 4}, {"player": None, "seat": 5}, False),
        ({}, {"later": UNTIL_END}, False),
        ({}, {"later": UNTIL_END + SECOND / 1000}, True),
    ],
    ids=[
        "first-at-the-minimum", "second-at-the-minimum", "another-player", "another-gaming-day", "marked-as-warned",
        "first-handed-back", "second-refused", "same-seat", "another-seat", "placed-as-the-first-ended",
        "placed-just-after-it",
    ],
)  # fmt: skip
def test_what_counts_as_a_second_wager(
    house: House, first: dict[str, Any], second: dict[str, Any], is_found: bool
) -> None:
    wager_twice(house, first, second)
    assert bool(unwarned(house)) is is_found


@pytest.mark.parametrize(
    ("seconds_after_placing", "is_found"), [(-1, False), (0, False), (1, True)], ids=["before", "at", "after"]
)
def test_a_warning_counts_if_it_was_given_before_the_second_wager(
    house: House, seconds_after_placing: int, is_found: bool
) -> None:
    """The record comes after both rounds were audited. With the warning the second wager should have gone back, which
    is another finding."""
    wager_twice(house)
    assert unwarned(house)
    warned_at = at(20) + LATER + seconds_after_placing * SECOND
    table = Table.objects.get(casino=house.casino, slug="sb-1")
    warn_player(table=table, player="p-01", seat=None, warned_at=warned_at, actor=house.crew.sid, now=at(3600))
    assert bool(unwarned(house)) is is_found


def test_a_third_wager_is_found_unless_the_second_was_marked_as_warned(house: House) -> None:
    wager_twice(house, {}, {"warned": True, "verdict": "void", "returned": LOW - 1})
    house.play(LOST, wager("small", LOW - 1, 0, id="w-2"), later=3 * LATER)
    assert unwarned(house) == []


def test_one_warning_is_enough_for_all_and_each_wager_without_one_is_found(house: House) -> None:
    wager_twice(house)
    house.play(LOST, wager("small", LOW - 1, 0, id="w-2"), later=3 * LATER)
    assert [found.wager for found in unwarned(house)] == ["w-1", "w-2"]


def test_two_wagers_on_a_box_that_reach_the_minimum_together_need_no_warning(house: House) -> None:
    half = LOW // 2
    house.play(LOST, wager("small", half, 0, id="a"), wager("small", half, 0, id="b"))
    house.play(LOST, wager("small", LOW - 1, 0, id="c"), later=LATER)
    assert unwarned(house) == []


def test_a_round_that_arrives_late_or_is_taken_back_changes_later_findings(house: House) -> None:
    house.play(LOST, wager("small", LOW - 1, 0, id="w-1"), later=LATER)
    assert unwarned(house) == []
    house.play(LOST, wager("small", LOW - 1, 0, id="w-0"))
    assert [found.wager for found in unwarned(house)] == ["w-1"]
    house.report(
        "correction", Correction(corrects=2, reason="Another player.", by=Staff(position="dealer")), at=at(900)
    )
    assert unwarned(house) == []


def test_where_a_wager_under_the_minimum_is_valid_no_warning_is_asked(house: House) -> None:
    """NSW 4.2."""
    house.open_table("sb-2", rules=NSW, limits=LIMITS)
    wager_twice(house, {"table": "sb-2"}, {"table": "sb-2"})
    assert unwarned(house) == []
    assert house.codes() == ["WAGER-UNDER-MIN", "WAGER-UNDER-MIN"]
