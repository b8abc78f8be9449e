"""Every checkpoint there is of a log, stored, kept or brought along, held against the recomputed tree."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from rounds.ledger.errors import LedgerError, NoteError
from rounds.ledger.merkle import TreeHead
from rounds.ledger.misfits import Misfits, name_entries, write_moment
from rounds.ledger.models import Log, SignedCheckpoint
from rounds.ledger.notes import VerifierKey, open_checkpoint
from rounds.ledger.recomputing import RecomputedTree
from rounds.ledger.stored import root_at

READ_AT_ONCE = 1000


@dataclass(frozen=True, order=True)
class Promise:
    """A checkpoint as found: the place it has to be checked at, its bytes, and how to speak of it."""

    size: int
    note: bytes
    words: str


class SignedHeads:
    """The log's promises in order of size; each is opened and compared when the tree has grown to it."""

    def __init__(self, log: Log, key: VerifierKey, start: int, misfits: Misfits) -> None:
        self.log, self.key, self.start, self.misfits = log, key, start, misfits
        self.count = 0
        self.fits_up_to = start
        self._brought: list[Promise] = []
        self._has_forked = False

    def bring(self, notes: Iterable[tuple[str, bytes]]) -> None:
        """Checkpoints from outside the database, each with words for where it comes from."""
        for words, note in notes:
            head = self._open(note, words)
            if head is None:
                continue
            if head.size <= self.start:
                self._compare_stored(head, words)
            else:
                self._brought.append(Promise(head.size, note, words))

    def compare(self, tree: RecomputedTree) -> None:
        """Hold the tree to the promises made at this size of it."""
        while self._next is not None and self._next.size <= tree.size:
            promise = self._next
            head = self._open(promise.note, promise.words)
            if head is not None:
                self._compare(promise, head, tree)
            self._next = next(self._promises, None)

    def begin(self) -> None:
        self._promises = heapq.merge(self._stored(), sorted(self._brought))
        self._next = next(self._promises, None)

    @property
    def next_size(self) -> int:
        return -1 if self._next is None else self._next.size

    def finish(self, size: int) -> None:
        """Nothing is left of the log: what was promised beyond its end is gone."""
        while self._next is not None:
            promise = self._next
            head = self._open(promise.note, promise.words)
            if head is not None and head.size > size and not self._has_forked:
                self._has_forked = True
                missing = name_entries(size, head.size)
                self.misfits.add(
                    "checkpoints", size, f"{missing}: missing, though {promise.words} covers {head.size} entries."
                )
            self._next = next(self._promises, None)

    def _stored(self) -> Iterator[Promise]:
        rows = SignedCheckpoint.objects.filter(log=self.log, size__gte=self.start).order_by("size")
        for row in rows.iterator(READ_AT_ONCE):
            if row.size == self.start and self.start:
                continue
            words = _words_of(row.size, row.signed_at)
            self._check_columns(row, words)
            yield Promise(row.size, bytes(row.note), words)

    def _check_columns(self, row: SignedCheckpoint, words: str) -> None:
        try:
            head = open_checkpoint(bytes(row.note), self.key).head
        except NoteError:
            return
        if head != TreeHead(row.size, bytes(row.root)):
            self.misfits.add("checkpoints", None, f"{words} was replaced: its signed text is about another tree.")

    def _open(self, note: bytes, words: str) -> TreeHead | None:
        self.count += 1
        try:
            return open_checkpoint(note, self.key).head
        except NoteError:
            self.misfits.add("checkpoints", None, f"{words} was replaced: the log's key did not sign it.")
            return None

    def _compare(self, promise: Promise, head: TreeHead, tree: RecomputedTree) -> None:
        if head == tree.frontier.head():
            self.fits_up_to = tree.size
        elif head.size == tree.size and not self._has_forked:
            self._has_forked = True
            self._name_fork(promise.words, head.size)

    def _name_fork(self, words: str, size: int) -> None:
        which = name_entries(self.fits_up_to, size)
        self.misfits.add(
            "checkpoints",
            self.fits_up_to,
            f"{which}: at least one was changed, moved, added or removed after {words} was signed; the entries no "
            "longer lead to what it signed.",
        )

    def _compare_stored(self, head: TreeHead, words: str) -> None:
        try:
            is_same = root_at(self.log, head.size) == head.root
        except LedgerError:
            is_same = False
        if not is_same:
            self._has_forked = True
            self.fits_up_to = 0
            self._name_fork(words, head.size)


def _words_of(size: int, signed_at: datetime) -> str:
    return f"The checkpoint of {size} entries, signed {write_moment(signed_at)},"
