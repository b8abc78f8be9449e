"""Compares rows and projections of other apps with the entries they came from, in windows of the log."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple, TypeVar

from django.db import DataError, Error

from rounds.ledger.entry import LogEntry
from rounds.ledger.models import Entry
from rounds.ledger.registry import (
    LedgerRow,
    Projection,
    RowSource,
    kinds_with_rows,
    registered_projections,
    registered_rows,
    rows_of_other_casinos,
    unregistered_ledger_models,
)
from rounds.ledger.storage import get_log
from rounds.ledger.verify.issues import IssueList, describe_entry
from rounds.ledger.verify.safe_timestamps import clamped_timestamp
from rounds.transparency_log.formats.leaf import encode_body
from rounds.transparency_log.tree.merkle import MAX_SIZE

WINDOW_ENTRIES = 10_000
WINDOW_BYTES = 16 * 1024 * 1024
# A source without entries in a window is queried later, together with the following windows, up to this many entries.
MAX_SPAN_ENTRIES = 1_000_000

Item = TypeVar("Item")


class ComparisonCounts(NamedTuple):
    """How much was compared in a range, and, for each row source and each projection,
    the first entry not compared yet.
    """

    rows: int
    projections: int
    records_from: Sequence[int]
    projections_from: Sequence[int]


class _Comparer:
    """Reads what an app has for entries first..last-1 and
    compares it with the `_digests` and `_entries` of the window.
    """

    def __init__(self, log: str, issues: IssueList) -> None:
        self.log, self.issues = log, issues
        self.rows = self.projections = 0
        self._records, self._projections = registered_rows(), registered_projections()
        self._recorded_kinds = kinds_with_rows()
        self._reached: dict[str, int] = {}
        self._begin_window(0)

    def _begin_window(self, first: int) -> None:
        self._first = self._end = first
        self._digests: dict[int, tuple[str, bytes, str, datetime | None]] = {}
        self._entries: list[LogEntry] = []
        self._of_kind: dict[str, list[LogEntry]] = {}

    def _compare_projection(self, projection: Projection, first: int, last: int) -> None:
        end = self._projection_end_index(projection, last)
        if first >= end:
            return
        entries = _entries_between(self._entries_for(projection), first, end)
        self.projections += len(entries)

        def differences(first: int, last: int) -> Iterable[tuple[int | None, str]]:
            return projection.verify_rows(self.log, first, last, _entries_between(entries, first, last))

        for index, sentence in self._read_bisecting(differences, first, end):
            span = None if index is None else (index, index + 1)
            self.issues.add("projections", span, f"{projection.name}: {sentence}")

    def _projection_end_index(self, projection: Projection, last: int) -> int:
        """The end of what the projection's consumer has handled. Cached: it does not change within one snapshot."""
        if projection.name not in self._reached:
            self._reached[projection.name] = projection.verifiable_end(self.log, MAX_SIZE)
        return min(last, self._reached[projection.name])

    def _entries_for(self, projection: Projection) -> Sequence[LogEntry]:
        kinds = [kind for kind in self._of_kind if projection.accepts_kind(kind)]
        if len(kinds) == len(self._of_kind):
            return self._entries
        if len(kinds) == 1:
            return self._of_kind[kinds[0]]
        return [entry for entry in self._entries if entry.kind in kinds] if kinds else ()

    def _compare_rows(self, rows: RowSource, takes: Callable[[str], bool], first: int, last: int) -> None:
        due = {index for index, (kind, *_) in self._digests.items() if takes(kind)}
        has_rows = False
        for row in self._read_bisecting(lambda first, last: rows(self.log, first, last), first, last):
            self.rows += 1
            self._compare_row(row, takes)
            due.discard(row.entry_index)
            has_rows = True
        if has_rows:
            self._compare_casinos(rows, first, last)
        for index in sorted(due):
            self._add_issue(index, "the row that was kept of it is gone.")

    def _compare_casinos(self, rows: RowSource, first: int, last: int) -> None:
        for index in rows_of_other_casinos(rows, self.log, first, last):
            self._add_issue(index, "the row that was kept of it names another casino.")

    def _read_bisecting(self, read: Callable[[int, int], Iterable[Item]], first: int, last: int) -> Iterator[Item]:
        """Read what an app has for entries first..last-1.

        If that raises, bisect to find the entry that cannot be read.
        """
        try:
            found = list(read(first, last))
        except Exception as unreadable:  # A tampered value can raise anything.
            if isinstance(unreadable, Error) and not isinstance(unreadable, DataError):
                raise  # The database itself failed; halving would not help.
            if last - first == 1 or first >= self._end:
                self._add_issue(first, "what was kept of it can no longer be read.")
                return
            half = self._end if last > self._end else (first + last) // 2
            yield from self._read_bisecting(read, first, half)
            yield from self._read_bisecting(read, half, last)
        else:
            yield from found

    def _compare_row(self, row: LedgerRow, takes: Callable[[str], bool]) -> None:
        kind, digest, _, recorded_at = self._digests.get(row.entry_index, ("", b"", "", None))
        if not takes(kind):
            self._add_issue(row.entry_index, "a row claims to come from it, and does not.")
        elif _row_digest(row) != digest:
            self._add_issue(row.entry_index, "the row that was kept of it now says something else.")
        elif (column := getattr(row, "entry_time", "")) and getattr(row, column) != recorded_at:
            self._add_issue(row.entry_index, "the row that was kept of it was written at another time.")

    def _add_issue(self, index: int, what: str) -> None:
        self.issues.add("records", (index, index + 1), what, self._describe_entry(index))

    def _describe_entry(self, index: int) -> str:
        """Kind, table and time of the entry, if it is of a kind that has rows."""
        if index in self._digests:
            return self._digests[index][2]
        if index >= self._first:
            return ""
        entry = Entry.objects.filter(log=get_log(self.log), index=index, kind__in=self._recorded_kinds)
        facts = entry.values_list("kind", "table", clamped_timestamp("recorded_at")).first()
        return describe_entry(index, *facts) if facts else ""


