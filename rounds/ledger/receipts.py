"""Receipts proved at once: a checkpoint that covers them, signed now if need be, and each entry's place in it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from compliance.web.moments import Clock
from rounds.ledger import tiles
from rounds.ledger.checkpoints import sign_now, verifier
from rounds.ledger.models import SignedCheckpoint
from rounds.ledger.notes import open_checkpoint
from rounds.ledger.stored import log_named, stored_hashes

# A log is signed at most this often, however many ask.
SIGNED_APART = timedelta(seconds=1)


@dataclass(frozen=True)
class Proved:
    """`hashes` are each index's inclusion proof in the tree that the checkpoint signs."""

    checkpoint: bytes
    size: int
    hashes: list[list[bytes]]


def prove_entries(log: str, indexes: Sequence[int], clock: Clock, wait: Callable[[float], None]) -> Proved:
    """The last of the entries must be committed. Waits until a new signature is due, no longer than a second."""
    note = _covering_note(log, max(indexes), clock, wait)
    size = open_checkpoint(note, verifier(log)).head.size
    hashes = stored_hashes(log_named(log), size)
    return Proved(note, size, [tiles.inclusion_proof(hashes, index, size) for index in indexes])


def _covering_note(log: str, index: int, clock: Clock, wait: Callable[[float], None]) -> bytes:
    newest = SignedCheckpoint.objects.filter(log=log_named(log)).order_by("-size").first()
    if newest is not None and newest.size > index:
        return bytes(newest.note)
    if newest is not None:
        wait(max(0.0, (newest.signed_at + SIGNED_APART - clock()).total_seconds()))
    return sign_now(log, clock())
