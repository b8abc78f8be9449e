"""Checks one range of a log by itself; verify_log.py merges the ranges and compares them with the tree.

The ranges, and therefore the results, do not depend on the number of processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import Max

from rounds.ledger.entry import LogEntry
from rounds.ledger.entry_kinds import CORRECTION
from rounds.ledger.models import Entry, Log, Reversal
from rounds.ledger.verify.check_projections import ComparisonCounts, RangeComparer
from rounds.ledger.verify.issues import IssueList, describe_entry
from rounds.ledger.verify.safe_timestamps import EARLIEST, LATEST
from rounds.transparency_log.errors import EntryError
from rounds.transparency_log.formats.leaf import leaf_hasher
from rounds.transparency_log.tree.tiles import TILE_WIDTH

CHUNK_SIZE = 100
RANGE_ENTRIES = 40 * TILE_WIDTH

ENTRIES_SQL = """
SELECT index, kind, "table", controller, sequence, least(greatest(recorded_at, %s), %s), body, leaf_sha256
FROM ledger_entry WHERE log_id = %s AND index >= %s AND index < coalesce(%s, 9223372036854775807) ORDER BY index
"""

CHANGED_TEXT = "changed since; it no longer gives the hash that was recorded with it."
REVERSAL_MISSING_TEXT = "what it took back is no longer in the list of entries taken back."

# (entries read since the last call, index reached) → whether to stop there.
ShouldStop = Callable[[int, int], bool]


class EntryRange(NamedTuple):
    """Entries first..last-1; `last` of None means up to the end."""

    first: int
    last: int | None


class LeafRun(NamedTuple):
    """Leaf hashes of entries with consecutive indexes."""

    first: int
    leaves: list[bytes]


@dataclass
class RangeResult:
    """The result for a range. `end` is how far it was read; `is_cut` means that time ran out there."""

    first: int
    end: int
    compared: ComparisonCounts
    runs: list[LeafRun] = field(default_factory=list)
    issues: IssueList = field(default_factory=IssueList)
    corrections: int = 0
    is_cut: bool = False


@contextmanager
def repeatable_read_snapshot(shared: str | None = None) -> Iterator[None]:
    """One consistent snapshot of entries, head and rows of other apps, while other processes append.

    ``shared`` is the name of a snapshot that another process exported (pg_export_snapshot).
    """
    is_own = not connection.in_atomic_block
    with transaction.atomic():
        if is_own:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                if shared is not None:
                    cursor.execute("SET TRANSACTION SNAPSHOT %s", [shared])
        yield


def split_into_ranges(log: Log, start: int, size: int) -> Iterator[EntryRange]:
    """Ranges from `start` on, cut at tile boundaries.

    The head's size is not trusted: nothing is cut beyond the last entry, and entries beyond the size belong to the last
    range.
    """
    last = Entry.objects.filter(log=log).aggregate(last=Max("index"))["last"]
    end = min(size, -1 if last is None else last + 1)
    while (cut := (start // RANGE_ENTRIES + 1) * RANGE_ENTRIES) < end:
        yield EntryRange(start, cut)
        start = cut
    yield EntryRange(start, None)


def check_range(log: Log, entry_range: EntryRange, should_stop: ShouldStop) -> RangeResult:
    """Compare each entry with its recorded hash, and the rows of other apps with their entries."""
    checked = RangeResult(entry_range.first, entry_range.first, ComparisonCounts(0, 0, (), ()))
    comparison = RangeComparer(log.slug, entry_range.first, checked.issues)
    hash_next, expected = leaf_hasher(log.slug), -1
    leaves: list[bytes] = []
    for entries in _read_entries(log, entry_range):
        for entry in entries:
            if entry.index != expected:
                leaves = []
                checked.runs.append(LeafRun(entry.index, leaves))
            leaf = entry.leaf_sha256
            recomputed = hash_next(
                entry.kind, entry.recorded_at, entry.table, entry.controller, entry.sequence, entry.body
            )
            if recomputed != leaf:
                _add_issue(entry, checked, "entries", CHANGED_TEXT)
            if entry.kind == CORRECTION:
                _check_reversal_row(log, entry, checked)
            leaves.append(leaf)
            expected = entry.index + 1
        comparison.add_entries(entries, expected)
        checked.end = expected
        if should_stop(len(entries), expected):
            checked.is_cut = True
            break
    if entry_range.last is not None and not checked.is_cut:
        checked.end = entry_range.last
    checked.compared = comparison.finish(checked.end)
    return checked


def _read_entries(log: Log, entry_range: EntryRange) -> Iterator[list[LogEntry]]:
    slug = log.slug
    with connection.wrap_database_errors, connection.connection.cursor(name="ledger_rows", binary=True) as cursor:
        cursor.execute(ENTRIES_SQL, [EARLIEST, LATEST, log.pk, entry_range.first, entry_range.last])
        while rows := cursor.fetchmany(CHUNK_SIZE):
            yield [LogEntry(slug, *row) for row in rows]


def _check_reversal_row(log: Log, entry: LogEntry, checked: RangeResult) -> None:
    checked.corrections += 1
    try:
        corrected = entry.content().get("corrects")
    except EntryError:
        return
    taken_back = Reversal.objects.filter(log=log, correction_index=entry.index)
    if list(taken_back.values_list("corrected_index", flat=True)) != [corrected]:
        _add_issue(entry, checked, "reversals", REVERSAL_MISSING_TEXT)


def _add_issue(entry: LogEntry, checked: RangeResult, check: str, what: str) -> None:
    words = describe_entry(entry.index, entry.kind, entry.table, entry.recorded_at)
    checked.issues.add(check, (entry.index, entry.index + 1), what, words)
