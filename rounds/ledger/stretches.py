"""A stretch of a log, read again and checked by itself: whoever joins the stretches holds them against the tree.

Stretches are the same however many processes share them, and so is what is found in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import Max

from rounds.ledger.comparing import Compared, Comparison
from rounds.ledger.errors import EntryError
from rounds.ledger.following import Recorded
from rounds.ledger.kinds import CORRECTION
from rounds.ledger.leaves import leaf_hashes
from rounds.ledger.misfits import Misfits, name_entry
from rounds.ledger.models import Entry, Log, Reversal
from rounds.ledger.tiles import TILE_WIDTH
from rounds.ledger.times import EARLIEST, LATEST

READ_AT_ONCE = 100
STRETCH_ENTRIES = 40 * TILE_WIDTH

ROWS = """
SELECT index, kind, "table", controller, sequence, least(greatest(recorded_at, %s), %s), body, leaf_sha256
FROM ledger_entry WHERE log_id = %s AND index >= %s AND index < coalesce(%s, 9223372036854775807) ORDER BY index
"""

CHANGED = "changed since; it no longer gives the hash that was recorded with it."
TAKEN_BACK = "what it took back is no longer in the list of entries taken back."

# (entries read since the last time, up to where) → whether to stop there.
Pause = Callable[[int, int], bool]


class Stretch(NamedTuple):
    """Entries first..last-1; without `last`, to whatever is the end."""

    first: int
    last: int | None


class Run(NamedTuple):
    """Leaf hashes of entries whose indexes follow one another."""

    first: int
    leaves: list[bytes]


@dataclass
class Checked:
    """What was found in a stretch. `end`: it was read up to there."""

    first: int
    end: int
    compared: Compared
    runs: list[Run] = field(default_factory=list)
    misfits: Misfits = field(default_factory=Misfits)
    corrections: int = 0
    is_cut: bool = False


@contextmanager
def one_snapshot(shared: str | None = None) -> Iterator[None]:
    """Entries, head and rows of other apps as they were at one instant, while others go on appending.

    ``shared`` is the snapshot of another process, by the name under which that one exports it.
    """
    is_own = not connection.in_atomic_block
    with transaction.atomic():
        if is_own:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                if shared is not None:
                    cursor.execute("SET TRANSACTION SNAPSHOT %s", [shared])
        yield


def stretches_of(log: Log, start: int, size: int) -> Iterator[Stretch]:
    """From `start` on, cut where a tile ends. The head may say any size: beyond the last entry there is nothing to cut,
    and what lies beyond the size belongs to the last stretch."""
    last = Entry.objects.filter(log=log).aggregate(last=Max("index"))["last"]
    end = min(size, -1 if last is None else last + 1)
    while (cut := (start // STRETCH_ENTRIES + 1) * STRETCH_ENTRIES) < end:
        yield Stretch(start, cut)
        start = cut
    yield Stretch(start, None)


def check_stretch(log: Log, stretch: Stretch, pause: Pause) -> Checked:
    """Each entry against the hash recorded with it, and what other apps keep against the entries it came from."""
    checked = Checked(stretch.first, stretch.first, Compared(0, 0, (), ()))
    comparison = Comparison(log.slug, stretch.first, checked.misfits)
    hash_next, expected = leaf_hashes(log.slug), -1
    leaves: list[bytes] = []
    for entries in _read_entries(log, stretch):
        for entry in entries:
            if entry.index != expected:
                leaves = []
                checked.runs.append(Run(entry.index, leaves))
            leaf = entry.leaf_sha256
            recomputed = hash_next(
                entry.kind, entry.recorded_at, entry.table, entry.controller, entry.sequence, entry.body
            )
            if recomputed != leaf:
                _name(entry, checked, "entries", CHANGED)
            if entry.kind == CORRECTION.name:
                _check_correction(log, entry, checked)
            leaves.append(leaf)
            expected = entry.index + 1
        comparison.take(entries, expected)
        checked.end = expected
        if pause(len(entries), expected):
            checked.is_cut = True
            break
    if stretch.last is not None and not checked.is_cut:
        checked.end = stretch.last
    checked.compared = comparison.finish(checked.end)
    return checked


def _read_entries(log: Log, stretch: Stretch) -> Iterator[list[Recorded]]:
    slug = log.slug
    with connection.wrap_database_errors, connection.connection.cursor(name="ledger_rows", binary=True) as cursor:
        cursor.execute(ROWS, [EARLIEST, LATEST, log.pk, stretch.first, stretch.last])
        while rows := cursor.fetchmany(READ_AT_ONCE):
            yield [Recorded(slug, *row) for row in rows]


def _check_correction(log: Log, entry: Recorded, checked: Checked) -> None:
    checked.corrections += 1
    try:
        corrected = entry.content().get("corrects")
    except EntryError:
        return
    taken_back = Reversal.objects.filter(log=log, correction_index=entry.index)
    if list(taken_back.values_list("corrected_index", flat=True)) != [corrected]:
        _name(entry, checked, "reversals", TAKEN_BACK)


def _name(entry: Recorded, checked: Checked, check: str, what: str) -> None:
    words = name_entry(entry.index, entry.kind, entry.table, entry.recorded_at)
    checked.misfits.add(check, (entry.index, entry.index + 1), what, words)
