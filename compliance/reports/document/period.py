"""A period of gaming days, and the times at which it begins and ends."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any

from compliance.core.accounts.models import Casino
from compliance.reports.document.formatting import format_day
from rounds.floor.fact_catalogue import NAME_BY_VALUE_TYPE
from rounds.floor.fact_values import GamingDayValue, parse_clock
from rounds.floor.facts.gaming_days import MIDNIGHT, clock_instant
from rounds.floor.models import Fact

DAY = timedelta(days=1)
MAX_DAYS = 366


@dataclass(frozen=True)
class Period:
    """Gaming days `first` to `last`, both included, in the time zone of one casino."""

    casino: Casino
    first: date
    last: date

    @property
    def days(self) -> Iterator[date]:
        return (self.first + DAY * number for number in range(len(self)))

    def __len__(self) -> int:
        return (self.last - self.first).days + 1

    @cached_property
    def day_starts(self) -> tuple[datetime, ...]:
        """Start of each day, and the end of the period. One query."""
        return day_starts_of(self.casino, [*self.days, self.last + DAY])

    @property
    def begins_at(self) -> datetime:
        return self.day_starts[0]

    @property
    def ends_at(self) -> datetime:
        """Exclusive: the last day ends when the next begins."""
        return self.day_starts[-1]

    @property
    def words(self) -> str:
        if self.first == self.last:
            return f"gaming day {format_day(self.first)}"
        return f"gaming days {format_day(self.first)} to {format_day(self.last)}"

    def as_options(self) -> dict[str, str]:
        return {"first": self.first.isoformat(), "last": self.last.isoformat()}


def day_starts_of(casino: Casino, days: Sequence[date]) -> tuple[datetime, ...]:
    """Each by the cut-over time in force when that day began; correct across daylight-saving changes."""
    stated = Fact.objects.filter(casino=casino, table=None, name=NAME_BY_VALUE_TYPE[GamingDayValue]).not_retracted()
    facts = list(stated.order_by("effective_at", "recorded_at", "pk"))
    since = [fact.effective_at for fact in facts]
    found = []
    for day in days:
        midnight = clock_instant(day, MIDNIGHT, casino.zone)
        place = bisect_right(since, midnight)
        clock = parse_clock(facts[place - 1].value["cut_over"]) if place else MIDNIGHT
        found.append(clock_instant(day, clock, casino.zone))
    return tuple(found)


def day_begins_at(casino: Casino, day: date) -> datetime:
    [begins_at] = day_starts_of(casino, [day])
    return begins_at


def period_of_last_days(casino: Casino, today: date, count: int) -> Period:
    return Period(casino, today - (count - 1) * DAY, today)


def period_from_options(casino: Casino, chosen: Mapping[str, Any]) -> Period:
    """The period chosen in the options of a report."""
    return Period(casino, date.fromisoformat(chosen["first"]), date.fromisoformat(chosen["last"]))
