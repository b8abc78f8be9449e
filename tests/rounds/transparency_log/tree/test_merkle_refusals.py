"""Invalid proofs are refused, however close; each refusal is paired with the valid proof."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rounds.transparency_log.errors import ProofError
from rounds.transparency_log.offline import tree as offline
from rounds.transparency_log.tree import merkle, tiles
from rounds.transparency_log.tree.merkle import Frontier, RangeProof, TreeHead
from tests.rounds.transparency_log.memory_log import MemoryTree

TREE = MemoryTree(b"round %d" % number for number in range(100))
READ = TREE.read()


def head(size: int) -> TreeHead:
    return TreeHead(size, tiles.subtree_hash(READ, 0, size))


def refusal(check: Callable[..., object], *arguments: object) -> str:
    with pytest.raises(ProofError) as refused:
        check(*arguments)
    return refused.value.code


def flip(value: bytes, bit: int) -> bytes:
    return (int.from_bytes(value, "big") ^ (1 << bit)).to_bytes(len(value), "big")


def test_a_proof_is_only_good_for_its_own_index_and_size() -> None:
    """The proof of leaf 1 of 2 folds to the same root at (2, 3), (4, 5) and (8, 9): only the length tells."""
    leaf0, leaf1 = TREE.leaf_hashes[:2]
    root = merkle.node_hash(leaf0, leaf1)
    merkle.verify_inclusion(leaf1, 1, TreeHead(2, root), [leaf0])
    for index, size in ((2, 3), (4, 5), (8, 9)):
        assert offline.root_from_inclusion_proof(leaf1, index, size, [leaf0]) == root
        assert len(merkle.inclusion_proof_ranges(index, size)) == 1


def test_such_a_proof_is_refused_against_the_tree_that_was_signed() -> None:
    leaf0, leaf1 = TREE.leaf_hashes[:2]
    for index, size in ((2, 3), (4, 5), (8, 9)):
        assert refusal(merkle.verify_inclusion, leaf1, index, head(size), [leaf0]) == "root-differs"
    for index, size in ((1, 3), (1, 4), (0, 3)):
        assert refusal(merkle.verify_inclusion, leaf1, index, head(size), [leaf0]) == "proof-length"


@pytest.mark.parametrize("index", [-1, 100, 10**30])
def test_an_index_outside_the_tree(index: int) -> None:
    assert refusal(merkle.verify_inclusion, TREE.leaf_hashes[0], index, head(100), []) == "index-outside-tree"


def test_the_empty_tree_includes_nothing() -> None:
    assert refusal(merkle.verify_inclusion, merkle.EMPTY_ROOT, 0, head(0), []) == "index-outside-tree"


@pytest.mark.parametrize(("index", "size"), [(0, 1), (0, 2), (41, 100), (99, 100), (64, 65)])
def test_missing_trailing_and_cut_components_of_an_inclusion_proof(index: int, size: int) -> None:
    leaf, proof = TREE.leaf_hashes[index], tiles.inclusion_proof(READ, index, size)
    merkle.verify_inclusion(leaf, index, head(size), proof)
    for wrong in (proof[:-1], proof[1:], [*proof, bytes(32)], [*proof, proof[-1] if proof else leaf], [leaf, *proof]):
        if wrong != proof:
            assert refusal(merkle.verify_inclusion, leaf, index, head(size), wrong) == "proof-length"
            assert offline.root_from_inclusion_proof(leaf, index, size, wrong) != head(size).root
    if proof:
        cut = [proof[0][:-1], *proof[1:]]
        assert refusal(merkle.verify_inclusion, leaf, index, head(size), cut) == "hash-length"


def test_consistency_from_the_empty_tree_proves_nothing() -> None:
    assert refusal(merkle.verify_consistency, head(0), head(7), []) == "empty-first-tree"
    assert refusal(merkle.verify_consistency, head(0), head(0), []) == "empty-first-tree"
    assert not offline.is_consistent(offline.TreeHead(*head(0)), offline.TreeHead(*head(7)), [])
    with pytest.raises(ProofError):
        tiles.consistency_proof(READ, 0, 7)


def test_consistency_of_sizes_out_of_order() -> None:
    proof = tiles.consistency_proof(READ, 6, 7)
    merkle.verify_consistency(head(6), head(7), proof)
    assert refusal(merkle.verify_consistency, head(7), head(6), proof) == "sizes-out-of-order"


def test_a_tree_extends_itself_only_with_the_same_root_and_no_proof() -> None:
    merkle.verify_consistency(head(7), head(7), [])
    other = TreeHead(7, head(8).root)
    assert refusal(merkle.verify_consistency, head(7), other, []) == "root-differs"
    assert refusal(merkle.verify_consistency, head(7), head(7), [head(7).root]) == "proof-length"


@pytest.mark.parametrize(("first", "second"), [(1, 2), (4, 7), (6, 7), (64, 100), (63, 64), (99, 100)])
def test_swapped_roots_and_wrong_components_of_a_consistency_proof(first: int, second: int) -> None:
    proof = tiles.consistency_proof(READ, first, second)
    one, two = head(first), head(second)
    merkle.verify_consistency(one, two, proof)
    swapped = TreeHead(first, two.root), TreeHead(second, one.root)
    assert refusal(merkle.verify_consistency, *swapped, proof) in {"root-differs", "subtree-differs"}
    for wrong in (proof[:-1], proof[1:], [*proof, bytes(32)], [one.root, *proof], []):
        assert refusal(merkle.verify_consistency, one, two, wrong) == "proof-length"


def test_a_subtree_must_be_one() -> None:
    proof = tiles.subtree_proof(READ, 8, 13, 100)
    subtree = tiles.subtree_hash(READ, 8, 13)
    merkle.verify_subtree(subtree, 8, 13, head(100), proof)
    assert refusal(merkle.verify_subtree, subtree, 7, 12, head(100), proof) == "no-subtree"
    assert refusal(merkle.verify_subtree, subtree, 8, 8, head(100), []) == "empty-subtree"
    assert refusal(merkle.verify_subtree, subtree, 96, 128, head(100), proof) == "no-subtree"


def test_a_range_must_be_the_very_entries() -> None:
    leaves, proof = TREE.leaf_hashes, tiles.range_proof(READ, 10, 20, 100)
    merkle.verify_range(leaves[10:20], 10, head(100), proof)
    swapped = [*leaves[10:18], leaves[19], leaves[18]]
    assert refusal(merkle.verify_range, swapped, 10, head(100), proof) == "root-differs"
    assert refusal(merkle.verify_range, leaves[11:21], 10, head(100), proof) == "root-differs"
    assert refusal(merkle.verify_range, leaves[10:19], 10, head(100), proof) == "proof-length"
    assert refusal(merkle.verify_range, leaves[10:20], 11, head(100), proof) == "frontier-length"
    assert refusal(merkle.verify_range, [], 10, head(100), proof) == "empty-range"
    missing = RangeProof(proof.left, proof.right[:-1])
    assert refusal(merkle.verify_range, leaves[10:20], 10, head(100), missing) == "proof-length"


@pytest.mark.parametrize(
    "stored", [b"", bytes(7), bytes(7) + b"\x01", bytes(8) + bytes(32), bytes(7) + b"\x01" + bytes(31)]
)
def test_a_stored_frontier_of_the_wrong_length(stored: bytes) -> None:
    assert refusal(Frontier.from_bytes, stored) == "frontier-length"


@given(st.data())
def test_one_flipped_bit_anywhere_in_an_inclusion_proof(data: st.DataObject) -> None:
    size = data.draw(st.integers(2, 100))
    index = data.draw(st.integers(0, size - 1))
    parts = [TREE.leaf_hashes[index], head(size).root, *tiles.inclusion_proof(READ, index, size)]
    merkle.verify_inclusion(parts[0], index, TreeHead(size, parts[1]), parts[2:])
    place, bit = data.draw(st.integers(0, len(parts) - 1)), data.draw(st.integers(0, 255))
    parts[place] = flip(parts[place], bit)
    with pytest.raises(ProofError):
        merkle.verify_inclusion(parts[0], index, TreeHead(size, parts[1]), parts[2:])
    assert offline.root_from_inclusion_proof(parts[0], index, size, parts[2:]) != parts[1]


@given(st.data())
def test_one_flipped_bit_anywhere_in_a_consistency_proof(data: st.DataObject) -> None:
    second = data.draw(st.integers(2, 100))
    first = data.draw(st.integers(1, second))
    parts = [head(first).root, head(second).root, *tiles.consistency_proof(READ, first, second)]
    merkle.verify_consistency(TreeHead(first, parts[0]), TreeHead(second, parts[1]), parts[2:])
    place, bit = data.draw(st.integers(0, len(parts) - 1)), data.draw(st.integers(0, 255))
    parts[place] = flip(parts[place], bit)
    with pytest.raises(ProofError):
        merkle.verify_consistency(TreeHead(first, parts[0]), TreeHead(second, parts[1]), parts[2:])
    heads = offline.TreeHead(first, parts[0]), offline.TreeHead(second, parts[1])
    assert not offline.is_consistent(*heads, parts[2:])
