"""Strict parsing of base64, JSON objects and hashes from untrusted files. Errors are sentences for the reader."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any

from rounds.transparency_log.offline.messages import EvidenceError

MAX_SIZE = 2**63 - 1


def decode_base64(text: object, what: str, length: int | None = None) -> bytes:
    try:
        encoded = text.encode("ascii") if isinstance(text, str) else b"!"
        raw = base64.b64decode(encoded, validate=True)
    except (UnicodeEncodeError, binascii.Error):
        raise EvidenceError(f"{what} is not base64.") from None
    if base64.b64encode(raw) != encoded or (length is not None and len(raw) != length):
        raise EvidenceError(f"{what} is not canonical base64 of the right length.")
    return raw


def reject_duplicate_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a member is given twice")
    return dict(pairs)


def parse_json_object(raw: bytes, what: str, **types: type) -> dict[str, Any]:
    """Parse a JSON object whose named members must have the given types."""
    try:
        found = json.loads(raw.decode("utf-8"), object_pairs_hook=reject_duplicate_members)
    except (ValueError, RecursionError):
        raise EvidenceError(f"{what} is not one clean JSON object.") from None
    for name, kind in types.items():
        is_right = isinstance(found, dict) and type(found.get(name)) is kind
        if not is_right or (kind is int and not 0 <= found[name] <= MAX_SIZE):
            raise EvidenceError(f"{what} has no proper {name!r}.")
    return dict(found)


def parse_hashes(values: Any, what: str) -> list[bytes]:
    if type(values) is not list or len(values) > 200:
        raise EvidenceError(f"{what} is not a list of hashes.")
    return [decode_base64(value, what, 32) for value in values]
