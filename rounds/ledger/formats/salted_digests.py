"""Personal data stays out of the ledger: an entry carries a salted digest, the fields and the salt lie beside it.

Without its salt a digest says nothing of a name or a birthday, so destroying fields and salt destroys the data.
"""

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from rounds.ledger.errors import LedgerError
from rounds.ledger.formats.leaf import encode_body

SALT_BYTES = 32


@dataclass(frozen=True)
class SaltedDigest:
    """The digest goes into the entry's body; the salt is stored beside the fields and goes when they go."""

    digest: str
    salt: bytes


def salted_digest(fields: Mapping[str, Any], salt: bytes) -> str:
    """SHA-256 over the salt, which is always 32 bytes long, and then the fields' canonical bytes."""
    if len(salt) != SALT_BYTES:
        raise LedgerError("bad-salt", f"A salt is {SALT_BYTES} bytes long; this one has {len(salt)}.")
    return sha256(salt + encode_body(fields)).hexdigest()


def digest_personal_fields(fields: Mapping[str, Any]) -> SaltedDigest:
    """Commit to personal fields under a new salt: the same person twice gives two digests that nobody can link."""
    salt = secrets.token_bytes(SALT_BYTES)
    return SaltedDigest(salted_digest(fields, salt), salt)


def matches_digest(fields: Mapping[str, Any], salt: bytes, digest: str) -> bool:
    """Whether these are the fields that an entry committed to."""
    return hmac.compare_digest(salted_digest(fields, salt), digest)
