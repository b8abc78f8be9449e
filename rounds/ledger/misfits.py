"""What does not fit, in words for an inspector: which entry, which check found it, and what that means."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self

# A rewritten log differs everywhere: the first differences say all there is to say.
MOST_KEPT = 100


# Of what lies at the same place, what was found by the check that comes first here.
CHECKS = ("entries", "reversals", "tiles", "checkpoints", "records", "projections", "times", "head", "guards")

# (first, last): entries first..last-1, one of which, at least, does not fit.
Span = tuple[int, int]


@dataclass(frozen=True)
class Misfit:
    """One thing that does not fit, and the entries it concerns; none, where it concerns the log as a whole."""

    check: str
    span: Span | None
    sentence: str

    @property
    def index(self) -> int | None:
        return None if self.span is None else self.span[0]

    def as_record(self) -> dict[str, Any]:
        first, last = self.span or (None, None)
        return {"check": self.check, "first": first, "last": last, "says": self.sentence}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        span = None if record["first"] is None else (record["first"], record["last"])
        return cls(record["check"], span, record["says"])


class Misfits:
    """The misfits of one verification: all are counted, the first are kept."""

    def __init__(self) -> None:
        self.count = 0
        self._kept: list[Misfit] = []

    def add(self, check: str, span: Span | None, what: str, words: str = "") -> None:
        """``words`` name the entries, where more is known of them than their numbers."""
        subject = words or (name_entries(*span) if span else "")
        self._keep(Misfit(check, span, f"{subject}: {what}" if subject else what))

    def add_all(self, others: "Misfits") -> None:
        """Those of a stretch of the log; stretches are added in their order."""
        for misfit in others:
            self._keep(misfit)
        self.count += others.count - len(others._first())

    def _keep(self, misfit: Misfit) -> None:
        self.count += 1
        self._kept.append(misfit)
        if len(self._kept) >= 2 * MOST_KEPT:
            self._kept = self._first()

    def __iter__(self) -> Iterator[Misfit]:
        """By where a misfit is certain to lie: one known entry comes before a span that reaches beyond it."""
        return iter(self._first())

    def _first(self) -> list[Misfit]:
        return sorted(self._kept, key=_certain_by)[:MOST_KEPT]


def _certain_by(misfit: Misfit) -> tuple[bool, int, int]:
    return misfit.span is None, 0 if misfit.span is None else misfit.span[1], CHECKS.index(misfit.check)


def first_of(misfits: Iterable[Misfit]) -> Misfit | None:
    return min(misfits, key=_certain_by, default=None)


def write_moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def name_entry(index: int, kind: str, table: str | None, recorded_at: datetime) -> str:
    place = f", table {table}" if table else ""
    return f"Entry {index} (kind {kind}{place}, recorded {write_moment(recorded_at)})"


def name_entries(first: int, last: int) -> str:
    """Entries first..last-1."""
    return f"Entry {first}" if last - first == 1 else f"Entries {first} to {last - 1}"
