"""Deadlines counted in the casino's calendar days: the first day is excluded, the last rolls over weekends and holidays
(N43)."""

from datetime import date, datetime, timedelta

from compliance.core.accounts.models import Casino
from promotions.shared.holiday_calendar import is_holiday
from rounds.floor.facts.gaming_days import MIDNIGHT, clock_instant

SATURDAY = 5
# The rules say “as soon as practicable” and name no figure (N43). Chosen by the service; the help page says so.
REASONS_WITHIN_DAYS = 2


# Cache of non-business days, so that a list of many deadlines looks each day up once.
HolidayCache = dict[date, bool]


def is_non_business_day(casino: Casino, on: date, calendar: str, holiday_cache: HolidayCache) -> bool:
    if on not in holiday_cache:
        holiday_cache[on] = on.weekday() >= SATURDAY or is_holiday(casino, on, calendar)
    return holiday_cache[on]


def calendar_day(casino: Casino, since: datetime, days: int) -> date:
    """The last day, counted in calendar days. The day of `since` is not counted."""
    return since.astimezone(casino.zone).date() + timedelta(days=days)


def business_day(
    casino: Casino, since: datetime, days: int, calendar: str, holiday_cache: HolidayCache | None = None
) -> date:
    """The last day. If it is a weekend or holiday, the next business day counts instead."""
    last = calendar_day(casino, since, days)
    cache: HolidayCache = {} if holiday_cache is None else holiday_cache
    while is_non_business_day(casino, last, calendar, cache):
        last += timedelta(days=1)
    return last


def end_of_day(casino: Casino, day: date) -> datetime:
    """The first instant after that day. Something that happens exactly then is late."""
    return clock_instant(day + timedelta(days=1), MIDNIGHT, casino.zone)
