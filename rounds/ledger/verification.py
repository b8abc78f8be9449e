"""Verification: every entry of a log read again, everything that was computed from it computed again and compared.

Memory does not grow with the log. What does not fit is named, the first entry first, in words for an inspector.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.db import connection, transaction

from rounds.ledger.checkpoints import known_keys
from rounds.ledger.comparing import Comparison
from rounds.ledger.errors import EntryError, LedgerError
from rounds.ledger.following import Recorded
from rounds.ledger.guards import guard_faults
from rounds.ledger.keeping import kept_note
from rounds.ledger.kinds import CORRECTION
from rounds.ledger.leaves import hash_of_leaf, make_header
from rounds.ledger.merkle import EMPTY_ROOT, TreeHead
from rounds.ledger.misfits import Misfit, Misfits, name_entry
from rounds.ledger.models import Head, Log, Reversal
from rounds.ledger.notes import VerifierKey
from rounds.ledger.progress import Progress, unseen
from rounds.ledger.recomputing import RecomputedTree, compare_head, compare_tile, count_tiles
from rounds.ledger.retired_keys import KnownKeys, retired_keys
from rounds.ledger.signed_heads import SignedHeads, name_strays
from rounds.ledger.stored import log_named
from rounds.ledger.times import EARLIEST, LATEST

READ_AT_ONCE = 100
EMPTY = TreeHead(0, EMPTY_ROOT)

ROWS = """
SELECT index, kind, "table", controller, sequence, least(greatest(recorded_at, %s), %s), body, leaf_sha256
FROM ledger_entry WHERE log_id = %s AND index >= %s ORDER BY index
"""


@dataclass(frozen=True)
class Verdict:
    """What one verification of a log found. It covers entries start..size-1; `is_complete` if these are the last."""

    log: str
    start: int
    size: int
    root: bytes | None
    is_complete: bool
    misfit_count: int
    misfits: tuple[Misfit, ...]
    checked: dict[str, int] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        return not self.misfit_count

    @property
    def first_misfit(self) -> Misfit | None:
        return self.misfits[0] if self.misfits else None


def verify_log(
    log: str,
    *,
    begin: TreeHead = EMPTY,
    key: VerifierKey | None = None,
    seen: Iterable[tuple[str, bytes]] = (),
    show_progress: Progress = unseen,
    is_time_up: Callable[[], bool] = lambda: False,
) -> Verdict:
    """Verify the log from `begin`, a size and root that were verified before, to its end, or until the time is up.

    ``seen`` are checkpoints that somebody kept, each with words for where it comes from.
    """
    with _one_snapshot():
        keys = KnownKeys(key, retired_keys(key.name)) if key else known_keys(log)
        verification = _Verification(log_named(log), begin, keys, seen)
        return verification.run(show_progress, is_time_up)


@contextmanager
def _one_snapshot() -> Iterator[None]:
    """Entries, head and rows of other apps as they were at one instant, while others go on appending."""
    is_own = not connection.in_atomic_block
    with transaction.atomic():
        if is_own:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def _read_entries(log: Log, start: int) -> Iterator[list[Recorded]]:
    with connection.wrap_database_errors, connection.connection.cursor(name="ledger_rows", binary=True) as cursor:
        cursor.execute(ROWS, [EARLIEST, LATEST, log.pk, start])
        while rows := cursor.fetchmany(READ_AT_ONCE):
            yield [Recorded(log.slug, *row) for row in rows]


class _Verification:
    def __init__(self, log: Log, begin: TreeHead, keys: KnownKeys, seen: Iterable[tuple[str, bytes]]) -> None:
        self.log, self.begin = log, begin
        self.misfits = Misfits()
        # Where entries are missing, what follows them is read but can no longer be hashed into the tree.
        self.can_grow = True
        self.end = begin.size
        self.tiles = self.corrections = 0
        self.tree = self._tree_so_far()
        brought = [*seen]
        if note := kept_note(log.slug):
            brought.append(("the last checkpoint kept outside the database", note))
        self.signed = SignedHeads(log, keys, begin.size, brought, self.misfits)
        self.comparison = Comparison(log.slug, begin.size, self.misfits)

    def _tree_so_far(self) -> RecomputedTree:
        """What was verified before must still be what is stored; otherwise the first entries are no longer those."""
        if self.begin == EMPTY:
            return RecomputedTree.empty()
        try:
            tree = RecomputedTree.stored(self.log, self.begin.size)
        except LedgerError:
            tree = RecomputedTree.empty()
        if tree.frontier.head() != self.begin:
            self.can_grow = False
            self.misfits.add("tiles", (0, self.begin.size), "no longer those that were verified before.")
        return tree

    def run(self, show_progress: Progress, is_time_up: Callable[[], bool]) -> Verdict:
        head = Head.objects.filter(log=self.log).first() or Head(log=self.log, size=0, frontier=b"")
        self.signed.compare(self.tree)
        is_complete = True
        for entries in _read_entries(self.log, self.begin.size):
            self._check_entries(entries)
            self.comparison.reach(self.end)
            show_progress(self.end, head.size)
            if is_time_up():
                is_complete = self.end >= head.size
                break
        self._finish(head, is_complete)
        return self._verdict(is_complete)

    def _check_entries(self, entries: Sequence[Recorded]) -> None:
        fitting: list[bytes] = []
        wants, take = self.comparison.wants, self.comparison.take
        for entry in entries:
            if entry.index != self.end:
                self._name_gap(entry.index)
            if _recomputed_leaf(entry) != entry.leaf_sha256:
                self._name(entry, "entries", "changed since; it no longer gives the hash that was recorded with it.")
            if entry.kind == CORRECTION.name:
                self._check_correction(entry)
            if wants(entry.kind):
                take(entry)
            if self.can_grow:
                fitting.append(entry.leaf_sha256)
            self.end = entry.index + 1
        self._grow_tree(fitting)

    def _name(self, entry: Recorded, check: str, what: str) -> None:
        words = name_entry(entry.index, entry.kind, entry.table, entry.recorded_at)
        self.misfits.add(check, (entry.index, entry.index + 1), what, words)

    def _name_gap(self, found: int) -> None:
        self.can_grow = False
        if found > self.end:
            self.misfits.add("entries", (self.end, found), "missing.")
        else:
            self.misfits.add("entries", (found, found + 1), "there more than once.")

    def _grow_tree(self, leaves: list[bytes]) -> None:
        """From each checkpoint to the next, which is held against the tree as it was then."""
        while leaves:
            stop = self.signed.next_size - self.tree.size
            more, leaves = (leaves[:stop], leaves[stop:]) if stop > 0 else (leaves, [])
            for tile in self.tree.extend(more):
                self.tiles += 1
                compare_tile(self.log, tile, self.misfits)
            self.signed.compare(self.tree)

    def _check_correction(self, entry: Recorded) -> None:
        self.corrections += 1
        try:
            corrected = entry.content().get("corrects")
        except EntryError:
            return
        taken_back = Reversal.objects.filter(log=self.log, correction_index=entry.index)
        if list(taken_back.values_list("corrected_index", flat=True)) != [corrected]:
            self._name(entry, "reversals", "what it took back is no longer in the list of entries taken back.")

    def _finish(self, head: Head, is_complete: bool) -> None:
        if not is_complete:
            self.comparison.compare()
            self.signed.finish_times()
            return
        self.comparison.finish()
        self.signed.finish(self.end, can_grow=self.can_grow)
        self.signed.finish_times()
        if self.can_grow:
            compare_head(head, self.tree, self.misfits)
            count_tiles(self.log, self.tree, self.misfits)
        self._count_reversals()
        name_strays(self.misfits)
        for fault in guard_faults():
            self.misfits.add("guards", None, f"Changes are not prevented: {fault}")

    def _count_reversals(self) -> None:
        listed = Reversal.objects.filter(log=self.log, correction_index__gte=self.begin.size)
        if listed.count() > self.corrections:
            self.misfits.add("reversals", None, "The list of entries taken back names one too many.")

    def _verdict(self, is_complete: bool) -> Verdict:
        checked = {
            "entries": self.end - self.begin.size,
            "tiles": self.tiles,
            "checkpoints": self.signed.count,
            "corrections": self.corrections,
            "records": self.comparison.rows,
            "projections": self.comparison.projections,
        }
        return Verdict(
            log=self.log.slug,
            start=self.begin.size,
            size=self.end,
            root=self.tree.frontier.root() if self.can_grow else None,
            is_complete=is_complete,
            misfit_count=self.misfits.count,
            misfits=tuple(self.misfits),
            checked=checked,
        )


def _recomputed_leaf(entry: Recorded) -> bytes:
    try:
        header = make_header(
            kind=entry.kind,
            log=entry.log,
            recorded_at=entry.recorded_at,
            table=entry.table,
            controller=entry.controller,
            sequence=entry.sequence,
        )
    except EntryError:
        return b""
    return hash_of_leaf(header, entry.body)
