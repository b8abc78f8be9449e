"""Every checkpoint there is of a log, stored, kept or brought along, held against the recomputed tree."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rounds.ledger.errors import LedgerError, NoteError
from rounds.ledger.merkle import TreeHead
from rounds.ledger.misfits import Misfits, write_moment
from rounds.ledger.models import Log, SignedCheckpoint
from rounds.ledger.names import is_later_epoch
from rounds.ledger.notes import unverified_head
from rounds.ledger.recomputing import RecomputedTree
from rounds.ledger.retired_keys import KnownKeys
from rounds.ledger.signed_times import SignedTimes
from rounds.ledger.stored import root_at
from rounds.ledger.times import readable

READ_AT_ONCE = 1000


class Promise(NamedTuple):
    """What a checkpoint signed, and how to speak of it."""

    head: TreeHead
    words: str


class SignedHeads:
    """The log's promises in order of size; each is compared when the tree has grown to its size."""

    def __init__(
        self, log: Log, keys: KnownKeys, start: int, brought: Iterable[tuple[str, bytes]], misfits: Misfits
    ) -> None:
        """``brought`` are checkpoints from outside the database, each with words for where it comes from."""
        self.log, self.keys, self.start, self.misfits = log, keys, start, misfits
        self.count = 0
        self.fits_up_to = start
        self._has_forked = False
        opened_at = Log.objects.filter(pk=log.pk).values_list(readable("opened_at"), flat=True).get()
        self._times = SignedTimes(keys, opened_at, misfits)
        self._promises = heapq.merge(self._stored(), sorted(self._brought(brought)))
        self._next = next(self._promises, None)

    def compare(self, tree: RecomputedTree) -> None:
        """Hold the tree to the promises made at this size of it."""
        while self._next is not None and self._next.head.size == tree.size:
            if self._next.head == tree.frontier.head():
                self.fits_up_to = tree.size
            else:
                self._name_fork(self._next)
            self._next = next(self._promises, None)

    @property
    def next_size(self) -> int:
        return -1 if self._next is None else self._next.head.size

    def finish(self, size: int, *, can_grow: bool) -> None:
        """The log ends here: what was signed beyond its end is gone, unless a gap was named already."""
        while self._next is not None:
            if can_grow and not self._has_forked:
                self._has_forked = True
                gone = (size, self._next.head.size)
                self.misfits.add("checkpoints", gone, f"missing, though covered by {self._next.words}.")
            self._next = next(self._promises, None)

    def finish_times(self) -> None:
        """Of the checkpoints that were come by so far."""
        self._times.finish()

    def _stored(self) -> Iterator[Promise]:
        rows = SignedCheckpoint.objects.filter(log=self.log, size__gte=self.start + bool(self.start)).order_by("size")
        columns = rows.values_list("size", "root", "note", readable("signed_at"), "times_signature")
        for size, root, note, signed_at, times_signature in columns.iterator(READ_AT_ONCE):
            words = f"the checkpoint of {size} entries signed {write_moment(signed_at)}"
            self._times.take(size, signed_at, times_signature and bytes(times_signature), words)
            head = self._open(bytes(note), words)
            if head is not None and head != TreeHead(size, bytes(root)):
                self.misfits.add("checkpoints", None, f"Replaced: {words} is, by its signed text, of another tree.")
            elif head is not None:
                yield Promise(head, words)

    def _brought(self, notes: Iterable[tuple[str, bytes]]) -> Iterator[Promise]:
        for words, note in notes:
            head = self._open(note, words)
            if head is None:
                continue
            if head.size > self.start:
                yield Promise(head, words)
            elif not self._is_stored(head):
                self.fits_up_to = 0
                self._name_fork(Promise(head, words))

    def _open(self, note: bytes, words: str) -> TreeHead | None:
        self.count += 1
        try:
            return self.keys.open_checkpoint(note).head
        except NoteError as error:
            if error.code != "retired-key" or not self._name_lost(note, words):
                self.misfits.add("checkpoints", None, f"Replaced: {words} is not one that the log's key signed.")
            return None

    def _name_lost(self, note: bytes, words: str) -> bool:
        """A checkpoint of an epoch that is over, of more than the log had left when the next one began."""
        origin, head = note.partition(b"\n")[0].decode(errors="replace"), unverified_head(note)
        ends = [one.last_size for one in self.keys.retired if one.key.name == origin]
        if head is None or not ends or not is_later_epoch(self.keys.current.name, origin):
            return False
        told = f"signed before the epoch began that entry {max(ends)} tells of."
        self.misfits.add("checkpoints", (max(ends), head.size), f"lost, though covered by {words}, {told}")
        return True

    def _name_fork(self, promise: Promise) -> None:
        # Once the tree has left what was signed, no later checkpoint fits: the first one says where.
        if self._has_forked:
            return
        self._has_forked = True
        self.misfits.add(
            "checkpoints",
            (self.fits_up_to, promise.head.size),
            "at least one was changed, moved, added or removed later, for they no longer lead to what was signed in "
            f"{promise.words}.",
        )

    def _is_stored(self, head: TreeHead) -> bool:
        """For promises about entries that are not read again: what is stored of their tree must fit."""
        try:
            return root_at(self.log, head.size) == head.root
        except LedgerError:
            return False


def name_strays(misfits: Misfits) -> None:
    """Checkpoints that were moved to a log which is not there: no log misses them by itself."""
    for size in SignedCheckpoint.objects.exclude(log__in=Log.objects.values("pk")).values_list("size", flat=True)[:10]:
        misfits.add("checkpoints", None, f"Moved: a checkpoint of {size} entries belongs to no log.")
