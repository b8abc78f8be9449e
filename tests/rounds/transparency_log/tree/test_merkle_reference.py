"""Every size to 130: roots and proofs equal the RFC's recursion, and both verifiers accept them."""

from collections.abc import Iterator
from functools import cache

import pytest

from rounds.transparency_log.offline import tree as offline
from rounds.transparency_log.tree import merkle, tiles
from rounds.transparency_log.tree.merkle import TreeHead
from tests.rounds.transparency_log import rfc6962_reference
from tests.rounds.transparency_log.memory_log import MemoryTree

LARGEST = 130
LEAVES = [b"round %d" % number for number in range(LARGEST)]
SIZES = range(1, LARGEST + 1)


@cache
def root(size: int) -> bytes:
    return rfc6962_reference.mth(LEAVES[:size])


@pytest.fixture(scope="module")
def read() -> tiles.TileReader:
    return MemoryTree(LEAVES).read()


def test_the_frontier_has_the_right_root_at_every_size() -> None:
    frontier = merkle.Frontier()
    for size in SIZES:
        frontier.append(merkle.leaf_hash(LEAVES[size - 1]))
        assert frontier.head() == TreeHead(size, root(size))
        assert merkle.Frontier.from_bytes(frontier.to_bytes()).head() == frontier.head()
        assert len(frontier.to_bytes()) == 8 + 32 * size.bit_count()


def test_every_root_from_tiles(read: tiles.TileReader) -> None:
    assert all(tiles.subtree_hash(read, 0, size) == root(size) for size in SIZES)


def test_every_inclusion_proof(read: tiles.TileReader) -> None:
    for size in SIZES:
        for index in range(size):
            proof = tiles.inclusion_proof(read, index, size)
            assert proof == rfc6962_reference.path(index, LEAVES[:size])
            leaf = merkle.leaf_hash(LEAVES[index])
            merkle.verify_inclusion(leaf, index, TreeHead(size, root(size)), proof)
            assert offline.root_from_inclusion_proof(leaf, index, size, proof) == root(size)


def test_every_consistency_proof(read: tiles.TileReader) -> None:
    for first, second in pairs():
        proof = tiles.consistency_proof(read, first, second)
        assert proof == rfc6962_reference.proof(first, LEAVES[:second])
        merkle.verify_consistency(TreeHead(first, root(first)), TreeHead(second, root(second)), proof)
        early, late = (offline.TreeHead(size, root(size)) for size in (first, second))
        assert offline.is_consistent(early, late, proof)


def pairs() -> Iterator[tuple[int, int]]:
    return ((first, second) for second in SIZES for first in range(1, second + 1))


@pytest.mark.parametrize("size", [1, 2, 7, 8, 64, 65, 100])
def test_every_range_proof(size: int, read: tiles.TileReader) -> None:
    hashes = [merkle.leaf_hash(leaf) for leaf in LEAVES]
    for end in range(1, size + 1):
        for start in range(end):
            proof = tiles.range_proof(read, start, end, size)
            merkle.verify_range(hashes[start:end], start, TreeHead(size, root(size)), proof)
            edge = offline.TreeEdge(start, list(proof.left))
            for leaf in hashes[start:end]:
                edge.append(leaf)
            assert edge.root_within(size, list(proof.right)) == root(size)
