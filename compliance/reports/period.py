"""A stretch of gaming days: what is reported and charted together, and between which instants it lies."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any

from compliance.accounts.models import Casino
from compliance.reports.wording import day_words
from rounds.floor.facts import NAME_OF
from rounds.floor.gaming_days import MIDNIGHT, starts_at
from rounds.floor.models import Fact
from rounds.floor.values import GamingDay, clock_time

DAY = timedelta(days=1)
MOST_DAYS = 366


@dataclass(frozen=True)
class Period:
    """Gaming days first to last, both included, by the clock of one casino."""

    casino: Casino
    first: date
    last: date

    @property
    def days(self) -> Iterator[date]:
        return (self.first + DAY * number for number in range(len(self)))

    def __len__(self) -> int:
        return (self.last - self.first).days + 1

    @cached_property
    def beginnings(self) -> tuple[datetime, ...]:
        """When each day begins, and at last when the period ends. One query."""
        return beginnings_of(self.casino, [*self.days, self.last + DAY])

    @property
    def begins_at(self) -> datetime:
        return self.beginnings[0]

    @property
    def ends_at(self) -> datetime:
        """Not included: the last day ends where the next one begins."""
        return self.beginnings[-1]

    @property
    def words(self) -> str:
        if self.first == self.last:
            return f"gaming day {day_words(self.first)}"
        return f"gaming days {day_words(self.first)} to {day_words(self.last)}"

    def as_chosen(self) -> dict[str, str]:
        return {"first": self.first.isoformat(), "last": self.last.isoformat()}


def beginnings_of(casino: Casino, days: Sequence[date]) -> tuple[datetime, ...]:
    """Each at the cut-over that held when that day began, on nights when clocks change too."""
    stated = Fact.objects.filter(casino=casino, table=None, name=NAME_OF[GamingDay]).standing()
    facts = list(stated.order_by("effective_at", "recorded_at", "pk"))
    since = [fact.effective_at for fact in facts]
    found = []
    for day in days:
        midnight = starts_at(day, MIDNIGHT, casino.zone)
        place = bisect_right(since, midnight)
        clock = clock_time(facts[place - 1].value["cut_over"]) if place else MIDNIGHT
        found.append(starts_at(day, clock, casino.zone))
    return tuple(found)


def day_begins_at(casino: Casino, day: date) -> datetime:
    [begins_at] = beginnings_of(casino, [day])
    return begins_at


def last_days(casino: Casino, today: date, count: int) -> Period:
    return Period(casino, today - (count - 1) * DAY, today)


def period_of(casino: Casino, chosen: Mapping[str, Any]) -> Period:
    """What a person chose for a report of a period."""
    return Period(casino, date.fromisoformat(chosen["first"]), date.fromisoformat(chosen["last"]))
