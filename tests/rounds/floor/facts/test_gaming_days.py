"""Gaming days, shifts and holidays, at the cut-over to the second and across daylight-saving changes."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from rounds.floor.fact_values import GamingDayValue, Holiday, HolidaysValue, Shift, ShiftsValue
from rounds.floor.facts.gaming_days import corrected_holiday, gaming_day, shift_at
from tests.rounds.floor.crew import OPENING, Crew, record_table_fact

SYDNEY = ZoneInfo("Australia/Sydney")
SECOND = timedelta(seconds=1)


def sydney(text: str, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=SYDNEY, fold=fold)


def test_a_day_ends_at_the_cut_over_and_not_a_second_before(crew: Crew) -> None:
    record_table_fact(crew, None, GamingDayValue(cut_over="06:00"))
    assert gaming_day(crew.harbour, sydney("2026-11-16T05:59:59")) == date(2026, 11, 15)
    assert gaming_day(crew.harbour, sydney("2026-11-16T06:00:00")) == date(2026, 11, 16)
    assert gaming_day(crew.harbour, sydney("2026-11-17T05:59:59")) == date(2026, 11, 16)


def test_until_it_is_stated_the_day_is_the_calendar_day(crew: Crew) -> None:
    assert gaming_day(crew.harbour, sydney("2026-11-16T00:00:00")) == date(2026, 11, 16)
    assert gaming_day(crew.harbour, sydney("2026-11-15T23:59:59")) == date(2026, 11, 15)


@pytest.mark.parametrize("cut_over", ["02:30", "06:00", "03:00", "00:00"])
def test_no_day_is_lost_or_doubled_when_clocks_change(crew: Crew, cut_over: str) -> None:
    # In Sydney clocks go forward on 4 October 2026 at 2 am, and back on 4 April 2027 at 3 am.
    record_table_fact(crew, None, GamingDayValue(cut_over=cut_over))
    for first, hours in ((date(2026, 10, 3), 24 * 3), (date(2027, 4, 3), 24 * 3)):
        began = datetime(first.year, first.month, first.day, tzinfo=UTC) - timedelta(hours=12)
        days = [gaming_day(crew.harbour, began + timedelta(minutes=30 * step)) for step in range(hours * 2)]
        assert days == sorted(days)
        assert {later - earlier for earlier, later in pairwise(days)} <= {
            timedelta(0),
            timedelta(days=1),
        }


def test_the_night_clocks_go_back_the_day_turns_at_the_first_of_the_two(crew: Crew) -> None:
    record_table_fact(crew, None, GamingDayValue(cut_over="02:30"))
    assert gaming_day(crew.harbour, sydney("2027-04-04T02:29:59", fold=0)) == date(2027, 4, 3)
    assert gaming_day(crew.harbour, sydney("2027-04-04T02:30:00", fold=0)) == date(2027, 4, 4)
    assert gaming_day(crew.harbour, sydney("2027-04-04T02:00:00", fold=1)) == date(2027, 4, 4)


def test_shifts_go_round_the_clock(crew: Crew) -> None:
    assert shift_at(crew.harbour, sydney("2026-11-16T08:00:00")) is None
    names = (("Day", "06:00"), ("Swing", "14:00"), ("Night", "22:00"))
    record_table_fact(crew, None, ShiftsValue(shifts=tuple(Shift(name=name, starts=starts) for name, starts in names)))
    begun = {
        "2026-11-16T06:00:00": ("Day", "2026-11-16T06:00:00"),
        "2026-11-16T13:59:59": ("Day", "2026-11-16T06:00:00"),
        "2026-11-16T14:00:00": ("Swing", "2026-11-16T14:00:00"),
        "2026-11-17T03:00:00": ("Night", "2026-11-16T22:00:00"),
    }
    for at, (name, since) in begun.items():
        shift = shift_at(crew.harbour, sydney(at))
        assert shift is not None
        assert (shift.name, shift.began_at) == (name, sydney(since))


def test_the_calendar_of_the_day_decides_what_is_a_holiday(crew: Crew) -> None:
    christmas, boxing_day = date(2026, 12, 25), date(2026, 12, 26)
    record_table_fact(crew, None, HolidaysValue(days=(Holiday(on=christmas, name="Christmas Day"),)))
    assert corrected_holiday(crew.harbour, christmas)
    assert corrected_holiday(crew.harbour, boxing_day) is None
    both = (Holiday(on=christmas, name="Christmas Day"), Holiday(on=boxing_day, name="Boxing Day"))
    record_table_fact(crew, None, HolidaysValue(days=both), sydney("2026-12-26T12:00:00"))
    assert corrected_holiday(crew.harbour, boxing_day) is None
    assert sydney("2026-12-26T12:00:00") > OPENING
