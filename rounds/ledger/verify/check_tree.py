"""Recomputes the tree from the entries and compares it with the stored tiles and head."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rounds.ledger.models import Head, Log
from rounds.ledger.models import Tile as StoredTile
from rounds.ledger.storage import stored_hashes, stored_tiles
from rounds.ledger.verify.issues import IssueList
from rounds.transparency_log.tree.merkle import Frontier, complete_subtrees, root_of
from rounds.transparency_log.tree.tiles import TILE_HEIGHT, TILE_WIDTH, FullTile, split_hashes

HIGHEST_LEVEL = 7


class RecomputedTree:
    """Grows from leaf hashes and yields tiles as they become full. Memory use does not grow with the log."""

    def __init__(self, size: int, edges: list[list[bytes]]) -> None:
        """``edges`` has for each level the hashes that are not in a full tile yet."""
        self.size = size
        self._edges = edges
        self._full = [size >> (TILE_HEIGHT * (level + 1)) for level in range(HIGHEST_LEVEL + 1)]
        # Frontier of each edge, computed only as far as it was needed.
        self._frontiers = [Frontier() for _ in edges]

    @classmethod
    def empty(cls) -> RecomputedTree:
        return cls(0, [[] for _ in range(HIGHEST_LEVEL + 1)])

    @classmethod
    def from_storage(cls, log: Log, size: int) -> RecomputedTree:
        """Continue from the stored tree over the first `size` entries.

        The caller compares its root with a known one.
        """
        read = stored_hashes(log, size)
        edges = []
        for level in range(HIGHEST_LEVEL + 1):
            count = size >> (TILE_HEIGHT * level)
            begun = count % TILE_WIDTH
            edges.append(list(read(level, count - begun, count)) if begun else [])
        return cls(size, edges)

    @property
    def frontier(self) -> Frontier:
        """Joins the frontiers of the edges, highest level first: their hashes are roots of complete subtrees."""
        for frontier, edge in zip(self._frontiers, self._edges, strict=True):
            frontier.extend(edge[frontier.size :])
        return Frontier(self.size, (one for frontier in reversed(self._frontiers) for one in frontier.hashes))

    def extend(self, leaves: Sequence[bytes]) -> Iterator[FullTile]:
        """Add leaf hashes and yield the tiles they complete."""
        lowest, taken = self._edges[0], 0
        while taken < len(leaves):
            more = leaves[taken : taken + TILE_WIDTH - len(lowest)]
            lowest += more
            taken += len(more)
            self.size += len(more)
            if len(lowest) == TILE_WIDTH:
                yield from self._complete_tiles()

    def _complete_tiles(self) -> Iterator[FullTile]:
        """Yield the full lowest edge and the edges above that its root fills, lowest first."""
        for level, edge in enumerate(self._edges):
            if len(edge) < TILE_WIDTH:
                return
            root = root_of(edge)
            yield FullTile(level, self._full[level], b"".join(edge), root)
            self._full[level] += 1
            self._frontiers[level] = Frontier()
            edge.clear()
            self._edges[level + 1].append(root)

    def full_tiles(self) -> int:
        return sum(self._full)


def compare_tiles(log: Log, tiles: Sequence[FullTile], issues: IssueList) -> None:
    for level in sorted({tile.level for tile in tiles}):
        of_level = [tile for tile in tiles if tile.level == level]
        stored = stored_tiles(log, level, [tile.index for tile in of_level])
        for tile in of_level:
            _compare_tile(tile, stored.get(tile.index), issues)


def _compare_tile(tile: FullTile, stored: FullTile | None, issues: IssueList) -> None:
    width = TILE_WIDTH**tile.level
    first = tile.index * TILE_WIDTH * width
    covered = (first, first + TILE_WIDTH * width)
    if stored is None:
        issues.add("tiles", covered, "the part of the stored tree that covers them is missing.")
    elif stored.hashes != tile.hashes:
        place = first + width * _first_difference(stored.hashes, tile.hashes)
        issues.add("tiles", (place, place + width), "not what was recorded at this place; the stored tree differs.")
    elif stored.root != tile.root:
        issues.add("tiles", covered, "the stored tree gives them a root that is not theirs.")


def _first_difference(stored: bytes, recomputed: bytes) -> int:
    pairs = zip(split_hashes(stored, TILE_WIDTH), split_hashes(recomputed, TILE_WIDTH), strict=True)
    return next(place for place, (one, other) in enumerate(pairs) if one != other)


def compare_head(head: Head, tree: RecomputedTree, issues: IssueList) -> None:
    if bytes(head.frontier) == tree.frontier.to_bytes() and head.size == tree.size:
        return
    counted = f"the log's head counts {head.size} entries."
    if head.size > tree.size:
        issues.add("head", (tree.size, head.size), f"missing at the end; {counted}")
    elif head.size < tree.size:
        issues.add("head", (head.size, tree.size), f"not recorded by the service; {counted}")
    else:
        _compare_frontier(bytes(head.frontier), tree, issues)


def _compare_frontier(stored: bytes, tree: RecomputedTree, issues: IssueList) -> None:
    try:
        hashes = Frontier.from_bytes(stored).hashes
        pairs = zip(complete_subtrees(0, tree.size), hashes, tree.frontier.hashes, strict=True)
        span = next(where for where, one, other in pairs if one != other)
    except (ValueError, StopIteration):
        issues.add("head", None, "The log's head cannot be read: something else was put in its place.")
    else:
        issues.add("head", span, "not those that the log's head was computed from.")


def check_tile_count(log: Log, tree: RecomputedTree, issues: IssueList) -> None:
    """Missing tiles were reported one by one. Tiles over entries that do not exist show only in the number of tiles."""
    if StoredTile.objects.filter(log=log).count() > tree.full_tiles():
        issues.add("tiles", None, f"The stored tree covers more than the {tree.size} entries that were found.")
