"""The tree over one round's wagers, and its place among the rounds of a stretch.

Each wager has a salt that follows from the stretch's key, its round and its place. The places that are left over up to
a power of two, sixteen at the least, are filled with salted nothing: how many wagers there were does not show, only
that there were no more than so many.
"""

import hmac
from dataclasses import dataclass

from compliance.proofs.stating import statements
from compliance.proofs.verify_wager import empty_leaf, round_leaf, wager_leaf
from rounds.ledger.following import Recorded
from rounds.ledger.merkle import inclusion_proof_ranges, root_of

KEY_BYTES = 32
FEWEST_PLACES = 16


def round_key(key: bytes, entry: int) -> bytes:
    """Whoever is told the key of one round can open that round and no other."""
    return hmac.digest(key, b"round %d" % entry, "sha256")


def salt_at(key_of_round: bytes, place: int) -> bytes:
    return hmac.digest(key_of_round, b"place %d" % place, "sha256")


def places_for(wagers: int) -> int:
    return max(FEWEST_PLACES, 1 << max(wagers - 1, 0).bit_length())


@dataclass(frozen=True)
class Committed:
    """A round as a stretch commits to it: the leaf of each place, and the node they come to."""

    leaves: list[bytes]
    node: bytes


def commit_round(key: bytes, entry: Recorded) -> Committed:
    own_key = round_key(key, entry.index)
    leaves = [wager_leaf(salt_at(own_key, place), says) for place, (_, says) in enumerate(statements(entry.body))]
    places = places_for(len(leaves))
    leaves += [empty_leaf(salt_at(own_key, place)) for place in range(len(leaves), places)]
    return Committed(leaves, round_leaf(entry.index, entry.leaf_sha256, places, root_of(leaves)))


def path_to(leaves: list[bytes], place: int) -> list[bytes]:
    """What stands beside the way from a leaf to the root."""
    return [root_of(leaves[start:end]) for start, end in inclusion_proof_ranges(place, len(leaves))]
