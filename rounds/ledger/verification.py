"""Verification: every entry of a log read again, everything that was computed from it computed again and compared.

Memory does not grow with the log. What does not fit is named, the first entry first, in words for an inspector.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from rounds.ledger.checkpoints import known_keys
from rounds.ledger.comparing import Unasked
from rounds.ledger.epoch_rows import name_stray_epochs
from rounds.ledger.errors import LedgerError
from rounds.ledger.guards import guard_faults
from rounds.ledger.keeping import kept_note
from rounds.ledger.merkle import EMPTY_ROOT, TreeHead
from rounds.ledger.misfits import Misfit, Misfits
from rounds.ledger.models import Head, Log, Reversal
from rounds.ledger.notes import VerifierKey
from rounds.ledger.progress import Progress, unseen
from rounds.ledger.recomputing import RecomputedTree, compare_head, compare_tiles, count_tiles
from rounds.ledger.retired_keys import KnownKeys, retired_keys
from rounds.ledger.sharing import Team, can_share
from rounds.ledger.signed_heads import SignedHeads, name_strays
from rounds.ledger.stored import log_named
from rounds.ledger.stretches import Checked, Stretch, check_stretch, one_snapshot, stretches_of
from rounds.ledger.tiles import Tile

EMPTY = TreeHead(0, EMPTY_ROOT)


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
    processes: int = 1,
) -> Verdict:
    """Verify the log from `begin`, a size and root that were verified before, to its end, or until the time is up.

    ``seen`` are checkpoints that somebody kept, each with words for where it comes from. With several ``processes`` the
    same is found, sooner.
    """
    processes = processes if can_share() else 1
    with one_snapshot():
        keys = KnownKeys(key, retired_keys(key.name)) if key else known_keys(log)
        verification = _Verification(log_named(log), begin, keys, seen)
        return verification.run(show_progress, is_time_up, processes)


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
        self.comparison = Unasked(log.slug, begin.size, self.misfits)

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

    def run(self, show_progress: Progress, is_time_up: Callable[[], bool], processes: int) -> Verdict:
        head = Head.objects.filter(log=self.log).first() or Head(log=self.log, size=0, frontier=b"")
        self.signed.compare(self.tree)
        stretches = list(stretches_of(self.log, self.begin.size, head.size))
        is_complete = True
        check = self._check_together if min(processes, len(stretches)) > 1 else self._check_alone
        with closing(check(stretches, lambda done: show_progress(done, head.size), is_time_up, processes)) as found:
            for checked in found:
                self._join(checked)
                if checked.is_cut:
                    is_complete = self.end >= head.size
                    break
        self._finish(head, is_complete)
        return self._verdict(is_complete)

    def _check_alone(
        self, stretches: Sequence[Stretch], show: Callable[[int], None], is_time_up: Callable[[], bool], processes: int
    ) -> Generator[Checked, None, None]:
        def pause(read: int, end: int) -> bool:
            show(end)
            return is_time_up()

        return (check_stretch(self.log, stretch, pause) for stretch in stretches)

    def _check_together(
        self, stretches: Sequence[Stretch], show: Callable[[int], None], is_time_up: Callable[[], bool], processes: int
    ) -> Generator[Checked, None, None]:
        """The time may be up at the end of any stretch."""
        read = self.begin.size

        def progress(more: int) -> None:
            nonlocal read
            read += more
            show(read)

        with Team(self.log, min(processes, len(stretches))) as team:
            for checked in team.check(stretches, progress):
                checked.is_cut = is_time_up()
                yield checked
        show(self.end)

    def _join(self, checked: Checked) -> None:
        """What was found in the next stretch; its entries are those that follow in the tree."""
        self.misfits.add_all(checked.misfits)
        self.corrections += checked.corrections
        for run in checked.runs:
            if run.first != self.end:
                self._name_gap(run.first)
            if self.can_grow:
                self._grow_tree(run.leaves)
            self.end = run.first + len(run.leaves)
        self.comparison.take(checked.first, checked.end, checked.compared)

    def _name_gap(self, found: int) -> None:
        self.can_grow = False
        if found > self.end:
            self.misfits.add("entries", (self.end, found), "missing.")
        else:
            self.misfits.add("entries", (found, found + 1), "there more than once.")

    def _grow_tree(self, leaves: list[bytes]) -> None:
        """From each checkpoint to the next, which is held against the tree as it was then."""
        tiles: list[Tile] = []
        while leaves:
            stop = self.signed.next_size - self.tree.size
            more, leaves = (leaves[:stop], leaves[stop:]) if stop > 0 else (leaves, [])
            tiles += self.tree.extend(more)
            self.signed.compare(self.tree)
        self.tiles += len(tiles)
        compare_tiles(self.log, tiles, self.misfits)

    def _finish(self, head: Head, is_complete: bool) -> None:
        self.comparison.finish(self.end, is_complete=is_complete)
        if not is_complete:
            self.signed.finish_times()
            return
        self.signed.finish(self.end, can_grow=self.can_grow)
        self.signed.finish_times()
        if self.can_grow:
            compare_head(head, self.tree, self.misfits)
            count_tiles(self.log, self.tree, self.misfits)
        self._count_reversals()
        name_strays(self.misfits)
        name_stray_epochs(self.log, self.end, self.misfits)
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
