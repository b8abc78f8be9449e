"""The RFC 6962 SHA-256 tree: hashes, the frontier for appending, and verification of proofs.

Inclusion, consistency and subtree proofs share one algorithm: the path from the root down to the proved range.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from hashlib import sha256
from typing import NamedTuple

from rounds.transparency_log.errors import ProofError

HASH_BYTES = 32
MAX_SIZE = 2**63 - 1
EMPTY_ROOT = sha256(b"").digest()


class TreeHead(NamedTuple):
    """The size and root of a tree. Proofs are only worth anything against one from a verified checkpoint."""

    size: int
    root: bytes


class RangeProof(NamedTuple):
    """The hashes left and right of a run of leaves that, together with the leaves, give the root."""

    left: tuple[bytes, ...]
    right: tuple[bytes, ...]


def leaf_hash(leaf: bytes) -> bytes:
    return sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def root_of(leaf_hashes: Sequence[bytes]) -> bytes:
    """Root over leaf hashes. Pairs them level by level and carries the odd one up, which gives the RFC's shape."""
    if not leaf_hashes:
        return EMPTY_ROOT
    level = list(leaf_hashes)
    while len(level) > 1:
        paired = [sha256(b"\x01" + level[i] + level[i + 1]).digest() for i in range(0, len(level) - 1, 2)]
        level = paired + level[len(paired) * 2 :]
    return level[0]


def complete_subtrees(start: int, end: int) -> list[tuple[int, int]]:
    """The largest complete subtrees that make up ``[start, end)``, left to right; ``start`` must be aligned."""
    subtrees = []
    while start < end:
        width = 1 << ((end - start).bit_length() - 1)
        subtrees.append((start, start + width))
        start += width
    return subtrees


class Frontier:
    """The right edge of a growing tree: the roots of its complete subtrees, O(log n) of them."""

    __slots__ = ("hashes", "size")

    def __init__(self, size: int = 0, hashes: Iterable[bytes] = ()) -> None:
        self.size = size
        self.hashes = list(hashes)
        if not 0 <= size <= MAX_SIZE:
            raise ProofError("frontier-size", f"A tree cannot have {size} entries.")
        if len(self.hashes) != size.bit_count() or any(len(one) != HASH_BYTES for one in self.hashes):
            raise ProofError("frontier-length", f"The frontier of {size} entries has {size.bit_count()} hashes.")

    def append(self, leaf: bytes) -> None:
        """Add one leaf hash."""
        self.extend((leaf,))

    def extend(self, leaves: Iterable[bytes]) -> None:
        hashes = self.hashes
        for edge in leaves:
            size = self.size
            while size & 1:
                edge = sha256(b"\x01" + hashes.pop() + edge).digest()
                size >>= 1
            hashes.append(edge)
            self.size += 1

    def copy(self) -> Frontier:
        return Frontier(self.size, self.hashes)

    def root(self) -> bytes:
        return _fold_edge(self.hashes) if self.hashes else EMPTY_ROOT

    def head(self) -> TreeHead:
        return TreeHead(self.size, self.root())

    def root_within(self, size: int, right: Sequence[bytes]) -> bytes:
        """Root of a larger tree that extends this one, given the hashes to the right of it."""
        expected = len(ranges_right_of(self.size, size))
        _check_hash_count(right, expected)
        ours, theirs = iter(self.hashes), iter(right)
        return _fold_within(0, size, self.size, ours, theirs)

    def to_bytes(self) -> bytes:
        return self.size.to_bytes(8, "big") + b"".join(self.hashes)

    @classmethod
    def from_bytes(cls, stored: bytes) -> Frontier:
        size, edge = int.from_bytes(stored[:8], "big"), stored[8:]
        if len(stored) < 8 or len(edge) % HASH_BYTES:
            raise ProofError("frontier-length", f"A stored frontier cannot be {len(stored)} bytes long.")
        return cls(size, (edge[i : i + HASH_BYTES] for i in range(0, len(edge), HASH_BYTES)))


