"""Salted digests keep personal data out of the ledger: the entry has the digest, the fields and the salt are elsewhere.

Without its salt a digest reveals nothing about a name or birthday, so deleting fields and salt erases the data.
"""

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from rounds.transparency_log.errors import LedgerError
from rounds.transparency_log.formats.leaf import encode_body

SALT_BYTES = 32


@dataclass(frozen=True)
class SaltedDigest:
    """A digest for the entry's body, and its salt. The salt is stored with the fields and deleted with them."""

    digest: str
    salt: bytes


def salted_digest(fields: Mapping[str, Any], salt: bytes) -> str:
    """SHA-256 over the salt (always 32 bytes) followed by the fields' canonical bytes."""
    if len(salt) != SALT_BYTES:
        raise LedgerError("bad-salt", f"A salt is {SALT_BYTES} bytes long; this one has {len(salt)}.")
    return sha256(salt + encode_body(fields)).hexdigest()


def digest_personal_fields(fields: Mapping[str, Any]) -> SaltedDigest:
    """Digest personal fields with a new random salt. Two digests of the same person cannot be linked."""
    salt = secrets.token_bytes(SALT_BYTES)
    return SaltedDigest(salted_digest(fields, salt), salt)


def matches_digest(fields: Mapping[str, Any], salt: bytes, digest: str) -> bool:
    """Whether an entry's digest was made from these fields."""
    return hmac.compare_digest(salted_digest(fields, salt), digest)
