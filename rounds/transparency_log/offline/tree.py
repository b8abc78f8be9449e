"""The RFC 6962 tree: hashes, the right edge of a growing tree, and proofs of inclusion and consistency."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from rounds.transparency_log.offline.messages import EvidenceError


class TreeHead(NamedTuple):
    size: int
    root: bytes


def leaf_hash(leaf: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def split_point(size: int) -> int:
    return 1 << ((size - 1).bit_length() - 1)


class TreeEdge:
    """The right edge of a growing tree: the complete subtrees over the first ``size`` entries."""

    def __init__(self, size: int, hashes: list[bytes]) -> None:
        if len(hashes) != size.bit_count():
            raise EvidenceError(f"The range proof must have {size.bit_count()} hashes left of entry {size}.")
        self.size, self.hashes = size, list(hashes)

    def append(self, leaf: bytes) -> None:
        size = self.size
        while size & 1:
            leaf = node_hash(self.hashes.pop(), leaf)
            size >>= 1
        self.hashes.append(leaf)
        self.size += 1

    def root_within(self, size: int, right: list[bytes]) -> bytes | None:
        """Root of the tree of that size; None if there are too few or too many hashes to the right."""
        ours, theirs = iter(self.hashes), iter(right)

        def fold(start: int, end: int) -> bytes:
            if start >= self.size:
                return next(theirs)
            if end <= self.size and (end - start) & (end - start - 1) == 0:
                return next(ours)
            middle = start + split_point(end - start)
            left = fold(start, middle)
            return node_hash(left, fold(middle, end))

        try:
            root = fold(0, size)
        except StopIteration:
            return None
        return root if next(theirs, None) is None else None


def root_from_inclusion_proof(leaf: bytes, index: int, size: int, proof: list[bytes]) -> bytes | None:
    """RFC 9162, 2.1.3.2: the root the proof leads to; None if the proof has the wrong length for this index."""
    place, last, root = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return None
        if place & 1 or place == last:
            root = node_hash(sibling, root)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            root = node_hash(root, sibling)
        place, last = place >> 1, last >> 1
    return root if last == 0 else None


def is_consistent(first: TreeHead, second: TreeHead, proof: list[bytes]) -> bool:
    """RFC 9162, 2.1.4.2: whether the second tree extends the first."""
    if not 0 < first.size <= second.size:
        return False
    if first.size == second.size:
        return not proof and first.root == second.root
    path = list(proof) if first.size & (first.size - 1) else [first.root, *proof]
    place, last = first.size - 1, second.size - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    if not path:
        return False
    early = late = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            early, late = node_hash(sibling, early), node_hash(sibling, late)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            late = node_hash(late, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and early == first.root and late == second.root
