"""Verification of a log: reads every entry again, recomputes everything derived from it, and compares.

Memory use does not grow with the log. Issues are sentences for an inspector, first entry first.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from rounds.ledger.models import Head, Log, Reversal
from rounds.ledger.readers.progress_bar import ProgressCallback, no_progress
from rounds.ledger.signing.checkpoint_file import load_checkpoint_file
from rounds.ledger.signing.checkpoints import known_keys_for
from rounds.ledger.signing.retired_keys import KnownKeys, retired_keys_for
from rounds.ledger.storage import get_log
from rounds.ledger.verify.check_checkpoints import CheckpointCheck, check_orphaned_checkpoints
from rounds.ledger.verify.check_database_guards import guard_faults
from rounds.ledger.verify.check_epochs import check_epochs_beyond_end
from rounds.ledger.verify.check_projections import DeferredComparison
from rounds.ledger.verify.check_tree import RecomputedTree, check_tile_count, compare_head, compare_tiles
from rounds.ledger.verify.entry_ranges import (
    EntryRange,
    RangeResult,
    check_range,
    repeatable_read_snapshot,
    split_into_ranges,
)
from rounds.ledger.verify.issues import Issue, IssueList
from rounds.ledger.verify.process_pool import VerifierPool, can_fork
from rounds.transparency_log.errors import LedgerError
from rounds.transparency_log.formats.signed_note import VerifierKey
from rounds.transparency_log.tree.merkle import EMPTY_ROOT, TreeHead
from rounds.transparency_log.tree.tiles import FullTile

EMPTY_TREE = TreeHead(0, EMPTY_ROOT)


@dataclass(frozen=True)
class VerificationResult:
    """The result of one verification. It covers entries start..size-1; `is_complete` if these reach the log's end."""

    log: str
    start: int
    size: int
    root: bytes | None
    is_complete: bool
    issue_count: int
    issues: tuple[Issue, ...]
    checked: dict[str, int] = field(default_factory=dict)

    @property
    def is_intact(self) -> bool:
        return not self.issue_count

    @property
    def first_issue(self) -> Issue | None:
        return self.issues[0] if self.issues else None


def verify_log(
    log: str,
    *,
    begin: TreeHead = EMPTY_TREE,
    key: VerifierKey | None = None,
    known_checkpoints: Iterable[tuple[str, bytes]] = (),
    show_progress: ProgressCallback = no_progress,
    is_time_up: Callable[[], bool] = lambda: False,
    processes: int = 1,
) -> VerificationResult:
    """Verify the log from `begin`, a verified size and root, to its end or until the time is up.

    ``known_checkpoints`` are checkpoints that somebody kept, each with words for its source. Several ``processes`` find
    the same issues in less time.
    """
    processes = processes if can_fork() else 1
    with repeatable_read_snapshot():
        keys = KnownKeys(key, retired_keys_for(key.name)) if key else known_keys_for(log)
        verification = _LogVerification(get_log(log), begin, keys, known_checkpoints)
        return verification.run(show_progress, is_time_up, processes)


