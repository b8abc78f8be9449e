"""Reference implementation of RFC 6962 section 2.1, literal and slow, to compare the ledger's tree with."""

from collections.abc import Sequence
from hashlib import sha256


def mth(leaves: Sequence[bytes]) -> bytes:
    """Merkle Tree Hash over the leaves themselves, not their hashes."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return sha256(b"\x00" + leaves[0]).digest()
    k = split(len(leaves))
    return sha256(b"\x01" + mth(leaves[:k]) + mth(leaves[k:])).digest()


def split(n: int) -> int:
    k = 1
    while k * 2 < n:
        k *= 2
    return k


def path(m: int, leaves: Sequence[bytes]) -> list[bytes]:
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    if m < k:
        return [*path(m, leaves[:k]), mth(leaves[k:])]
    return [*path(m - k, leaves[k:]), mth(leaves[:k])]


def proof(m: int, leaves: Sequence[bytes]) -> list[bytes]:
    return subproof(m, leaves, True)


def subproof(m: int, leaves: Sequence[bytes], is_known: bool) -> list[bytes]:
    if m == len(leaves):
        return [] if is_known else [mth(leaves)]
    k = split(len(leaves))
    if m <= k:
        return [*subproof(m, leaves[:k], is_known), mth(leaves[k:])]
    return [*subproof(m - k, leaves[k:], False), mth(leaves[:k])]
