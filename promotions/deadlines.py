"""Days that are counted by the casino's own calendar: the first is left out, the last rolls over free days (N43)."""

from datetime import date, datetime, timedelta

from compliance.accounts.models import Casino
from rounds.floor.gaming_days import MIDNIGHT, is_holiday, starts_at

SATURDAY = 5


# Days whose holidays were looked up already: a list of many deadlines asks for each day once.
Known = dict[date, bool]


def is_free_day(casino: Casino, on: date, known: Known) -> bool:
    if on not in known:
        known[on] = on.weekday() >= SATURDAY or is_holiday(casino, on)
    return known[on]


def last_day(
    casino: Casino, since: datetime, days: int, *, rolls_over: bool = True, known: Known | None = None
) -> date:
    """The day of `since` is not counted; a last day that is a weekend or a holiday gives way to the next other day."""
    last = since.astimezone(casino.zone).date() + timedelta(days=days)
    asked: Known = {} if known is None else known
    while rolls_over and is_free_day(casino, last, asked):
        last += timedelta(days=1)
    return last


def end_of(casino: Casino, day: date) -> datetime:
    """The first instant after that day: what happens at it is late."""
    return starts_at(day + timedelta(days=1), MIDNIGHT, casino.zone)
