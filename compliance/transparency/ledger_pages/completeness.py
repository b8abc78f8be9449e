"""Completeness of a table's records in a period: sequence numbers present and missing, and silences of its controllers.

Every bundle of a range states the same, and `verify_bundle.py` checks it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from compliance.core.accounts.models import Casino
from compliance.core.web.ui.components import Tag
from rounds.ledger import export, readers
from rounds.transparency_log import offline

MAX_LISTED_RUNS = 20


class SilentPeriod(NamedTuple):
    """A silence of a feed. `until` is None if it lasted beyond the period."""

    controller: str
    since: datetime
    until: datetime | None


@dataclass(frozen=True)
class FeedStatement:
    """The sequence numbers of one controller for the table in the period."""

    controller: str
    feed: offline.FeedSequences

    @property
    def numbers(self) -> str:
        runs = self.feed.runs
        return f"{runs[0][0]:,} to {runs[-1][1]:,}" if runs else "No numbered line"

    @property
    def line_count(self) -> int:
        return sum(last - first + 1 for first, last in self.feed.runs)

    @property
    def missing_count(self) -> int:
        return sum(last - first + 1 for first, last in self.feed.missing_runs())

    @property
    def missing_text(self) -> str:
        return describe_runs(self.feed.missing_runs())

    @property
    def previous_number_text(self) -> str:
        number = self.feed.previous_number()
        return f"Number {number:,}" if number else "Nothing: these are its first" if self.feed.runs else ""

    @property
    def recorded_elsewhere_text(self) -> str:
        """Numbers within the runs that were recorded before or after the period."""
        return describe_runs([run for run in self.feed.related if self.feed.runs and run[0] > self.feed.runs[0][0]])

    @property
    def quarantined_text(self) -> str:
        return describe_runs([(number, number) for number in sorted(self.feed.set_aside)])

    @property
    def silences(self) -> list[SilentPeriod]:
        return [
            SilentPeriod(
                self.controller, datetime.fromisoformat(since), datetime.fromisoformat(until) if until else None
            )
            for since, until in sorted(self.feed.silences.items())
        ]


@dataclass(frozen=True)
class CompletenessStatement:
    """The statement. `first` and `last` are the entries of the period; `feeds` are those of the table."""

    table: str
    first: int
    last: int
    feeds: Sequence[FeedStatement]

    @property
    def tag(self) -> Tag:
        missing = sum(feed.missing_count for feed in self.feeds)
        if missing:
            return Tag(f"{missing:,} missing", "danger")
        return (
            Tag("Nothing is missing", "success")
            if any(feed.line_count for feed in self.feeds)
            else Tag("No line", "neutral")
        )

    @property
    def silences(self) -> list[SilentPeriod]:
        return [silence for feed in self.feeds for silence in feed.silences]


def completeness_statement(
    casino: Casino, table: str, since: datetime, until: datetime
) -> CompletenessStatement | None:
    """None if nothing was recorded in the period."""
    span = readers.index_span_between(casino.slug, since, until)
    if span is None:
        return None
    feeds = export.feeds_between(casino.slug, table, span[0], span[1] + 1).known
    return CompletenessStatement(
        table, *span, [FeedStatement(controller, feed) for (_, controller), feed in sorted(feeds.items())]
    )


def describe_runs(runs: Sequence[tuple[int, int]]) -> str:
    texts = [f"{first:,}" if first == last else f"{first:,} to {last:,}" for first, last in runs[:MAX_LISTED_RUNS]]
    more = f" and {len(runs) - MAX_LISTED_RUNS:,} more stretches" if len(runs) > MAX_LISTED_RUNS else ""
    return ", ".join(texts) + more or "None"
