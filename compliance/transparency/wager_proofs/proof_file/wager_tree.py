"""Merkle tree over one round's wagers, and its node within the tree of a commitment.

Each wager has a salt derived from the commitment's key, the round and the position. Free positions up to a power of
two, at least sixteen, get salted filler leaves, so that the number of wagers is only revealed as an upper bound.
"""

import hmac
from dataclasses import dataclass

from compliance.transparency.wager_proofs.offline.verify_wager import empty_leaf, round_leaf, wager_leaf
from compliance.transparency.wager_proofs.proof_file.wager_statements import wager_statements
from rounds.ledger import LogEntry
from rounds.transparency_log import tree

KEY_BYTES = 32
MIN_LEAVES = 16


def derive_round_key(key: bytes, entry: int) -> bytes:
    """A key for one round: it reveals the salts of that round and of no other."""
    return hmac.digest(key, b"round %d" % entry, "sha256")


def derive_salt(key_of_round: bytes, position: int) -> bytes:
    return hmac.digest(key_of_round, b"place %d" % position, "sha256")


def leaf_count_for(wagers: int) -> int:
    return max(MIN_LEAVES, 1 << max(wagers - 1, 0).bit_length())


@dataclass(frozen=True)
class RoundCommitment:
    """One round in a commitment: its leaves and the node over them."""

    leaves: list[bytes]
    node: bytes


def commit_round(key: bytes, entry: LogEntry) -> RoundCommitment:
    own_key = derive_round_key(key, entry.index)
    leaves = [
        wager_leaf(derive_salt(own_key, position), says)
        for position, (_, says) in enumerate(wager_statements(entry.body))
    ]
    leaf_count = leaf_count_for(len(leaves))
    leaves += [empty_leaf(derive_salt(own_key, position)) for position in range(len(leaves), leaf_count)]
    return RoundCommitment(leaves, round_leaf(entry.index, entry.leaf_sha256, leaf_count, tree.root_of(leaves)))


def inclusion_path_to(leaves: list[bytes], position: int) -> list[bytes]:
    """The sibling hashes from a leaf to the root."""
    return [tree.root_of(leaves[start:end]) for start, end in tree.inclusion_proof_ranges(position, len(leaves))]
