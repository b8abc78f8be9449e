"""The stored tree: which tiles become full when, and how few of them a proof reads."""

import random

import pytest

from rounds.transparency_log.errors import ProofError
from rounds.transparency_log.tree import merkle, tiles
from tests.rounds.transparency_log.memory_log import MemoryTree

LEAVES = [merkle.leaf_hash(b"%d" % number) for number in range(70_000)]


@pytest.fixture(scope="module")
def grown() -> MemoryTree:
    """70,000 entries, appended in batches of many sizes."""
    tree, sizes = MemoryTree(), random.Random(7)
    while tree.frontier.size < len(LEAVES):
        batch = sizes.choice([1, 3, 255, 256, 257, 500, 1000])
        tree.append(LEAVES[tree.frontier.size : tree.frontier.size + batch])
    return tree


def test_a_tile_is_full_at_256_and_not_before() -> None:
    tree = MemoryTree()
    tree.append(LEAVES[:255])
    assert tree.tiles == {}
    tree.append(LEAVES[255:256])
    assert set(tree.tiles) == {(0, 0)}
    assert tree.tiles[0, 0].hashes == b"".join(LEAVES[:256])
    assert tree.tiles[0, 0].root == tree.frontier.root()


def test_70_000_entries_make_273_full_tiles_and_one_above(grown: MemoryTree) -> None:
    """The example of the C2SP tlog-tiles document."""
    assert sorted(grown.tiles) == [*((0, index) for index in range(273)), (1, 0)]
    roots = [grown.tiles[0, index].root for index in range(256)]
    assert grown.tiles[1, 0].hashes == b"".join(roots)


def test_one_large_append_stores_the_same_tiles(grown: MemoryTree) -> None:
    at_once = MemoryTree()
    at_once.append(LEAVES)
    assert at_once.tiles == grown.tiles
    assert at_once.frontier.to_bytes() == grown.frontier.to_bytes()


@pytest.mark.parametrize("size", [255, 256, 257, 65_535, 65_536, 65_537, 69_888, 70_000])
def test_proofs_at_any_size_read_few_tiles(size: int, grown: MemoryTree) -> None:
    head = merkle.TreeHead(size, tiles.subtree_hash(grown.read(), 0, size))
    assert head.root == merkle.root_of(LEAVES[:size])
    for index in (0, 1, 254, size // 2, size - 1):
        read = grown.read()
        merkle.verify_inclusion(LEAVES[index], index, head, tiles.inclusion_proof(read, index, size))
        assert read.fetch_count <= 6
    for first in (1, 200, size // 3, size - 1, size):
        read = grown.read()
        proof = tiles.consistency_proof(read, first, size)
        merkle.verify_consistency(merkle.TreeHead(first, merkle.root_of(LEAVES[:first])), head, proof)
        assert read.fetch_count <= 6


def test_a_range_proof_reads_few_tiles(grown: MemoryTree) -> None:
    read = grown.read()
    proof = tiles.range_proof(read, 66_000, 69_000, 70_000)
    merkle.verify_range(LEAVES[66_000:69_000], 66_000, grown.frontier.head(), proof)
    assert read.fetch_count <= 8


def test_a_tile_of_the_wrong_length_and_missing_hashes_are_refused(grown: MemoryTree) -> None:
    cut = tiles.TileReader(70_000, lambda level, index: grown.tiles[level, index].hashes[:-1], lambda *_: [])
    with pytest.raises(ProofError) as refused:
        tiles.inclusion_proof(cut, 5, 300)
    assert refused.value.code == "tile-length"
    with pytest.raises(ProofError) as refused:
        tiles.inclusion_proof(cut, 69_999, 70_000)
    assert refused.value.code == "hashes-missing"


@pytest.mark.parametrize(("start", "end", "size"), [(3, 3, 9), (5, 4, 9), (-1, 4, 9), (3, 10, 9)])
def test_a_range_outside_the_log_has_no_proof(start: int, end: int, size: int, grown: MemoryTree) -> None:
    with pytest.raises(ProofError):
        tiles.range_proof(grown.read(), start, end, size)
