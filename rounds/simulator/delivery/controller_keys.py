"""Reads the private keys of the controllers that are simulated."""

from __future__ import annotations

from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key


class KeyMissing(Exception):
    """There is no private key for the controller."""


def read_private_key(path: Path) -> Ed25519PrivateKey:
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except OSError as error:
        raise KeyMissing(f"There is no key in {path}: {(error.strerror or 'cannot be read').lower()}.") from error
    except ValueError as error:
        raise KeyMissing(f"{path} is not a private key in PEM.") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyMissing(f"{path} is not an Ed25519 key.")
    return key
