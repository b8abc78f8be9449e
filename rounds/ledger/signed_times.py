"""When a checkpoint was signed and its log opened. The note's format has no place for times: they are signed beside it.

Otherwise nobody could tell that an entry's signing was back-dated: the time is a column like any other.
"""

from __future__ import annotations

from datetime import datetime

from rounds.ledger.leaves import write_instant
from rounds.ledger.misfits import Misfits
from rounds.ledger.notes import SignerKey
from rounds.ledger.retired_keys import KnownKeys


def sign_times(key: SignerKey, size: int, *, opened_at: datetime, signed_at: datetime) -> bytes:
    return key.private_key.sign(_text(key.name, size, opened_at, signed_at))


def _text(name: str, size: int, opened_at: datetime, signed_at: datetime) -> bytes:
    times = f"{write_instant(opened_at)}\n{write_instant(signed_at)}"
    return f"fairthrow-times-v1\n{name}\n{size}\n{times}\n".encode()


class SignedTimes:
    """Takes the checkpoints of a log one by one, in order; says at the end whose time was changed."""

    def __init__(self, keys: KnownKeys, opened_at: datetime, misfits: Misfits) -> None:
        self.keys, self.opened_at, self.misfits = keys, opened_at, misfits
        self._fitting = self._changed = 0
        self._first_changed = ""

    def take(self, size: int, signed_at: datetime, signature: bytes | None, words: str) -> None:
        if signature is None and not self._fitting:
            return  # Signed before times were.
        if signature and self.keys.accepts(size, lambda name: _text(name, size, self.opened_at, signed_at), signature):
            self._fitting += 1
            return
        self._changed += 1
        self._first_changed = self._first_changed or words

    def finish(self) -> None:
        """Where none fits, what they have in common was changed: the time at which the log was opened."""
        opening = "the time at which the log was opened"
        if self._changed > 1 and not self._fitting:
            self.misfits.add("times", None, f"Changed: {opening} is not the one signed with its checkpoints.")
        elif self._changed:
            either = "" if self._fitting else f", or {opening},"
            more = f" So are {self._changed - 1:,} later ones." if self._changed > 1 else ""
            what = f"Changed: the time of {self._first_changed}{either} is not the one that was signed with it.{more}"
            self.misfits.add("times", None, what)
        self._changed = 0
