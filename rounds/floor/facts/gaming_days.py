"""Gaming days, shifts and holidays in the casino's time zone, correct across daylight-saving changes."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from compliance.core.accounts.models import Casino
from rounds.floor.fact_values import GamingDayValue, HolidaysValue, ShiftsValue, parse_clock
from rounds.floor.selectors import FactsAt, casino_facts_at

MIDNIGHT = time(0)


@dataclass(frozen=True)
class CurrentShift:
    """A shift, from its start to the start of the next."""

    name: str
    began_at: datetime
    ends_at: datetime


def clock_instant(day: date, clock: time, zone: ZoneInfo) -> datetime:
    """The instant of a local clock time on a day: the first one if the hour repeats, after the gap if the hour is
    skipped."""
    return datetime.combine(day, clock, zone).astimezone(UTC)


def gaming_day(casino: Casino, at: datetime) -> date:
    """The gaming day of an instant. It begins at the cut-over and is named by the date on which it began."""
    stated = casino_facts_at(casino, at).get(GamingDayValue)
    return gaming_day_of(at, parse_clock(stated.cut_over) if stated else MIDNIGHT, casino.zone)


def gaming_day_of(at: datetime, cut_over: time, zone: ZoneInfo) -> date:
    return max(day for day in _candidate_days(at, zone) if clock_instant(day, cut_over, zone) <= at)


def shift_at(casino: Casino, at: datetime) -> CurrentShift | None:
    return current_shift(casino_facts_at(casino, at).get(ShiftsValue), at, casino.zone)


def current_shift(stated: ShiftsValue | None, at: datetime, zone: ZoneInfo) -> CurrentShift | None:
    """The shift in progress, with its start and end; None if the casino has recorded no shifts."""
    if stated is None:
        return None
    begin = sorted(
        (clock_instant(day, parse_clock(shift.starts), zone), shift.name)
        for day in _candidate_days(at, zone)
        for shift in stated.shifts
    )
    shifts = (CurrentShift(name, began, ends) for (began, name), (ends, _) in pairwise(begin) if began <= at)
    return max(shifts, key=lambda shift: shift.began_at)


def corrected_holiday(casino: Casino, on: date, facts_at: Callable[[datetime], FactsAt] | None = None) -> bool | None:
    """Whether the day is a holiday by the corrections in force at its start; None if they do not name it. `facts_at`
    reads the casino's facts; without it, those on record are read."""
    starts_at = clock_instant(on, MIDNIGHT, casino.zone)
    stated = (facts_at(starts_at) if facts_at else casino_facts_at(casino, starts_at)).get(HolidaysValue)
    if stated is None:
        return None
    if any(day.on == on for day in stated.working_days):
        return False
    return True if any(day.on == on for day in stated.days) else None


def _candidate_days(at: datetime, zone: ZoneInfo) -> Iterable[date]:
    today = at.astimezone(zone).date()
    return (today + timedelta(days=by) for by in (-2, -1, 0, 1))