class RangeComparer(_Comparer):
    """Compares one range of the log.

    Entries are collected until the window is full, then compared with the apps they concern.
    """

    def __init__(self, log: str, start: int, issues: IssueList) -> None:
        super().__init__(log, issues)
        self._records_from, self._projections_from = [start] * len(self._records), [start] * len(self._projections)
        self._is_projected: dict[str, bool] = {}
        self._begin_window(start)

    def _begin_window(self, first: int) -> None:
        super()._begin_window(first)
        self._bytes = 0

    def add_entries(self, entries: Iterable[LogEntry], end: int) -> None:
        """Add entries; the log was read up to `end`. Compares if the window is full."""
        for entry in entries:
            kind = entry.kind
            if kind in self._recorded_kinds:
                words = describe_entry(entry.index, kind, entry.table, entry.recorded_at)
                self._digests[entry.index] = (kind, sha256(entry.body).digest(), words, entry.recorded_at)
            of_kind = self._of_kind.get(kind)
            if of_kind is None:
                if not self._concerns_projections(kind):
                    continue
                of_kind = self._of_kind[kind] = []
            of_kind.append(entry)
            self._entries.append(entry)
            self._bytes += len(entry.body)
        self._end = end
        if end - self._first >= WINDOW_ENTRIES or self._bytes >= WINDOW_BYTES:
            self._compare_window()

    def _concerns_projections(self, kind: str) -> bool:
        if kind not in self._is_projected:
            self._is_projected[kind] = any(one.accepts_kind(kind) for one in self._projections)
        return self._is_projected[kind]

    def finish(self, end: int) -> ComparisonCounts:
        """Compare the last window of the range."""
        self._end = end
        self._compare_window()
        return ComparisonCounts(self.rows, self.projections, self._records_from, self._projections_from)

    def _compare_window(self) -> None:
        """Compare the sources whose kinds occur in the window, and those that were deferred for MAX_SPAN_ENTRIES."""
        recorded = {kind for kind, *_ in self._digests.values()}
        for position, (rows, kinds) in enumerate(self._records):
            if not kinds.isdisjoint(recorded) or self._is_span_full(self._records_from[position]):
                self._compare_rows(rows, kinds.__contains__, self._records_from[position], self._end)
                self._records_from[position] = self._end
        for position, projection in enumerate(self._projections):
            if any(map(projection.accepts_kind, self._of_kind)) or self._is_span_full(self._projections_from[position]):
                self._compare_projection(projection, self._projections_from[position], self._end)
                self._projections_from[position] = self._end
        self._begin_window(self._end)

    def _is_span_full(self, start: int) -> bool:
        return self._end - start >= MAX_SPAN_ENTRIES


class DeferredComparison(_Comparer):
    """Compares what the ranges of a log left open:
    sources without entries there are queried for several ranges at once.
    """

    def __init__(self, log: str, start: int, issues: IssueList) -> None:
        super().__init__(log, issues)
        self._records_from, self._projections_from = [start] * len(self._records), [start] * len(self._projections)

    def add_range(self, first: int, end: int, compared: ComparisonCounts) -> None:
        """Add the result of the next range, entries first..end-1, and compare what has been open too long."""
        self.rows += compared.rows
        self.projections += compared.projections
        self._first = self._end = end
        for position, start in enumerate(compared.records_from):
            if left := _span_to_compare(self._records_from, position, first, end, start):
                self._compare_nonempty_rows([position], *left)
        for position, start in enumerate(compared.projections_from):
            if left := _span_to_compare(self._projections_from, position, first, end, start):
                self._compare_projection(self._projections[position], *left)

    def finish(self, end: int, *, is_complete: bool) -> None:
        """Compare what is left, and, at the end of the log, rows that claim to come from later entries."""
        self._first = self._end = end
        starts: dict[int, list[int]] = {}
        for place, start in enumerate(self._records_from):
            starts.setdefault(start, []).append(place)
        for start, places in starts.items():
            if is_complete or start < end:
                self._compare_nonempty_rows(places, start, MAX_SIZE if is_complete else end)
        for projection, start in zip(self._projections, self._projections_from, strict=True):
            self._compare_projection(projection, start, end)

    def _compare_nonempty_rows(self, indexes: Sequence[int], first: int, last: int) -> None:
        """Compare only sources that have rows. Almost none do, and one query shows it for all."""
        sources = [self._records[position] for position in indexes]
        empty = unregistered_ledger_models([rows for rows, _ in sources], self.log, first, last)
        for rows, kinds in sources:
            if rows not in empty:
                self._compare_rows(rows, kinds.__contains__, first, last)


def _span_to_compare(open_from: list[int], index: int, first: int, end: int, start: int) -> tuple[int, int] | None:
    """What is to be compared now, if the range first..end-1 compared the source up to `start`. None defers it."""
    waits_from = open_from[index]
    if start > first:
        open_from[index] = start
        return (waits_from, first) if waits_from < first else None
    if end - waits_from < MAX_SPAN_ENTRIES:
        return None
    open_from[index] = end
    return waits_from, end


def _entries_between(entries: Sequence[LogEntry], first: int, last: int) -> Sequence[LogEntry]:
    if not entries or (first <= entries[0].index and entries[-1].index < last):
        return entries
    return [entry for entry in entries if first <= entry.index < last]


def _row_digest(row: LedgerRow) -> bytes:
    try:
        return sha256(encode_body(row.entry_body())).digest()
    except Exception:  # A row that cannot be read does not match its entry.
        return b""
