"""Days that are counted by the casino's own calendar: the first is left out, the last rolls over free days (N43)."""

from datetime import date, datetime, timedelta

from compliance.accounts.models import Casino
from rounds.floor.gaming_days import MIDNIGHT, is_holiday, starts_at

SATURDAY = 5


def is_free_day(casino: Casino, on: date) -> bool:
    return on.weekday() >= SATURDAY or is_holiday(casino, on)


def last_day(casino: Casino, since: datetime, days: int, *, rolls_over: bool = True) -> date:
    """The day of `since` is not counted; a last day that is a weekend or a holiday gives way to the next other day."""
    last = since.astimezone(casino.zone).date() + timedelta(days=days)
    while rolls_over and is_free_day(casino, last):
        last += timedelta(days=1)
    return last


def end_of(casino: Casino, day: date) -> datetime:
    """The first instant after that day: what happens at it is late."""
    return starts_at(day + timedelta(days=1), MIDNIGHT, casino.zone)
