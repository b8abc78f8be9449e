"""The stored tree: tiles of 256 hashes (C2SP tlog-tiles levels), and the proofs computed from them.

Full tiles are stored for ever; hashes after the last full tile of a level come from ``edge``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rounds.transparency_log.errors import ProofError
from rounds.transparency_log.tree.merkle import (
    EMPTY_ROOT,
    HASH_BYTES,
    RangeProof,
    complete_subtrees,
    consistency_proof_ranges,
    inclusion_proof_ranges,
    node_hash,
    ranges_right_of,
    root_of,
    subtree_proof_ranges,
)

TILE_HEIGHT = 8
TILE_WIDTH = 1 << TILE_HEIGHT
# Smaller subtrees are faster to recompute than to look up.
MIN_CACHED_SPAN = 8
TILE_BYTES = TILE_WIDTH * HASH_BYTES

# (level, start, end) → the hashes start..end-1 of that level, all within one tile.
HashReader = Callable[[int, int, int], Sequence[bytes]]


@dataclass(frozen=True, slots=True)
class FullTile:
    """A full tile: 256 hashes of one level, and their root, which is one hash of the level above."""

    level: int
    index: int
    hashes: bytes
    root: bytes


class TileReader:
    """Reads a stored tree; each tile is fetched at most once.

    ``full_tile(level, index)`` returns the 8,192 bytes of a full tile. ``edge(level, start, end)`` returns hashes that
    are not in a full tile yet: at level 0 the entries' leaf hashes, above it the roots of the full tiles one level
    below.
    """

    def __init__(
        self,
        size: int,
        full_tile: Callable[[int, int], bytes],
        edge: Callable[[int, int, int], Sequence[bytes]],
    ) -> None:
        self.size = size
        self._full_tile = full_tile
        self._edge = edge
        self._fetched: dict[tuple[int, int], Sequence[bytes]] = {}
        self._roots: dict[tuple[int, int, int], bytes] = {}

    @property
    def fetch_count(self) -> int:
        """How many tiles and edges were fetched so far."""
        return len(self._fetched)

    def __call__(self, level: int, start: int, end: int) -> Sequence[bytes]:
        tile = start // TILE_WIDTH
        hashes = self._fetched.get((level, tile))
        if hashes is None:
            hashes = self._fetched[level, tile] = self._fetch(level, tile)
        offset = tile * TILE_WIDTH
        wanted = hashes[start - offset : end - offset]
        if len(wanted) != end - start:
            raise ProofError("hashes-missing", f"Hashes {start} to {end} of tree level {level} are not stored.")
        return wanted

    def root(self, level: int, start: int, end: int) -> bytes:
        """Root of a subtree within a tile, cached: the proofs of neighbours share their upper nodes."""
        if end - start < MIN_CACHED_SPAN:
            return root_of(self(level, start, end))
        known = self._roots.get((level, start, end))
        if known is None:
            known = self._roots[level, start, end] = root_of(self(level, start, end))
        return known

    def _fetch(self, level: int, tile: int) -> Sequence[bytes]:
        stored = self.size >> (TILE_HEIGHT * level)
        start, end = tile * TILE_WIDTH, min((tile + 1) * TILE_WIDTH, stored)
        if end - start == TILE_WIDTH:
            return split_hashes(self._full_tile(level, tile), TILE_WIDTH)
        return self._edge(level, start, end)


def split_hashes(joined: bytes, expected: int) -> list[bytes]:
    if len(joined) != expected * HASH_BYTES:
        raise ProofError("tile-length", f"A tile of {expected} hashes cannot be {len(joined)} bytes long.")
    return [joined[i : i + HASH_BYTES] for i in range(0, len(joined), HASH_BYTES)]


def subtree_hash(read: HashReader, start: int, end: int) -> bytes:
    """Root over the entries ``[start, end)``, which must be a subtree."""
    if start == end:
        return EMPTY_ROOT
    hashes = [_complete_subtree_hash(read, low, high) for low, high in complete_subtrees(start, end)]
    root = hashes.pop()
    while hashes:
        root = node_hash(hashes.pop(), root)
    return root


def _complete_subtree_hash(read: HashReader, start: int, end: int) -> bytes:
    """Root of a complete, aligned subtree, from the lowest tile level that holds its hashes."""
    height = (end - start).bit_length() - 1
    level = height // TILE_HEIGHT
    scale = TILE_HEIGHT * level
    low, high = start >> scale, end >> scale
    return read.root(level, low, high) if isinstance(read, TileReader) else root_of(read(level, low, high))


def inclusion_proof(read: HashReader, index: int, size: int) -> list[bytes]:
    return [subtree_hash(read, start, end) for start, end in inclusion_proof_ranges(index, size)]


def consistency_proof(read: HashReader, first: int, second: int) -> list[bytes]:
    return [subtree_hash(read, start, end) for start, end in consistency_proof_ranges(first, second)]


def subtree_proof(read: HashReader, start: int, end: int, size: int) -> list[bytes]:
    return [subtree_hash(read, low, high) for low, high in subtree_proof_ranges(start, end, size)]


def range_proof(read: HashReader, start: int, end: int, size: int) -> RangeProof:
    """Proof that a run of entries is exactly ``[start, end)`` of the tree of that size."""
    if not 0 <= start < end <= size:
        raise ProofError("index-outside-tree", f"Entries {start} to {end} are not a range of {size} entries.")
    left = tuple(subtree_hash(read, low, high) for low, high in complete_subtrees(0, start))
    right = tuple(subtree_hash(read, low, high) for low, high in ranges_right_of(end, size))
    return RangeProof(left, right)


def newly_full_tiles(size: int, read: HashReader, appended: Sequence[bytes]) -> Iterator[FullTile]:
    """The tiles that become full when leaf hashes are appended to a tree of that size, lowest level first.

    ``read`` is called at most once for each level, for the stored hashes of the incomplete tile.
    """
    level, stored, added = 0, size, list(appended)
    while added:
        begun = stored % TILE_WIDTH
        if begun + len(added) < TILE_WIDTH:
            return
        hashes = [*read(level, stored - begun, stored), *added] if begun else added
        first = stored // TILE_WIDTH
        added = []
        for offset in range(len(hashes) // TILE_WIDTH):
            tile = hashes[offset * TILE_WIDTH : (offset + 1) * TILE_WIDTH]
            added.append(root_of(tile))
            yield FullTile(level, first + offset, b"".join(tile), added[-1])
        level, stored = level + 1, first
