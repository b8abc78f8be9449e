"""Published test vectors for the RFC 6962 tree: its hasher, its eight-leaf tree, and every subtree and proof to 130."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from hashlib import sha256

import pytest

from rounds.transparency_log.tree import merkle, tiles
from tests.rounds.transparency_log.memory_log import MemoryTree

EIGHT = [
    bytes.fromhex(leaf)
    for leaf in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = {
    0: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    3: "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    5: "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
}
LARGEST = 130


def test_hashes_of_leaves_and_nodes() -> None:
    assert merkle.EMPTY_ROOT.hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert merkle.leaf_hash(b"").hex() == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    assert merkle.leaf_hash(b"L123456").hex() == "395aa064aa4c29f7010acfe3f25db9485bbd4b91897b6ad7ad547639252b4d56"
    node = merkle.node_hash(b"N123", b"N456")
    assert node.hex() == "aa217fe888e47007fa15edab33c2b492a722cb106c64667fc2b044444de66bbb"


@pytest.mark.parametrize(("size", "root"), ROOTS.items())
def test_roots_of_the_eight_leaf_tree(size: int, root: str) -> None:
    tree = MemoryTree(EIGHT)
    assert merkle.root_of(tree.leaf_hashes[:size]).hex() == root
    assert MemoryTree(EIGHT[:size]).frontier.root().hex() == root
    assert tiles.subtree_hash(tree.read(), 0, size).hex() == root


def subtrees(largest: int) -> Iterator[tuple[int, int]]:
    return ((start, end) for end in range(largest + 1) for start in range(end + 1) if merkle.is_subtree(start, end))


def line(prefix: str, hashes: Sequence[bytes]) -> bytes:
    return " ".join([prefix, *(one.hex() for one in hashes)]).encode() + b"\n"


RangeHash = Callable[[int, int], bytes]


@pytest.fixture(scope="module")
def hash_of() -> RangeHash:
    read = MemoryTree(bytes([value]) for value in range(LARGEST)).read()
    return cache(lambda start, end: tiles.subtree_hash(read, start, end))


def test_every_subtree_hash(hash_of: RangeHash) -> None:
    digest = sha256()
    for start, end in subtrees(LARGEST):
        digest.update(line(f"[{start}, {end})", [hash_of(start, end)]))
    assert digest.hexdigest() == "b82806ad4265bb151c1119c0f4db437bb4d1a1f887b3a7fba1cd4ebf552e3e81"


def test_every_inclusion_proof(hash_of: RangeHash) -> None:
    digest, count = sha256(), 0
    for start, end in subtrees(LARGEST):
        head = merkle.TreeHead(end - start, hash_of(start, end))
        for index in range(start, end):
            ranges = merkle.inclusion_proof_ranges(index - start, end - start)
            proof = [hash_of(start + low, start + high) for low, high in ranges]
            digest.update(line(f"{index} [{start}, {end})", proof))
            merkle.verify_inclusion(merkle.leaf_hash(bytes([index])), index - start, head, proof)
            count += 1
    assert count == 12_807
    assert digest.hexdigest() == "ac2a8f989e44d99e399db448050ff5f19757df53cfb716aa81015d3955d8163f"


def test_every_consistency_proof(hash_of: RangeHash) -> None:
    digest, count = sha256(), 0
    for size in range(LARGEST + 1):
        head = merkle.TreeHead(size, hash_of(0, size))
        for start, end in subtrees(size):
            proof = [hash_of(low, high) for low, high in merkle.subtree_proof_ranges(start, end, size)]
            digest.update(line(f"[{start}, {end}) {size}", proof))
            count += 1
            if start < end:
                merkle.verify_subtree(hash_of(start, end), start, end, head, proof)
    assert count == 42_893
    assert digest.hexdigest() == "10fa99b37bf9bf9ffa26b412fbd98bd75363256d0b75d61bc4538b9c9c5a0a74"
