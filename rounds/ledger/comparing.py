"""Rows and projections of other apps, compared with the entries they came from, a window of the log at a time."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from hashlib import sha256
from typing import TypeVar

from django.db import DataError, Error

from rounds.ledger.following import Recorded
from rounds.ledger.leaves import write_body
from rounds.ledger.merkle import MAX_SIZE
from rounds.ledger.misfits import Misfits, name_entry
from rounds.ledger.recorded import (
    Projection,
    RecordedRow,
    RowsBetween,
    every_projection,
    every_record,
    recorded_kinds,
    rows_of_another_casino,
)

# Wide, because every app is asked about every window, however few of its entries lie there.
WINDOW_ENTRIES = 10_000
WINDOW_BYTES = 16 * 1024 * 1024

Found = TypeVar("Found")


class Comparison:
    """Entries are taken one by one; when the window is full, each app is asked once for what it has of it."""

    def __init__(self, log: str, start: int, misfits: Misfits) -> None:
        self.log, self.misfits = log, misfits
        self.rows = self.projections = 0
        self._first = self._end = start
        self._records = every_record()
        self._recorded_kinds = recorded_kinds()
        self._projections = every_projection()
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
            self._projected[kind] = any(projection.takes(kind) for projection in self._projections)
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
            self.compare()

    def compare(self) -> None:
        if self._first < self._end:
            self._compare_window(self._end)

    def finish(self) -> None:
        """The last window, and whatever claims to come from entries after the last."""
        self._compare_window(MAX_SIZE)

    def _compare_window(self, rows_before: int) -> None:
        first, last = self._first, self._end
        for rows, kinds in self._records:
            self._compare_rows(rows, kinds, first, rows_before)
        for projection in self._projections:
            self._compare_projection(projection, first, projection.end(self.log, last))
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

    def _compare_rows(self, rows: RowsBetween, kinds: frozenset[str], first: int, last: int) -> None:
        due = {index for index, (kind, *_) in self._digests.items() if kind in kinds}
        is_kept = False
        for row in self._read(lambda first, last: rows(self.log, first, last), first, last):
            self.rows += 1
            self._compare_row(row, kinds)
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

    def _compare_row(self, row: RecordedRow, kinds: frozenset[str]) -> None:
        kind, digest, _, recorded_at = self._digests.get(row.entry_index, ("", b"", "", None))
        if kind not in kinds:
            self._name(row.entry_index, "a row claims to come from it, and does not.")
        elif _digest_of(row) != digest:
            self._name(row.entry_index, "the row that was kept of it now says something else.")
        elif (column := getattr(row, "entry_time", "")) and getattr(row, column) != recorded_at:
            self._name(row.entry_index, "the row that was kept of it was written at another time.")

    def _name(self, index: int, what: str) -> None:
        words = self._digests[index][2] if index in self._digests else ""
        self.misfits.add("records", (index, index + 1), what, words)


def _digest_of(row: RecordedRow) -> bytes:
    try:
        return sha256(write_body(row.as_record())).digest()
    except Exception:  # A row that no longer makes sense does not say what its entry says.
        return b""
