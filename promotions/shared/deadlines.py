"""Deadlines counted in the casino's calendar days: the first day is excluded, the last rolls over weekends and holidays
(N43)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from compliance.core.accounts.models import Casino
from promotions.shared.holiday_calendar import is_holiday
from rounds.floor.facts.gaming_days import MIDNIGHT, clock_instant
from rounds.floor.selectors import FactsAt

SATURDAY = 5
# The rules say “as soon as practicable” and name no figure (N43). Chosen by the service; the help page says so.
REASONS_WITHIN_DAYS = 2


@dataclass(frozen=True)
class HolidayCache:
    """Cache of non-business days, so that a list of many deadlines looks each day up once.

    `facts_at` reads the casino's facts at an instant; without it, those on record are read.
    """

    facts_at: Callable[[datetime], FactsAt] | None = None
    known: dict[date, bool] = field(default_factory=dict)


def is_non_business_day(casino: Casino, on: date, calendar: str, cache: HolidayCache) -> bool:
    if on not in cache.known:
        cache.known[on] = on.weekday() >= SATURDAY or is_holiday(casino, on, calendar, cache.facts_at)
    return cache.known[on]


def calendar_day(casino: Casino, since: datetime, days: int) -> date:
    """The last day, counted in calendar days. The day of `since` is not counted."""
    return since.astimezone(casino.zone).date() + timedelta(days=days)


def business_day(
    casino: Casino, since: datetime, days: int, calendar: str, holiday_cache: HolidayCache | None = None
) -> date:
    """The last day. If it is a weekend or holiday, the next business day counts instead."""
    last = calendar_day(casino, since, days)
    cache = holiday_cache or HolidayCache()
    while is_non_business_day(casino, last, calendar, cache):
        last += timedelta(days=1)
    return last


def end_of_day(casino: Casino, day: date) -> datetime:
    """The first instant after that day. Something that happens exactly then is late."""
    return clock_instant(day + timedelta(days=1), MIDNIGHT, casino.zone)
