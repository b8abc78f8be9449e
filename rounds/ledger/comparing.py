"""Rows and projections of other apps, compared with the entries they came from, a window of the log at a time."""

from hashlib import sha256

from rounds.ledger.errors import EntryError
from rounds.ledger.following import Recorded
from rounds.ledger.leaves import write_body
from rounds.ledger.merkle import MAX_SIZE
from rounds.ledger.misfits import Misfits, name_entry
from rounds.ledger.recorded import Projection, RecordedRow, RowsBetween, every_projection, every_record, recorded_kinds

WINDOW_ENTRIES = 2000
WINDOW_BYTES = 16 * 1024 * 1024


class Comparison:
    """Entries are taken one by one; when the window is full, each app is asked once for what it has of it."""

    def __init__(self, log: str, start: int, misfits: Misfits) -> None:
        self.log, self.misfits = log, misfits
        self.rows = self.projections = 0
        self._first = self._end = start
        self._records = every_record()
        self._recorded_kinds = recorded_kinds()
        self._projections = every_projection()
        self._begin_window(start)

    def _begin_window(self, first: int) -> None:
        self._first = self._end = first
        self._bytes = 0
        self._digests: dict[int, tuple[str, bytes, str]] = {}
        self._entries: list[Recorded] = []

    def wants(self, kind: str) -> bool:
        return kind in self._recorded_kinds or self._is_projected(kind)

    def _is_projected(self, kind: str) -> bool:
        return any(projection.takes(kind) for projection in self._projections)

    def take(self, entry: Recorded) -> None:
        if entry.kind in self._recorded_kinds:
            words = name_entry(entry.index, entry.kind, entry.table, entry.recorded_at)
            self._digests[entry.index] = (entry.kind, sha256(entry.body).digest(), words)
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

    def _compare_window(self, end_of_rows: int) -> None:
        first, last = self._first, self._end
        for rows, kinds in self._records:
            self._compare_rows(rows, kinds, first, end_of_rows)
        if first < last:
            for projection in self._projections:
                self._compare_projection(projection, first, projection.end(self.log, last))
        self._begin_window(last)

    def _compare_projection(self, projection: Projection, first: int, end: int) -> None:
        if first >= end:
            return
        entries = [entry for entry in self._entries if entry.index < end and projection.takes(entry.kind)]
        self.projections += len(entries)
        for index, sentence in projection.differences(self.log, first, end, entries):
            self.misfits.add("projections", (index, index + 1), f"{projection.name}: {sentence}")

    def finish(self) -> None:
        """With the last window, whatever claims to come from beyond the end of the log."""
        self._compare_window(MAX_SIZE)

    def _compare_rows(self, rows: RowsBetween, kinds: frozenset[str], first: int, last: int) -> None:
        due = {index for index, (kind, _, _) in self._digests.items() if kind in kinds}
        for row in rows(self.log, first, last):
            self.rows += 1
            self._compare_row(row, kinds)
            due.discard(row.entry_index)
        for index in sorted(due):
            self._name(index, "the row that was kept of it is gone.")

    def _compare_row(self, row: RecordedRow, kinds: frozenset[str]) -> None:
        kind, digest, _ = self._digests.get(row.entry_index, ("", b"", ""))
        if kind not in kinds:
            self._name(row.entry_index, "a row claims to come from it, and does not.")
        elif _digest_of(row) != digest:
            self._name(row.entry_index, "the row that was kept of it now says something else.")

    def _name(self, index: int, what: str) -> None:
        words = self._digests[index][2] if index in self._digests else ""
        self.misfits.add("records", (index, index + 1), what, words)


def _digest_of(row: RecordedRow) -> bytes:
    try:
        return sha256(write_body(row.as_record())).digest()
    except EntryError:
        return b""
