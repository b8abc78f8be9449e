"""What a controller signs: four lines of text that name the batch by the root over its lines.

The root is RFC 6962's, so that one line out of a batch can be shown to have been signed, without the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from rounds.ledger import tree

FIRST_LINE = "fairthrow-batch-v1"


def line_digest(line: bytes) -> bytes:
    """RFC 6962's leaf hash of a line, its newline left out."""
    return tree.leaf_hash(line)


def signed_text(key_id: str, sent_at: str, digests: Sequence[bytes]) -> bytes:
    """`sent_at` exactly as the header has it."""
    return f"{FIRST_LINE}\n{key_id}\n{sent_at}\n{tree.root_of(digests).hex()}\n".encode()


def sign_batch(key: Ed25519PrivateKey, key_id: str, sent_at: str, lines: Sequence[bytes]) -> bytes:
    return key.sign(signed_text(key_id, sent_at, [line_digest(line) for line in lines]))


def is_signature_valid(public_key: bytes, signature: bytes, text: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, text)
    except (InvalidSignature, ValueError):
        return False
    return True


def line_proof(digests: Sequence[bytes], index: int) -> list[bytes]:
    """The hashes that lead from the line at this place to the signed root (an RFC 6962 inclusion proof)."""
    return [tree.root_of(digests[start:end]) for start, end in tree.inclusion_proof_ranges(index, len(digests))]


def sha256_of(line: bytes) -> bytes:
    return sha256(line).digest()
