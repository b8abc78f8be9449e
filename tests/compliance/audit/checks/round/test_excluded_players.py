"""NSW 9.3.2 and 9.3.3: wagers of a person who was excluded, as far as the mark of the player or the seat shows it."""

from datetime import date, datetime, timedelta
from typing import Any

import pytest

from compliance.audit.models import Finding
from compliance.core.corrections.services import withdraw_record
from compliance.tables.player_conduct.models import ConductAct
from compliance.tables.player_conduct.services import ConductReport, record_conduct
from rounds.floor.fact_values import LimitsValue
from rounds.floor.models import Table
from rounds.ledger import read_entries_at
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import LICENSEE, NSW, SKYCITY, at, wager

pytestmark = pytest.mark.django_db
LIMITS = LimitsValue(min=500, max=50_000)
LATER, DAY = timedelta(minutes=5), timedelta(days=1)
LOST = (6, 6, 5)
# Wagers of the second round are placed at 20 s of it.
PLACED = at(20) + LATER
MILLISECOND = timedelta(milliseconds=1)


def exclude(house: House, when: datetime, scope: str = "game", **whom: Any) -> ConductAct:
    table = Table.objects.get(casino=house.casino, slug="sb-1")
    named = whom or {"player": "p-01"}
    report = ConductReport(kind="exclusion", grounds="device", at=when, scope=scope, **named)
    return record_conduct(table=table, report=report, actor=house.crew.sid, now=at(0) + DAY)


def play_twice(house: House, second: dict[str, Any] | None = None, **both: Any) -> list[int]:
    """Two rounds with a lost wager of p-01, five minutes apart."""
    changes = both | (second or {})
    day = {"gaming_day": changes.pop("gaming_day")} if "gaming_day" in changes else {}
    first = wager("small", 1_000, 0, id="w-0", **both)
    again = wager("small", 1_000, id="w-1", **{"returned": 0} | changes)
    return [house.play(LOST, first), house.play(LOST, again, later=LATER, **day)]


def excluded(house: House) -> list[Finding]:
    house.audit()
    return list(Finding.objects.current().filter(casino=house.casino, code="WAGER-EXCLUDED").order_by("subject_index"))


@pytest.fixture
def nsw(house: House) -> House:
    house.open_table(rules=NSW, limits=LIMITS)
    return house


@pytest.mark.parametrize(("scope", "clause"), [("game", "9.3.2"), ("casino", "9.3.3")])
def test_a_wager_after_the_exclusion_is_found_and_cites_its_clause(nsw: House, scope: str, clause: str) -> None:
    _, second = play_twice(nsw)
    act = exclude(nsw, at(75), scope)
    [found] = excluded(nsw)
    assert (found.subject_index, found.wager, found.clause, found.severity) == (second, "w-1", clause, "breach")
    assert act.entry_index in found.evidence


@pytest.mark.parametrize(
    ("excluded_at", "is_found"),
    [(PLACED - MILLISECOND, True), (PLACED, False), (PLACED + MILLISECOND, False)],
    ids=["before", "at", "after"],
)
def test_only_wagers_placed_after_the_exclusion_count(nsw: House, excluded_at: datetime, is_found: bool) -> None:
    """The rounds were audited before the exclusion was recorded."""
    play_twice(nsw)
    assert excluded(nsw) == []
    exclude(nsw, excluded_at)
    assert bool(excluded(nsw)) is is_found


@pytest.mark.parametrize(
    ("minutes_later", "is_found"), [(4, True), (5, False)], ids=["the-minute-before", "the-same-minute"]
)
def test_a_time_without_seconds_is_some_time_within_its_minute(nsw: House, minutes_later: int, is_found: bool) -> None:
    play_twice(nsw)
    exclude(nsw, at(0) + timedelta(minutes=minutes_later))
    assert bool(excluded(nsw)) is is_found


@pytest.mark.parametrize(
    "second",
    [
        {"player": "p-02"},
        {"player": None, "seat": 1},
        {"verdict": "refused", "returned": 1_000},
        {"gaming_day": date(2026, 11, 17)},
    ],
    ids=["another-player", "player-not-named", "refused", "another-gaming-day"],
)
def test_what_is_not_certainly_a_wager_of_the_excluded_person_is_not_found(nsw: House, second: dict[str, Any]) -> None:
    play_twice(nsw, second)
    exclude(nsw, at(75))
    assert excluded(nsw) == []


@pytest.mark.parametrize(
    ("second", "is_found"),
    [({"seat": 5}, True), ({"seat": 4, "player": "p-02"}, False), ({"seat": 4, "player": None}, False)],
    ids=["same-mark-elsewhere", "another-mark-at-the-seat", "no-mark"],
)
def test_a_seat_means_the_mark_that_was_last_at_it(nsw: House, second: dict[str, Any], is_found: bool) -> None:
    play_twice(nsw, second, seat=4)
    exclude(nsw, at(75), seat=4)
    assert bool(excluded(nsw)) is is_found


def test_where_the_table_reports_seats_only_the_next_round_is_a_note_and_later_ones_are_not_told(nsw: House) -> None:
    _, second = play_twice(nsw, seat=4, player=None)
    nsw.play(LOST, wager("small", 1_000, 0, id="w-2", player=None, seat=4), later=2 * LATER)
    exclude(nsw, at(75), seat=4)
    [found] = excluded(nsw)
    assert (found.subject_index, found.severity) == (second, "note")
    assert "the table does not name its player" in found.sentence


def test_an_exclusion_that_is_taken_back_leaves_nothing(nsw: House) -> None:
    play_twice(nsw)
    act = exclude(nsw, at(75))
    assert excluded(nsw)
    [entry] = read_entries_at("harbour", [act.entry_index])
    withdraw_record(casino=nsw.casino, entry=entry, reason="Another person.", actor=nsw.crew.sid, now=at(0) + DAY)
    assert excluded(nsw) == []


@pytest.mark.parametrize("rules", [SKYCITY, LICENSEE])
def test_documents_without_this_power_ask_nothing(house: House, rules: str) -> None:
    house.open_table(rules=rules, limits=LIMITS)
    play_twice(house)
    exclude(house, at(75))
    assert excluded(house) == []
