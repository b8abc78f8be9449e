"""Compares every checkpoint of a log with the recomputed tree: stored ones, the copy in the file, submitted ones."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from rounds.ledger.models import Log, SignedCheckpoint
from rounds.ledger.signing.retired_keys import KnownKeys
from rounds.ledger.signing.timestamp_signatures import timestamp_message
from rounds.ledger.storage import root_at
from rounds.ledger.verify.check_tree import RecomputedTree
from rounds.ledger.verify.issues import IssueList, format_utc
from rounds.ledger.verify.safe_timestamps import clamped_timestamp
from rounds.transparency_log.errors import LedgerError, NoteError
from rounds.transparency_log.formats.origin_names import is_later_epoch
from rounds.transparency_log.formats.signed_note import parse_unverified_head
from rounds.transparency_log.tree.merkle import TreeHead

CHUNK_SIZE = 1000


class SignedHead(NamedTuple):
    """A head that a checkpoint signed, and how reports refer to that checkpoint."""

    head: TreeHead
    words: str


class CheckpointCheck:
    """Merges the log's checkpoints by size. Each is compared when the recomputed tree has reached its size."""

    def __init__(
        self, log: Log, keys: KnownKeys, start: int, external: Iterable[tuple[str, bytes]], issues: IssueList
    ) -> None:
        """``external`` are checkpoints from outside the database, each with words for its source."""
        self.log, self.keys, self.start, self.issues = log, keys, start, issues
        self.count = 0
        self.fits_up_to = start
        self._has_forked = False
        opened_at = Log.objects.filter(pk=log.pk).values_list(clamped_timestamp("opened_at"), flat=True).get()
        self._timestamps = TimestampCheck(keys, opened_at, issues)
        self._heads = heapq.merge(self._stored_heads(), sorted(self._external_heads(external)))
        self._next = next(self._heads, None)

    def compare_with_tree(self, tree: RecomputedTree) -> None:
        """Compare the tree with the checkpoints of its current size."""
        while self._next is not None and self._next.head.size == tree.size:
            if self._next.head == tree.frontier.head():
                self.fits_up_to = tree.size
            else:
                self._report_fork(self._next)
            self._next = next(self._heads, None)

    @property
    def next_checkpoint_size(self) -> int:
        return -1 if self._next is None else self._next.head.size

    def finish(self, size: int, *, can_grow: bool) -> None:
        """The log ends here.

        Entries that were signed beyond its end are missing; reported unless a fork or gap already was.
        """
        while self._next is not None:
            if can_grow and not self._has_forked:
                self._has_forked = True
                missing = (size, self._next.head.size)
                self.issues.add("checkpoints", missing, f"missing, though covered by {self._next.words}.")
            self._next = next(self._heads, None)

    def finish_timestamps(self) -> None:
        """Report changed times of the checkpoints read so far."""
        self._timestamps.finish()

    def _stored_heads(self) -> Iterator[SignedHead]:
        rows = SignedCheckpoint.objects.filter(log=self.log, size__gte=self.start + bool(self.start)).order_by("size")
        columns = rows.values_list("size", "root", "note", clamped_timestamp("signed_at"), "times_signature")
        for size, root, note, signed_at, times_signature in columns.iterator(CHUNK_SIZE):
            words = f"the checkpoint of {size} entries signed {format_utc(signed_at)}"
            self._timestamps.check_signature(size, signed_at, times_signature and bytes(times_signature), words)
            head = self._open_note(bytes(note), words)
            if head is not None and head != TreeHead(size, bytes(root)):
                self.issues.add("checkpoints", None, f"Replaced: {words} is, by its signed text, of another tree.")
            elif head is not None:
                yield SignedHead(head, words)

    def _external_heads(self, notes: Iterable[tuple[str, bytes]]) -> Iterator[SignedHead]:
        for words, note in notes:
            head = self._open_note(note, words)
            if head is None:
                continue
            if head.size > self.start:
                yield SignedHead(head, words)
            elif not self._matches_stored_tree(head):
                self.fits_up_to = 0
                self._report_fork(SignedHead(head, words))

    def _open_note(self, note: bytes, words: str) -> TreeHead | None:
        self.count += 1
        try:
            return self.keys.open_checkpoint(note).head
        except NoteError as error:
            if error.code != "retired-key" or not self._report_lost_epoch(note, words):
                self.issues.add("checkpoints", None, f"Replaced: {words} is not one that the log's key signed.")
            return None

    def _report_lost_epoch(self, note: bytes, words: str) -> bool:
        """Report entries lost before an epoch began:
        a checkpoint of an ended epoch covers more than the log had left then.
        """
        origin, head = note.partition(b"\n")[0].decode(errors="replace"), parse_unverified_head(note)
        ends = [one.last_size for one in self.keys.retired if one.key.name == origin]
        if head is None or not ends or not is_later_epoch(self.keys.current.name, origin):
            return False
        reference = f"signed before the epoch began that entry {max(ends)} tells of."
        self.issues.add("checkpoints", (max(ends), head.size), f"lost, though covered by {words}, {reference}")
        return True

    def _report_fork(self, signed: SignedHead) -> None:
        # After a fork no later checkpoint matches. Only the first is reported: it says where.
        if self._has_forked:
            return
        self._has_forked = True
        self.issues.add(
            "checkpoints",
            (self.fits_up_to, signed.head.size),
            "at least one was changed, moved, added or removed later, for they no longer lead to what was signed in "
            f"{signed.words}.",
        )

    def _matches_stored_tree(self, head: TreeHead) -> bool:
        """For checkpoints over entries that are not read again: their root must match the stored tree."""
        try:
            return root_at(self.log, head.size) == head.root
        except LedgerError:
            return False


def check_orphaned_checkpoints(issues: IssueList) -> None:
    """Checkpoints moved to a log that does not exist. Verifying the existing logs would not notice them."""
    for size in SignedCheckpoint.objects.exclude(log__in=Log.objects.values("pk")).values_list("size", flat=True)[:10]:
        issues.add("checkpoints", None, f"Moved: a checkpoint of {size} entries belongs to no log.")


class TimestampCheck:
    """Checks the signed times of a log's checkpoints, in order of size, and reports at the end which were changed."""

    def __init__(self, keys: KnownKeys, opened_at: datetime, issues: IssueList) -> None:
        self.keys, self.opened_at, self.issues = keys, opened_at, issues
        self._fitting = self._changed = 0
        self._first_changed = ""

    def check_signature(self, size: int, signed_at: datetime, signature: bytes | None, words: str) -> None:
        if signature is None and not self._fitting:
            return  # From before times were signed.
        if signature and self.keys.accepts(
            size, lambda name: timestamp_message(name, size, self.opened_at, signed_at), signature
        ):
            self._fitting += 1
            return
        self._changed += 1
        self._first_changed = self._first_changed or words

    def finish(self) -> None:
        """If no signature matches, the value they share was changed: the time when the log was opened."""
        opening = "the time at which the log was opened"
        if self._changed > 1 and not self._fitting:
            self.issues.add("times", None, f"Changed: {opening} is not the one signed with its checkpoints.")
        elif self._changed:
            either = "" if self._fitting else f", or {opening},"
            more = f" So are {self._changed - 1:,} later ones." if self._changed > 1 else ""
            what = f"Changed: the time of {self._first_changed}{either} is not the one that was signed with it.{more}"
            self.issues.add("times", None, what)
        self._changed = 0