def _fold_edge(hashes: Sequence[bytes]) -> bytes:
    folded = hashes[-1]
    for left in reversed(hashes[:-1]):
        folded = node_hash(left, folded)
    return folded


def _fold_within(start: int, end: int, known: int, ours: Iterator[bytes], theirs: Iterator[bytes]) -> bytes:
    if start >= known:
        return next(theirs)
    if end <= known and (end - start).bit_count() == 1:
        return next(ours)
    middle = start + split_point(end - start)
    left = _fold_within(start, middle, known, ours, theirs)
    return node_hash(left, _fold_within(middle, end, known, ours, theirs))


def split_point(size: int) -> int:
    """The largest power of two smaller than size: where RFC 6962 divides a tree."""
    return 1 << ((size - 1).bit_length() - 1)


def is_subtree(start: int, end: int) -> bool:
    """Whether ``[start, end)`` is a complete subtree, so that its hash is the same in every larger tree."""
    width = end - start
    return 0 <= start <= end and start % (1 << max(width - 1, 0).bit_length()) == 0


class _Sibling(Enum):
    RIGHT = "right of the range"
    LEFT = "left of the range"
    SHARED = "left, and part of the range itself"


class _Step(NamedTuple):
    start: int
    end: int
    sibling: _Sibling


def _path_steps(start: int, end: int, size: int) -> tuple[list[_Step], tuple[int, int] | None]:
    """The siblings from the range up to the root, and the piece to begin with if the range is not itself a node."""
    steps: list[_Step] = []
    low, high, is_node = 0, size, True
    while (low, high) != (start, end):
        middle = low + split_point(high - low)
        if end <= middle:
            steps.append(_Step(middle, high, _Sibling.RIGHT))
            high = middle
        elif start >= middle:
            steps.append(_Step(low, middle, _Sibling.LEFT))
            low = middle
        else:
            steps.append(_Step(low, middle, _Sibling.SHARED))
            start = low = middle
            is_node = False
    return steps[::-1], None if is_node else (low, high)


def subtree_proof_ranges(start: int, end: int, size: int) -> list[tuple[int, int]]:
    """The ranges whose hashes prove that ``[start,
    end)`` is part of the tree of that size, in the order of the proof.
    """
    if not is_subtree(start, end) or end > size:
        raise ProofError("no-subtree", f"Entries {start} to {end} are not a subtree of {size} entries.")
    if start == end:
        return []
    steps, first = _path_steps(start, end, size)
    ranges = [(step.start, step.end) for step in steps]
    return ranges if first is None else [first, *ranges]


def inclusion_proof_ranges(index: int, size: int) -> list[tuple[int, int]]:
    if not 0 <= index < size:
        raise ProofError("index-outside-tree", f"Entry {index} is not among the first {size} entries.")
    return subtree_proof_ranges(index, index + 1, size)


def consistency_proof_ranges(first: int, second: int) -> list[tuple[int, int]]:
    if first < 1:
        raise ProofError("empty-first-tree", "Every tree starts with the empty tree, so that proves nothing.")
    if first > second:
        raise ProofError("sizes-out-of-order", f"A tree of {second} entries cannot extend one of {first}.")
    return subtree_proof_ranges(0, first, second)


def ranges_right_of(end: int, size: int) -> list[tuple[int, int]]:
    """The ranges that complete the first ``end`` entries to the tree of that size, left to right."""
    if not 0 < end <= size:
        raise ProofError("sizes-out-of-order", f"Entries up to {end} are not the start of {size} entries.")
    ranges, low, high = [], 0, size
    while high != end:
        middle = low + split_point(high - low)
        if end <= middle:
            ranges.append((middle, high))
            high = middle
        else:
            low = middle
    return ranges[::-1]


