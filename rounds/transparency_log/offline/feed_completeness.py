"""Sequence numbers that controllers give their lines: which are present,
which are missing, and when a feed was silent.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

from rounds.transparency_log.offline.strict_read import parse_json_object

SILENT, RETURNED, QUARANTINED = "feed-silent", "feed-returned", "feed-quarantined"
SequenceRun = tuple[int, int]
# Not "never silent": the exporter could have left out the entry that records an earlier silence.
NO_SILENCE_TEXT = "no silence is recorded here."


class FeedSequences:
    """The sequence numbers of one controller for one table: present, quarantined, and the times of its silences."""

    def __init__(self) -> None:
        self.runs: list[SequenceRun] = []
        self.related: list[SequenceRun] = []
        self.set_aside: set[int] = set()
        self.silences: dict[str, str | None] = {}

    def apply_event(self, kind: str, body: dict[str, Any]) -> None:
        if kind == SILENT:
            self.silences.setdefault(str(body.get("last_seen_at")), None)
        elif kind == RETURNED:
            self.silences[str(body.get("silent_since"))] = str(body.get("seen_at"))
        elif isinstance(body.get("sequence"), int):
            self.set_aside.add(body["sequence"])

    def previous_number(self) -> int:
        """The highest number below this range that the log is shown to have; 0 before the very first."""
        lowest = self.runs[0][0] if self.runs else 0
        return max((last for _, last in self.related if last < lowest), default=0)

    def missing_runs(self) -> list[SequenceRun]:
        """Numbers up to the last one here that neither these entries nor the related ones have."""
        if not self.runs:
            return []
        there: list[SequenceRun] = []
        for first, last in sorted([*self.runs, *self.related, *((one, one) for one in self.set_aside)]):
            there = merge_run(there, first, last)
        due, found = self.previous_number() + 1, []
        for first, last in there:
            if due < first <= self.runs[-1][1]:
                found.append((due, first - 1))
            due = max(due, last + 1)
        return found

    def as_statement(self) -> dict[str, Any]:
        return {
            "first": self.runs[0][0] if self.runs else None,
            "last": self.runs[-1][1] if self.runs else None,
            "count": sum(last - first + 1 for first, last in self.runs),
            "follows": self.previous_number(),
            "elsewhere": [[first, last] for first, last in self.related if self.runs and first > self.runs[0][0]],
            "missing": [[first, last] for first, last in self.missing_runs()],
            "set_aside": sorted(self.set_aside),
            "silent": [[since, self.silences[since]] for since in sorted(self.silences)],
        }


def merge_run(runs: list[SequenceRun], first: int, last: int) -> list[SequenceRun]:
    """Insert a run and join it with those it touches. Usually it comes after all others."""
    position = bisect_left(runs, (first, last)) if runs and runs[-1][1] >= first else len(runs)
    begin = position - 1 if position and runs[position - 1][1] >= first - 1 else position
    end = position
    while end < len(runs) and runs[end][0] <= last + 1:
        end += 1
    touched = runs[begin:end]
    runs[begin:end] = [(min([first, *(run[0] for run in touched)]), max([last, *(run[1] for run in touched)]))]
    return runs


class FeedTable:
    """The feeds of all tables, collected from entries."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, str], FeedSequences] = {}

    def feed_for(self, table: str, controller: str) -> FeedSequences:
        return self.known.setdefault((table, controller), FeedSequences())

    def add_entry(self, facts: dict[str, Any], body: object, *, is_related: bool = False) -> None:
        """Add one entry, given its header's facts.

        A related entry, outside the range, only shows that its number exists.
        """
        kind, table = str(facts["kind"]), str(facts.get("table") or "")
        if kind in (SILENT, RETURNED, QUARANTINED):
            event = parse_json_object(str(body).encode(), f"The body of a {kind} entry")
            self.feed_for(str(event.get("table") or ""), str(event.get("controller") or "")).apply_event(kind, event)
        elif isinstance(facts.get("sequence"), int):
            feed, number = self.feed_for(table, str(facts.get("controller") or "")), facts["sequence"]
            merge_run(feed.related if is_related else feed.runs, number, number)

    def as_statement(self) -> list[dict[str, Any]]:
        return [
            {"table": table, "controller": controller, **feed.as_statement()}
            for (table, controller), feed in sorted(self.known.items())
        ]


def describe_runs(runs: list[list[int]]) -> str:
    texts = [str(first) if first == last else f"{first} to {last}" for first, last in runs[:20]]
    return ", ".join(texts) + (f" and {len(runs) - 20} more stretches" if len(runs) > 20 else "")


def describe_feed(feed: dict[str, Any]) -> str:
    """One sentence that describes a feed of the completeness statement."""
    who = f"Table {feed['table']}, controller {feed['controller']}"
    missing = sum(last - first + 1 for first, last in feed["missing"])
    if not feed["count"]:
        numbers = "no numbered line"
    elif missing:
        numbers = f"numbers {feed['first']} to {feed['last']}, MISSING {missing}: {describe_runs(feed['missing'])}"
    else:
        numbers = f"numbers {feed['first']} to {feed['last']}, none missing"
        numbers += f", and they follow number {feed['follows']}" if feed["follows"] else ""
    aside = f"; {len(feed['set_aside'])} set aside in quarantine" if feed["set_aside"] else ""
    quiet = "; ".join(f"{since} to {until or 'the end'}" for since, until in feed["silent"][:20])
    silences = f"silent {len(feed['silent'])} times: {quiet}." if quiet else NO_SILENCE_TEXT
    return f"{who}: {numbers}{aside}; {silences}"
