"""Parses pasted public keys: base64 of the 32 bytes, or PEM. A pasted private key is refused."""

from hashlib import sha256

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key

from rounds.floor.errors import BadKey, PrivateKeyPasted
from rounds.transparency_log import errors, formats

KEY_BYTES = 32
KEY_ID_LENGTH = 16


def key_id_of(public_key: bytes) -> str:
    """The id by which a controller names its key: the first 16 hex digits of the key's SHA-256."""
    return sha256(public_key).hexdigest()[:KEY_ID_LENGTH]


def read_public_key(pasted: str) -> bytes:
    """Returns the 32 bytes of an Ed25519 public key."""
    text = pasted.strip()
    if "PRIVATE KEY" in text:
        raise PrivateKeyPasted
    public_key = _from_pem(text) if text.startswith("-----BEGIN") else _from_base64(text)
    if len(public_key) != KEY_BYTES:
        raise BadKey(f"The key has {len(public_key)} bytes; an Ed25519 public key has {KEY_BYTES}.")
    return public_key


def _from_pem(text: str) -> bytes:
    try:
        key = load_pem_public_key(text.encode())
    except (ValueError, UnsupportedAlgorithm) as error:
        raise BadKey from error
    if not isinstance(key, Ed25519PublicKey):
        raise BadKey("This is a key of another kind; controllers sign with Ed25519.")
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def _from_base64(text: str) -> bytes:
    try:
        return formats.decode_base64(text, "key")
    except errors.NoteError as error:
        raise BadKey from error
