"""What does not fit, in words for an inspector: which entry, which check found it, and what that means."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self

# A rewritten log differs everywhere: the first differences say all there is to say.
MAX_STORED_ISSUES = 100


# Of what lies at the same place, what was found by the check that comes first here.
CHECKS = ("entries", "reversals", "tiles", "checkpoints", "records", "projections", "times", "head", "guards")

# (first, last): entries first..last-1, one of which, at least, does not fit.
Span = tuple[int, int]


@dataclass(frozen=True)
class Issue:
    """One thing that does not fit, and the entries it concerns; none, where it concerns the log as a whole."""

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
    """The misfits of one verification: all are counted, the first are kept."""

    def __init__(self) -> None:
        self.count = 0
        self._stored: list[Issue] = []

    def add(self, check: str, span: Span | None, what: str, subject_text: str = "") -> None:
        """``words`` name the entries, where more is known of them than their numbers."""
        subject = subject_text or (describe_entries(*span) if span else "")
        self._store(Issue(check, span, f"{subject}: {what}" if subject else what))

    def add_all(self, others: "IssueList") -> None:
        """Those of a stretch of the log; stretches are added in their order."""
        for misfit in others:
            self._store(misfit)
        self.count += others.count - len(others._first_issues())

    def _store(self, issue: Issue) -> None:
        self.count += 1
        self._stored.append(issue)
        if len(self._stored) >= 2 * MAX_STORED_ISSUES:
            self._stored = self._first_issues()

    def __iter__(self) -> Iterator[Issue]:
        """By where a misfit is certain to lie: one known entry comes before a span that reaches beyond it."""
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
    """Entries first..last-1."""
    return f"Entry {first}" if last - first == 1 else f"Entries {first} to {last - 1}"
