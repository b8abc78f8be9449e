"""Issues: what does not match, as sentences for an inspector. Which entry, which check found it, what it means."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self

# In a rewritten log everything differs; the first differences are enough.
MAX_STORED_ISSUES = 100


# Order of precedence for issues at the same place.
CHECKS = ("entries", "reversals", "tiles", "checkpoints", "records", "projections", "times", "head", "guards")

# (first, last): at least one of entries first..last-1 does not match.
Span = tuple[int, int]


@dataclass(frozen=True)
class Issue:
    """One thing that does not match, and the entries concerned; `span` is None if it concerns the log as a whole."""

    check: str
    span: Span | None
    sentence: str

    @property
    def index(self) -> int | None:
        return None if self.span is None else self.span[0]

    def to_dict(self) -> dict[str, Any]:
        first, last = self.span or (None, None)
        return {"check": self.check, "first": first, "last": last, "says": self.sentence}

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Self:
        span = None if record["first"] is None else (record["first"], record["last"])
        return cls(record["check"], span, record["says"])


class IssueList:
    """The issues of one verification. All are counted, the first MAX_STORED_ISSUES are kept."""

    def __init__(self) -> None:
        self.count = 0
        self._stored: list[Issue] = []

    def add(self, check: str, span: Span | None, what: str, subject_text: str = "") -> None:
        """``subject_text`` names the entries if more is known about them than their indexes."""
        subject = subject_text or (describe_entries(*span) if span else "")
        self._store(Issue(check, span, f"{subject}: {what}" if subject else what))

    def add_all(self, others: "IssueList") -> None:
        """Add the issues of a range. Ranges are added in order."""
        for issue in others:
            self._store(issue)
        self.count += others.count - len(others._first_issues())

    def _store(self, issue: Issue) -> None:
        self.count += 1
        self._stored.append(issue)
        if len(self._stored) >= 2 * MAX_STORED_ISSUES:
            self._stored = self._first_issues()

    def __iter__(self) -> Iterator[Issue]:
        """In order of the last entry that can be concerned:
        a known single entry comes before a span that ends after it.
        """
        return iter(self._first_issues())

    def _first_issues(self) -> list[Issue]:
        return sorted(self._stored, key=_sort_key)[:MAX_STORED_ISSUES]


def _sort_key(issue: Issue) -> tuple[bool, int, int]:
    return issue.span is None, 0 if issue.span is None else issue.span[1], CHECKS.index(issue.check)


def first_issue(issues: Iterable[Issue]) -> Issue | None:
    return min(issues, key=_sort_key, default=None)


def format_utc(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def describe_entry(index: int, kind: str, table: str | None, recorded_at: datetime) -> str:
    place = f", table {table}" if table else ""
    return f"Entry {index} (kind {kind}{place}, recorded {format_utc(recorded_at)})"


def describe_entries(first: int, last: int) -> str:
    """ "Entry 4" or "Entries 4 to 7" for entries first..last-1."""
    return f"Entry {first}" if last - first == 1 else f"Entries {first} to {last - 1}"
