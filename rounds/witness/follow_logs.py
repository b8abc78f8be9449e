"""Follows a log once: fetches its newest checkpoint, checks and cosigns it, and posts the cosignature."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from rounds.transparency_log import errors, formats
from rounds.witness.cosigner import Cosigner, OfferedCheckpoint
from rounds.witness.errors import NotTrusted, RootMismatch, ServiceUnreachable, SizeMismatch, StateLost, WitnessError
from rounds.witness.http.http_client import (
    fetch_checkpoint,
    fetch_consistency_proof,
    post_cosignature,
    post_disagreement,
)
from rounds.witness.state import FollowedLog


class FollowOutcome(Enum):
    AGREES = 0
    DISAGREES = 1
    CANNOT_TELL = 2


class FollowResult(NamedTuple):
    outcome: FollowOutcome
    words: str


def follow_all_logs(witness: Cosigner) -> list[FollowResult]:
    return [follow_log(witness, log) for log in witness.state.followed_logs()]


def follow_log(witness: Cosigner, log: FollowedLog) -> FollowResult:
    """Every outcome is saved for `status`. Only StateLost ends the witness."""
    try:
        done = _fetch_and_cosign(witness, log)
    except StateLost:
        raise
    except WitnessError as error:
        done = FollowResult(FollowOutcome.CANNOT_TELL, error.sentence)
    witness.state.save_last_result(log.origin, done.words, witness.clock())
    return FollowResult(done.outcome, f"{log.origin}: {done.words}")


def _fetch_and_cosign(witness: Cosigner, log: FollowedLog) -> FollowResult:
    note = fetch_checkpoint(log)
    offered = witness.open_checkpoint(note)
    if offered.origin != log.origin:
        if formats.is_later_epoch(offered.origin, log.origin):
            posted = _post_disagreements(witness, log) if witness.state.refusals(log.origin, unposted=True) else ""
            kept = f"Still kept of this epoch: {log.head.size} entries."
            return FollowResult(
                FollowOutcome.AGREES, f"Goes on as {offered.origin}, which is followed too. {kept} {posted}".strip()
            )
        raise NotTrusted("other-origin", f"The service answered with a checkpoint of {offered.origin}.")
    witness.check_state_not_lost(offered)
    reason = _cosign_or_reason(witness, log, offered)
    if reason is None:
        return FollowResult(FollowOutcome.AGREES, f"{offered.head.size} entries, cosigned.")
    witness.record_refusal(offered, reason)
    posted = _post_disagreements(witness, log)
    kept = f"Still kept: the checkpoint of {log.head.size} entries."
    return FollowResult(
        FollowOutcome.DISAGREES,
        f"REFUSED a checkpoint of {offered.head.size} entries. {formats.DISAGREEMENT_REASONS[reason]} {kept} {posted}",
    )


def _cosign_or_reason(witness: Cosigner, log: FollowedLog, offered: OfferedCheckpoint) -> str | None:
    """None if the checkpoint was cosigned and posted; otherwise the reason for the disagreement."""
    kept = log.head
    if offered.head.size < kept.size:
        return "shrank"
    if offered.head == kept and log.told_size == kept.size:
        return None
    proof = fetch_consistency_proof(log, kept.size, offered.head.size) if 0 < kept.size < offered.head.size else ()
    try:
        line = witness.cosign(offered, kept.size, proof)
    except RootMismatch:
        return "other-root"
    except errors.ProofError:
        return "not-extended"
    except SizeMismatch as error:
        raise ServiceUnreachable(
            "moved-on", "Another request was cosigned meanwhile; the next round goes on from it."
        ) from error
    post_cosignature(log, offered.head.size, line)
    witness.state.mark_cosignature_posted(log.origin, offered.head.size)
    return None


def _post_disagreements(witness: Cosigner, log: FollowedLog) -> str:
    """Post the statements that the service has not accepted yet. Retried each time until it does."""
    for refused in witness.state.refusals(log.origin, unposted=True):
        try:
            post_disagreement(log, witness.sign_disagreement(refused))
        except ServiceUnreachable as error:
            return f"The service was not told: {error.sentence}"
        witness.state.mark_refusal_posted(refused.number, witness.clock())
    return "The service was told."
