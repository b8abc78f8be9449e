"""Receipts proved at once: a checkpoint that covers them, signed now if need be, and each entry's place in it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from compliance.core.web.local_time import Clock
from rounds.ledger.formats.signed_note import open_checkpoint
from rounds.ledger.models import SignedCheckpoint
from rounds.ledger.signing.checkpoints import sign_log, verifier_key_for
from rounds.ledger.storage import get_log, stored_hashes
from rounds.ledger.tree import tiles

# A log is signed at most this often, however many ask.
MIN_SIGNING_INTERVAL = timedelta(seconds=1)


@dataclass(frozen=True)
class EntryProofs:
    """`hashes` are each index's inclusion proof in the tree that the checkpoint signs."""

    checkpoint: bytes
    size: int
    hashes: list[list[bytes]]


def prove_entries(log: str, indexes: Sequence[int], clock: Clock, wait: Callable[[float], None]) -> EntryProofs:
    """The last of the entries must be committed. Waits until a new signature is due, no longer than a second."""
    note = _sign_covering_checkpoint(log, max(indexes), clock, wait)
    size = open_checkpoint(note, verifier_key_for(log)).head.size
    hashes = stored_hashes(get_log(log), size)
    return EntryProofs(note, size, [tiles.inclusion_proof(hashes, index, size) for index in indexes])


def _sign_covering_checkpoint(log: str, index: int, clock: Clock, wait: Callable[[float], None]) -> bytes:
    newest = SignedCheckpoint.objects.filter(log=get_log(log)).order_by("-size").first()
    if newest is not None and newest.size > index:
        return bytes(newest.note)
    if newest is not None:
        wait(max(0.0, (newest.signed_at + MIN_SIGNING_INTERVAL - clock()).total_seconds()))
    return sign_log(log, clock())
