"""Proofs for a batch of receipts: a checkpoint that covers them,
signed now if needed, and an inclusion proof for each.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from compliance.core.web.local_time import Clock
from rounds.ledger.models import SignedCheckpoint
from rounds.ledger.signing.checkpoints import sign_log, verifier_key_for
from rounds.ledger.storage import get_log, stored_hashes
from rounds.transparency_log.formats.signed_note import open_checkpoint
from rounds.transparency_log.tree import tiles

# Rate limit: a log is signed at most this often, however many requests ask for it.
MIN_SIGNING_INTERVAL = timedelta(seconds=1)


@dataclass(frozen=True)
class EntryProofs:
    """The checkpoint and the inclusion proof (`hashes`) of each index in its tree."""

    checkpoint: bytes
    size: int
    hashes: list[list[bytes]]


def prove_entries(log: str, indexes: Sequence[int], clock: Clock, wait: Callable[[float], None]) -> EntryProofs:
    """Prove entries that are committed. Waits at most a second for the rate limit before signing a new checkpoint."""
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
