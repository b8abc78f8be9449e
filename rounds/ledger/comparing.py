"""Rows and projections of other apps, compared with the entries they came from, a window of the log at a time."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from hashlib import sha256
from typing import Generic, TypeVar

from django.db import DataError, Error

from rounds.ledger.following import Recorded
from rounds.ledger.leaves import write_body
from rounds.ledger.merkle import MAX_SIZE
from rounds.ledger.misfits import Misfits, name_entry
from rounds.ledger.models import Entry
from rounds.ledger.recorded import (
    Projection,
    RecordedRow,
    RowsBetween,
    every_projection,
    every_record,
    recorded_kinds,
    rows_of_another_casino,
)
from rounds.ledger.stored import log_named
from rounds.ledger.times import readable

WINDOW_ENTRIES = 10_000
WINDOW_BYTES = 16 * 1024 * 1024
# Whoever has nothing in a window is asked about it later, with the windows after it, up to so many entries together.
WIDEST_ENTRIES = 1_000_000

Found = TypeVar("Found")


class Comparison:
    """Entries are taken one by one; when the window is full, the apps they concern are asked for what they have."""

    def __init__(self, log: str, start: int, misfits: Misfits) -> None:
        self.log, self.misfits = log, misfits
        self.rows = self.projections = 0
        self._first = self._end = start
        self._records = [_Asked(rows, kinds.__contains__, start) for rows, kinds in every_record()]
        self._recorded_kinds = recorded_kinds()
        self._projections = [_Asked(one, one.takes, start) for one in every_projection()]
        self._projected: dict[str, bool] = {}
        self._begin_window(start)

    def _begin_window(self, first: int) -> None:
        self._first = self._end = first
        self._bytes = 0
        self._digests: dict[int, tuple[str, bytes, str, datetime | None]] = {}
        self._entries: list[Recorded] = []

    def wants(self, kind: str) -> bool:
        return kind in self._recorded_kinds or self._is_projected(kind)

    def _is_projected(self, kind: str) -> bool:
        if kind not in self._projected:
            self._projected[kind] = any(one.takes(kind) for one in self._projections)
        return self._projected[kind]

    def take(self, entry: Recorded) -> None:
        if entry.kind in self._recorded_kinds:
            words = name_entry(entry.index, entry.kind, entry.table, entry.recorded_at)
            self._digests[entry.index] = (entry.kind, sha256(entry.body).digest(), words, entry.recorded_at)
        if self._is_projected(entry.kind):
            self._entries.append(entry)
            self._bytes += len(entry.body)

    def reach(self, end: int) -> None:
        """The log was read up to `end`: compare if the window is full."""
        self._end = end
        if end - self._first >= WINDOW_ENTRIES or self._bytes >= WINDOW_BYTES:
            self._compare_window(end, is_last=False)

    def compare(self) -> None:
        """All that was taken and was not compared yet."""
        self._compare_window(self._end, is_last=True)

    def finish(self) -> None:
        """The last window, and whatever claims to come from entries after the last."""
        self._compare_window(MAX_SIZE, is_last=True)

    def _compare_window(self, rows_before: int, *, is_last: bool) -> None:
        last = self._end
        recorded = {kind for kind, *_ in self._digests.values()}
        for rows in self._records:
            if is_last or rows.is_concerned(recorded, last):
                self._compare_rows(rows.whom, rows.takes, rows.first, rows_before)
                rows.first = last
        projected = {entry.kind for entry in self._entries}
        for derived in self._projections:
            if is_last or derived.is_concerned(projected, last):
                self._compare_projection(derived.whom, derived.first, derived.whom.end(self.log, last))
                derived.first = last
        self._begin_window(last)

    def _compare_projection(self, projection: Projection, first: int, end: int) -> None:
        if first >= end:
            return
        kinds = {kind for kind, is_projected in self._projected.items() if is_projected and projection.takes(kind)}
        entries = [entry for entry in self._entries if entry.kind in kinds and entry.index < end] if kinds else []
        self.projections += len(entries)

        def differences(first: int, last: int) -> Iterable[tuple[int | None, str]]:
            between = [entry for entry in entries if first <= entry.index < last]
            return projection.differences(self.log, first, last, between)

        for index, sentence in self._read(differences, first, end):
            span = None if index is None else (index, index + 1)
            self.misfits.add("projections", span, f"{projection.name}: {sentence}")

    def _compare_rows(self, rows: RowsBetween, takes: Callable[[str], bool], first: int, last: int) -> None:
        due = {index for index, (kind, *_) in self._digests.items() if takes(kind)}
        is_kept = False
        for row in self._read(lambda first, last: rows(self.log, first, last), first, last):
            self.rows += 1
            self._compare_row(row, takes)
            due.discard(row.entry_index)
            is_kept = True
        if is_kept:
            self._compare_casinos(rows, first, last)
        for index in sorted(due):
            self._name(index, "the row that was kept of it is gone.")

    def _compare_casinos(self, rows: RowsBetween, first: int, last: int) -> None:
        for index in rows_of_another_casino(rows, self.log, first, last):
            self._name(index, "the row that was kept of it names another casino.")

    def _read(self, ask: Callable[[int, int], Iterable[Found]], first: int, last: int) -> Iterator[Found]:
        """What an app has of entries first..last-1. What it cannot even read is looked for in ever smaller halves."""
        try:
            found = list(ask(first, last))
        except Exception as unreadable:  # A value that was tampered with can raise anything.
            if isinstance(unreadable, Error) and not isinstance(unreadable, DataError):
                raise  # It is the database that fails, and would in either half.
            if last - first == 1 or first >= self._end:
                self._name(first, "what was kept of it can no longer be read.")
                return
            half = (first + last) // 2
            yield from self._read(ask, first, half)
            yield from self._read(ask, half, last)
        else:
            yield from found

    def _compare_row(self, row: RecordedRow, takes: Callable[[str], bool]) -> None:
        kind, digest, _, recorded_at = self._digests.get(row.entry_index, ("", b"", "", None))
        if not takes(kind):
            self._name(row.entry_index, "a row claims to come from it, and does not.")
        elif _digest_of(row) != digest:
            self._name(row.entry_index, "the row that was kept of it now says something else.")
        elif (column := getattr(row, "entry_time", "")) and getattr(row, column) != recorded_at:
            self._name(row.entry_index, "the row that was kept of it was written at another time.")

    def _name(self, index: int, what: str) -> None:
        self.misfits.add("records", (index, index + 1), what, self._words(index))

    def _words(self, index: int) -> str:
        """The entry by its kind, table and time, where it is one that rows are kept of."""
        if index in self._digests:
            return self._digests[index][2]
        if index >= self._first:
            return ""
        entry = Entry.objects.filter(log=log_named(self.log), index=index, kind__in=self._recorded_kinds)
        facts = entry.values_list("kind", "table", readable("recorded_at")).first()
        return name_entry(index, *facts) if facts else ""


class _Asked(Generic[Found]):
    """Somebody who keeps something of these kinds of entries, and the first entry to ask them about next."""

    def __init__(self, whom: Found, takes: Callable[[str], bool], first: int) -> None:
        self.whom, self.takes, self.first = whom, takes, first

    def is_concerned(self, kinds: Iterable[str], end: int) -> bool:
        return end - self.first >= WIDEST_ENTRIES or any(map(self.takes, kinds))


def _digest_of(row: RecordedRow) -> bytes:
    try:
        return sha256(write_body(row.as_record())).digest()
    except Exception:  # A row that no longer makes sense does not say what its entry says.
        return b""
