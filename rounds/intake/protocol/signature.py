"""The signature of a batch: Ed25519 over four lines of text, which contain the RFC 6962 root of the batch's lines.

A Merkle root, so that an inclusion proof shows that a single line was signed, without the other lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from rounds.transparency_log import tree

FIRST_LINE = "fairthrow-batch-v1"


def line_digest(line: bytes) -> bytes:
    """RFC 6962 leaf hash of a line without its newline."""
    return tree.leaf_hash(line)


def signed_text(key_id: str, sent_at: str, digests: Sequence[bytes]) -> bytes:
    """The text to sign. `sent_at` must be the header's value verbatim."""
    return f"{FIRST_LINE}\n{key_id}\n{sent_at}\n{tree.root_of(digests).hex()}\n".encode()


def sign_batch(key: Ed25519PrivateKey, key_id: str, sent_at: str, lines: Sequence[bytes]) -> bytes:
    return key.sign(signed_text(key_id, sent_at, [line_digest(line) for line in lines]))


def is_signature_valid(public_key: bytes, signature: bytes, text: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, text)
    except (InvalidSignature, ValueError):
        return False
    return True


def sha256_of(line: bytes) -> bytes:
    return sha256(line).digest()
