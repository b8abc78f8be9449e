"""When a checkpoint was signed and its log opened. The note's format has no place for times: they are signed beside it.

Otherwise nobody could tell that an entry's signing was back-dated: the time is a column like any other.
"""

from __future__ import annotations

from datetime import datetime

from rounds.ledger.formats.leaf import encode_timestamp
from rounds.ledger.formats.signed_note import SignerKey
from rounds.ledger.signing.retired_keys import KnownKeys
from rounds.ledger.verify.issues import IssueList


def sign_timestamps(key: SignerKey, size: int, *, opened_at: datetime, signed_at: datetime) -> bytes:
    return key.private_key.sign(timestamp_message(key.name, size, opened_at, signed_at))


def timestamp_message(name: str, size: int, opened_at: datetime, signed_at: datetime) -> bytes:
    times = f"{encode_timestamp(opened_at)}\n{encode_timestamp(signed_at)}"
    return f"fairthrow-times-v1\n{name}\n{size}\n{times}\n".encode()


class TimestampCheck:
    """Takes the checkpoints of a log one by one, in order; says at the end whose time was changed."""

    def __init__(self, keys: KnownKeys, opened_at: datetime, issues: IssueList) -> None:
        self.keys, self.opened_at, self.issues = keys, opened_at, issues
        self._fitting = self._changed = 0
        self._first_changed = ""

    def check_signature(self, size: int, signed_at: datetime, signature: bytes | None, words: str) -> None:
        if signature is None and not self._fitting:
            return  # Signed before times were.
        if signature and self.keys.accepts(
            size, lambda name: timestamp_message(name, size, self.opened_at, signed_at), signature
        ):
            self._fitting += 1
            return
        self._changed += 1
        self._first_changed = self._first_changed or words

    def finish(self) -> None:
        """Where none fits, what they have in common was changed: the time at which the log was opened."""
        opening = "the time at which the log was opened"
        if self._changed > 1 and not self._fitting:
            self.issues.add("times", None, f"Changed: {opening} is not the one signed with its checkpoints.")
        elif self._changed:
            either = "" if self._fitting else f", or {opening},"
            more = f" So are {self._changed - 1:,} later ones." if self._changed > 1 else ""
            what = f"Changed: the time of {self._first_changed}{either} is not the one that was signed with it.{more}"
            self.issues.add("times", None, what)
        self._changed = 0