class PathStep(NamedTuple):
    """One step from a leaf to the root: the sibling hash over entries start..end-1, and the resulting node."""

    start: int
    end: int
    is_left: bool
    sibling: bytes
    node: bytes

    @property
    def last(self) -> int:
        return self.end - 1

    @property
    def is_single_entry(self) -> bool:
        return self.last == self.start


def inclusion_path(leaf: bytes, index: int, size: int, proof: Sequence[bytes]) -> list[PathStep]:
    """The steps of `verify_inclusion`, for display. The last node is the root they lead to."""
    inclusion_proof_ranges(index, size)
    steps, _ = _path_steps(index, index + 1, size)
    _check_hash_count(proof, len(steps))
    path, node = [], leaf
    for step, sibling in zip(steps, proof, strict=True):
        is_left = step.sibling is not _Sibling.RIGHT
        node = node_hash(sibling, node) if is_left else node_hash(node, sibling)
        path.append(PathStep(step.start, step.end, is_left, sibling, node))
    return path


def verify_inclusion(leaf: bytes, index: int, head: TreeHead, proof: Sequence[bytes]) -> None:
    """Raises unless the leaf hash is the entry at that index of the signed tree."""
    expected = len(inclusion_proof_ranges(index, head.size))
    _check_hash_count([leaf, head.root])
    _check_hash_count(proof, expected)
    _verify_path(leaf, index, index + 1, head, proof)


def verify_consistency(first: TreeHead, second: TreeHead, proof: Sequence[bytes]) -> None:
    """Raises unless the second signed tree begins with exactly the entries of the first."""
    expected = len(consistency_proof_ranges(first.size, second.size))
    _check_hash_count([first.root, second.root])
    _check_hash_count(proof, expected)
    _verify_path(first.root, 0, first.size, second, proof)


def verify_subtree(subtree: bytes, start: int, end: int, head: TreeHead, proof: Sequence[bytes]) -> None:
    """Raises unless ``[start, end)`` of the signed tree has that hash."""
    if start == end:
        raise ProofError("empty-subtree", "A subtree without entries proves nothing.")
    expected = len(subtree_proof_ranges(start, end, head.size))
    _check_hash_count([subtree, head.root])
    _check_hash_count(proof, expected)
    _verify_path(subtree, start, end, head, proof)


def verify_range(leaves: Iterable[bytes], start: int, head: TreeHead, proof: RangeProof) -> None:
    """Raises unless the leaf hashes are exactly the entries from ``start`` on in the signed tree."""
    frontier = Frontier(start, proof.left)
    frontier.extend(leaves)
    if frontier.size == start:
        raise ProofError("empty-range", "A range without entries proves nothing.")
    if not hmac.compare_digest(frontier.root_within(head.size, proof.right), head.root):
        raise ProofError("root-differs", "The entries do not lead to the signed root.")


def _check_hash_count(hashes: Sequence[bytes], expected: int | None = None) -> None:
    if expected is not None and len(hashes) != expected:
        raise ProofError("proof-length", f"This proof must have {expected} hashes and has {len(hashes)}.")
    if any(len(one) != HASH_BYTES for one in hashes):
        raise ProofError("hash-length", f"Every hash must be {HASH_BYTES} bytes long.")


def _verify_path(subtree: bytes, start: int, end: int, head: TreeHead, proof: Sequence[bytes]) -> None:
    steps, first = _path_steps(start, end, head.size)
    hashes = iter(proof)
    part = root = subtree if first is None else next(hashes)
    for step, sibling in zip(steps, hashes, strict=True):
        root = node_hash(root, sibling) if step.sibling is _Sibling.RIGHT else node_hash(sibling, root)
        if step.sibling is _Sibling.SHARED:
            part = node_hash(sibling, part)
    if not hmac.compare_digest(part, subtree):
        raise ProofError("subtree-differs", "The proof does not lead to the earlier root.")
    if not hmac.compare_digest(root, head.root):
        raise ProofError("root-differs", "The proof does not lead to the signed root.")
