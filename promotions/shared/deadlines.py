"""Days that are counted by the casino's own calendar: the first is left out, the last rolls over free days (N43)."""

from datetime import date, datetime, timedelta

from compliance.core.accounts.models import Casino
from rounds.floor.facts.gaming_days import MIDNIGHT, clock_instant, is_holiday

SATURDAY = 5


# Days whose holidays were looked up already: a list of many deadlines asks for each day once.
HolidayCache = dict[date, bool]


def is_non_business_day(casino: Casino, on: date, holiday_cache: HolidayCache) -> bool:
    if on not in holiday_cache:
        holiday_cache[on] = on.weekday() >= SATURDAY or is_holiday(casino, on)
    return holiday_cache[on]


def deadline_day(
    casino: Casino, since: datetime, days: int, *, rolls_over: bool = True, holiday_cache: HolidayCache | None = None
) -> date:
    """The day of `since` is not counted; a last day that is a weekend or a holiday gives way to the next other day."""
    last = since.astimezone(casino.zone).date() + timedelta(days=days)
    asked: HolidayCache = {} if holiday_cache is None else holiday_cache
    while rolls_over and is_non_business_day(casino, last, asked):
        last += timedelta(days=1)
    return last


def end_of_day(casino: Casino, day: date) -> datetime:
    """The first instant after that day: what happens at it is late."""
    return clock_instant(day + timedelta(days=1), MIDNIGHT, casino.zone)
