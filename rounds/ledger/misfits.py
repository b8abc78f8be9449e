"""What does not fit, in words for an inspector: which entry, which check found it, and what that means."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

# A rewritten log differs everywhere: the first differences say all there is to say.
MOST_KEPT = 100


@dataclass(frozen=True)
class Misfit:
    """One thing that does not fit. ``index`` is the first entry it concerns; None where it concerns no entry."""

    check: str
    index: int | None
    sentence: str


class Misfits:
    """The misfits of one verification: all are counted, the first of each check are kept."""

    def __init__(self) -> None:
        self.count = 0
        self._kept: list[Misfit] = []

    def add(self, check: str, index: int | None, sentence: str) -> None:
        self.count += 1
        if len(self._kept) < MOST_KEPT:
            self._kept.append(Misfit(check, index, sentence))

    def __iter__(self) -> Iterator[Misfit]:
        """In the order of the log; what concerns no entry comes last."""
        return iter(sorted(self._kept, key=lambda misfit: (misfit.index is None, misfit.index or 0)))


def write_moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def name_entry(index: int, kind: str, table: str | None, recorded_at: datetime) -> str:
    place = f", table {table}" if table else ""
    return f"Entry {index} (kind {kind}{place}, recorded {write_moment(recorded_at)})"


def name_entries(first: int, last: int) -> str:
    """Entries first..last-1."""
    return f"Entry {first}" if last - first == 1 else f"Entries {first} to {last - 1}"
