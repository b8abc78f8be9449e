"""A stretch of gaming days: what is reported and charted together, and between which instants it lies."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from compliance.accounts.models import Casino
from compliance.reports.wording import day_words
from rounds.floor.gaming_days import MIDNIGHT, starts_at
from rounds.floor.selectors import casino_facts_at
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

    @property
    def begins_at(self) -> datetime:
        return day_begins_at(self.casino, self.first)

    @property
    def ends_at(self) -> datetime:
        """Not included: the last day ends where the next one begins."""
        return day_begins_at(self.casino, self.last + DAY)

    @property
    def words(self) -> str:
        if self.first == self.last:
            return f"gaming day {day_words(self.first)}"
        return f"gaming days {day_words(self.first)} to {day_words(self.last)}"

    def as_chosen(self) -> dict[str, str]:
        return {"first": self.first.isoformat(), "last": self.last.isoformat()}


def day_begins_at(casino: Casino, day: date) -> datetime:
    """At the cut-over that held when that day began, on nights when clocks change too."""
    midnight = starts_at(day, MIDNIGHT, casino.zone)
    stated = casino_facts_at(casino, midnight).get(GamingDay)
    return starts_at(day, clock_time(stated.cut_over), casino.zone) if stated else midnight


def period_of(casino: Casino, chosen: Mapping[str, Any]) -> Period:
    """What a person chose for a report of a period."""
    return Period(casino, date.fromisoformat(chosen["first"]), date.fromisoformat(chosen["last"]))
