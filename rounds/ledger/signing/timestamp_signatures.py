"""Signatures over the times when a checkpoint was signed and its log opened. The note's format has no field for them.

Without them a database administrator could back-date a checkpoint: the time is only a column.
"""

from __future__ import annotations

from datetime import datetime

from rounds.transparency_log.formats.leaf import encode_timestamp
from rounds.transparency_log.formats.signed_note import SignerKey


def sign_timestamps(key: SignerKey, size: int, *, opened_at: datetime, signed_at: datetime) -> bytes:
    return key.private_key.sign(timestamp_message(key.name, size, opened_at, signed_at))


def timestamp_message(name: str, size: int, opened_at: datetime, signed_at: datetime) -> bytes:
    times = f"{encode_timestamp(opened_at)}\n{encode_timestamp(signed_at)}"
    return f"fairthrow-times-v1\n{name}\n{size}\n{times}\n".encode()
