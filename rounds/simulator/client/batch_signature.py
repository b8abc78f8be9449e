"""Signs a batch: Ed25519 over four lines of text, the last of which is the RFC 6962 root of the batch's lines."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def leaf_hash(leaf: bytes) -> bytes:
    return sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def merkle_root(lines: Sequence[bytes]) -> bytes:
    """Hashes pairs level by level; an unpaired last node moves up unchanged."""
    level = [leaf_hash(line) for line in lines]
    while len(level) > 1:
        pairs = [node_hash(level[place], level[place + 1]) for place in range(0, len(level) - 1, 2)]
        level = pairs + level[2 * len(pairs) :]
    return level[0]


@dataclass(frozen=True)
class Signer:
    """The controller's private key, which never leaves it. `key_id` is the id that the service shows for the public
    half."""

    key: Ed25519PrivateKey

    @property
    def key_id(self) -> str:
        return sha256(self.key.public_key().public_bytes_raw()).hexdigest()[:16]

    def headers(self, lines: Sequence[bytes], now: datetime) -> dict[str, str]:
        sent_at = now.isoformat()
        text = f"fairthrow-batch-v1\n{self.key_id}\n{sent_at}\n{merkle_root(lines).hex()}\n"
        return {
            "Content-Type": "application/x-ndjson",
            "Fairthrow-Key": self.key_id,
            "Fairthrow-Sent-At": sent_at,
            "Fairthrow-Signature": b64encode(self.key.sign(text.encode())).decode(),
        }