class _LogVerification:
    """One run: merges the ranges in order and grows the tree from their leaf hashes."""

    def __init__(
        self, log: Log, begin: TreeHead, keys: KnownKeys, known_checkpoints: Iterable[tuple[str, bytes]]
    ) -> None:
        self.log, self.begin = log, begin
        self.issues = IssueList()
        # After missing entries the rest is still read, but can no longer be hashed into the tree.
        self.can_grow = True
        self.end = begin.size
        self.tiles = self.corrections = 0
        self.tree = self._tree_at_start()
        external = [*known_checkpoints]
        if note := load_checkpoint_file(log.slug):
            external.append(("the last checkpoint kept outside the database", note))
        self.signed = CheckpointCheck(log, keys, begin.size, external, self.issues)
        self.comparison = DeferredComparison(log.slug, begin.size, self.issues)

    def _tree_at_start(self) -> RecomputedTree:
        """The stored tree at `begin`. If its root differs, entries that were verified before have changed."""
        if self.begin == EMPTY_TREE:
            return RecomputedTree.empty()
        try:
            tree = RecomputedTree.from_storage(self.log, self.begin.size)
        except LedgerError:
            tree = RecomputedTree.empty()
        if tree.frontier.head() != self.begin:
            self.can_grow = False
            self.issues.add("tiles", (0, self.begin.size), "no longer those that were verified before.")
        return tree

    def run(
        self, show_progress: ProgressCallback, is_time_up: Callable[[], bool], processes: int
    ) -> VerificationResult:
        head = Head.objects.filter(log=self.log).first() or Head(log=self.log, size=0, frontier=b"")
        self.signed.compare_with_tree(self.tree)
        ranges = list(split_into_ranges(self.log, self.begin.size, head.size))
        is_complete = True
        check = self._check_in_pool if min(processes, len(ranges)) > 1 else self._check_in_process
        with closing(check(ranges, lambda done: show_progress(done, head.size), is_time_up, processes)) as results:
            for checked in results:
                self._merge_result(checked)
                if checked.is_cut:
                    is_complete = self.end >= head.size
                    break
        self._finish(head, is_complete)
        return self._verdict(is_complete)

    def _check_in_process(
        self, ranges: Sequence[EntryRange], show: Callable[[int], None], is_time_up: Callable[[], bool], processes: int
    ) -> Generator[RangeResult, None, None]:
        def pause(read: int, end: int) -> bool:
            show(end)
            return is_time_up()

        return (check_range(self.log, entry_range, pause) for entry_range in ranges)

    def _check_in_pool(
        self, ranges: Sequence[EntryRange], show: Callable[[int], None], is_time_up: Callable[[], bool], processes: int
    ) -> Generator[RangeResult, None, None]:
        """The time limit is checked after each range."""
        read = self.begin.size

        def progress(more: int) -> None:
            nonlocal read
            read += more
            show(read)

        with VerifierPool(self.log, min(processes, len(ranges))) as pool:
            for checked in pool.check_ranges(ranges, progress):
                checked.is_cut = is_time_up()
                yield checked
        show(self.end)

    def _merge_result(self, checked: RangeResult) -> None:
        """Merge the next range: its issues, its leaf hashes, and what is still to be compared."""
        self.issues.add_all(checked.issues)
        self.corrections += checked.corrections
        for run in checked.runs:
            if run.first != self.end:
                self._report_gap(run.first)
            if self.can_grow:
                self._grow_tree(run.leaves)
            self.end = run.first + len(run.leaves)
        self.comparison.add_range(checked.first, checked.end, checked.compared)

    def _report_gap(self, index: int) -> None:
        self.can_grow = False
        if index > self.end:
            self.issues.add("entries", (self.end, index), "missing.")
        else:
            self.issues.add("entries", (index, index + 1), "there more than once.")

    def _grow_tree(self, leaves: list[bytes]) -> None:
        """Grow the tree in steps, stopping at the size of each checkpoint to compare it."""
        tiles: list[FullTile] = []
        while leaves:
            stop = self.signed.next_checkpoint_size - self.tree.size
            more, leaves = (leaves[:stop], leaves[stop:]) if stop > 0 else (leaves, [])
            tiles += self.tree.extend(more)
            self.signed.compare_with_tree(self.tree)
        self.tiles += len(tiles)
        compare_tiles(self.log, tiles, self.issues)

    def _finish(self, head: Head, is_complete: bool) -> None:
        self.comparison.finish(self.end, is_complete=is_complete)
        if not is_complete:
            self.signed.finish_timestamps()
            return
        self.signed.finish(self.end, can_grow=self.can_grow)
        self.signed.finish_timestamps()
        if self.can_grow:
            compare_head(head, self.tree, self.issues)
            check_tile_count(self.log, self.tree, self.issues)
        self._count_reversals()
        check_orphaned_checkpoints(self.issues)
        check_epochs_beyond_end(self.log, self.end, self.issues)
        for fault in guard_faults():
            self.issues.add("guards", None, f"Changes are not prevented: {fault}")

    def _count_reversals(self) -> None:
        listed = Reversal.objects.filter(log=self.log, correction_index__gte=self.begin.size)
        if listed.count() > self.corrections:
            self.issues.add("reversals", None, "The list of entries taken back names one too many.")

    def _verdict(self, is_complete: bool) -> VerificationResult:
        checked = {
            "entries": self.end - self.begin.size,
            "tiles": self.tiles,
            "checkpoints": self.signed.count,
            "corrections": self.corrections,
            "records": self.comparison.rows,
            "projections": self.comparison.projections,
        }
        return VerificationResult(
            log=self.log.slug,
            start=self.begin.size,
            size=self.end,
            root=self.tree.frontier.root() if self.can_grow else None,
            is_complete=is_complete,
            issue_count=self.issues.count,
            issues=tuple(self.issues),
            checked=checked,
        )
