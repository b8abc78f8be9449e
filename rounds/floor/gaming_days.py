"""Gaming days, shifts and holidays of a casino, by its own clock, on nights when that clock changes too."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from compliance.accounts.models import Casino
from rounds.floor.selectors import casino_facts_at
from rounds.floor.values import GamingDay, Holidays, Shifts, clock_time

MIDNIGHT = time(0)


@dataclass(frozen=True)
class ShiftBegun:
    """A shift from its beginning to that of the next."""

    name: str
    began_at: datetime
    ends_at: datetime


def starts_at(day: date, clock: time, zone: ZoneInfo) -> datetime:
    """The instant at which that clock time comes on that day: the first of two, and past the gap if it never comes."""
    return datetime.combine(day, clock, zone).astimezone(UTC)


def gaming_day(casino: Casino, at: datetime) -> date:
    """The gaming day an instant belongs to: it begins at the cut-over and bears the date of its beginning."""
    stated = casino_facts_at(casino, at).get(GamingDay)
    return day_of(at, clock_time(stated.cut_over) if stated else MIDNIGHT, casino.zone)


def day_of(at: datetime, cut_over: time, zone: ZoneInfo) -> date:
    return max(day for day in _days_around(at, zone) if starts_at(day, cut_over, zone) <= at)


def shift_at(casino: Casino, at: datetime) -> ShiftBegun | None:
    """The shift that is on, and since when; None while the casino has not said when its shifts begin."""
    stated = casino_facts_at(casino, at).get(Shifts)
    if stated is None:
        return None
    begin = sorted(
        (starts_at(day, clock_time(shift.starts), casino.zone), shift.name)
        for day in _days_around(at, casino.zone)
        for shift in stated.shifts
    )
    shifts = (ShiftBegun(name, began, ends) for (began, name), (ends, _) in pairwise(begin) if began <= at)
    return max(shifts, key=lambda shift: shift.began_at)


def is_holiday(casino: Casino, on: date) -> bool:
    """By the calendar that was in force when that day began."""
    stated = casino_facts_at(casino, starts_at(on, MIDNIGHT, casino.zone)).get(Holidays)
    return stated is not None and any(holiday.on == on for holiday in stated.days)


def _days_around(at: datetime, zone: ZoneInfo) -> Iterable[date]:
    today = at.astimezone(zone).date()
    return (today + timedelta(days=by) for by in (-2, -1, 0, 1))
