"""What is said of a table and a period: which numbers its controllers gave, whether any is missing, when they were
silent. The same is in every bundle of a range, where `verify_bundle.py` checks it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from compliance.accounts.models import Casino
from compliance.web.components import Tag
from rounds.ledger.completeness import feeds_between
from rounds.ledger.offline.feeds import Feed
from rounds.ledger.searching import span_between

SHOWN_RUNS = 20


class Silence(NamedTuple):
    """`until` is None for one that had not ended when the period did."""

    controller: str
    since: datetime
    until: datetime | None


@dataclass(frozen=True)
class FeedStated:
    """One controller's numbers for the table in the period."""

    controller: str
    feed: Feed

    @property
    def numbers(self) -> str:
        runs = self.feed.runs
        return f"{runs[0][0]:,} to {runs[-1][1]:,}" if runs else "No numbered line"

    @property
    def count(self) -> int:
        return sum(last - first + 1 for first, last in self.feed.runs)

    @property
    def missing(self) -> int:
        return sum(last - first + 1 for first, last in self.feed.missing())

    @property
    def missing_words(self) -> str:
        return in_words(self.feed.missing())

    @property
    def follows(self) -> str:
        number = self.feed.follows()
        return f"Number {number:,}" if number else "Nothing: these are its first" if self.feed.runs else ""

    @property
    def elsewhere_words(self) -> str:
        """Numbers between these that were recorded before or after the period."""
        return in_words([run for run in self.feed.beside if self.feed.runs and run[0] > self.feed.runs[0][0]])

    @property
    def set_aside_words(self) -> str:
        return in_words([(number, number) for number in sorted(self.feed.set_aside)])

    @property
    def silences(self) -> list[Silence]:
        return [
            Silence(self.controller, datetime.fromisoformat(since), datetime.fromisoformat(until) if until else None)
            for since, until in sorted(self.feed.silences.items())
        ]


@dataclass(frozen=True)
class Stated:
    """`first` and `last` are the entries that the period comes to; `feeds` those of the table in them."""

    table: str
    first: int
    last: int
    feeds: Sequence[FeedStated]

    @property
    def tag(self) -> Tag:
        missing = sum(feed.missing for feed in self.feeds)
        if missing:
            return Tag(f"{missing:,} missing", "danger")
        return (
            Tag("Nothing is missing", "success")
            if any(feed.count for feed in self.feeds)
            else Tag("No line", "neutral")
        )

    @property
    def silences(self) -> list[Silence]:
        return [silence for feed in self.feeds for silence in feed.silences]


def state_completeness(casino: Casino, table: str, since: datetime, until: datetime) -> Stated | None:
    """None where nothing was recorded in that time."""
    span = span_between(casino.slug, since, until)
    if span is None:
        return None
    feeds = feeds_between(casino.slug, table, span[0], span[1] + 1).known
    return Stated(table, *span, [FeedStated(controller, feed) for (_, controller), feed in sorted(feeds.items())])


def in_words(runs: Sequence[tuple[int, int]]) -> str:
    shown = [f"{first:,}" if first == last else f"{first:,} to {last:,}" for first, last in runs[:SHOWN_RUNS]]
    more = f" and {len(runs) - SHOWN_RUNS:,} more stretches" if len(runs) > SHOWN_RUNS else ""
    return ", ".join(shown) + more or "None"
