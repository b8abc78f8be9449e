"""One round of following a log: its newest checkpoint fetched, checked, cosigned, and the service told."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from rounds.ledger.cosignatures import REASONS
from rounds.ledger.errors import ProofError
from rounds.ledger.names import is_later_epoch
from rounds.witness.asking import fetch_checkpoint, fetch_proof, post_cosignature, post_disagreement
from rounds.witness.errors import NotReached, NotTrusted, OtherRoot, OtherSize, StateLost, WitnessError
from rounds.witness.state import Followed
from rounds.witness.witnessing import Offered, Witness


class Outcome(Enum):
    AGREES = 0
    DISAGREES = 1
    CANNOT_TELL = 2


class Round(NamedTuple):
    outcome: Outcome
    words: str


def follow_every_log(witness: Witness) -> list[Round]:
    return [follow(witness, log) for log in witness.state.logs()]


def follow(witness: Witness, log: Followed) -> Round:
    """Whatever happens is noted for `status`; only a state that was lost ends the witness."""
    try:
        done = _follow(witness, log)
    except StateLost:
        raise
    except WitnessError as error:
        done = Round(Outcome.CANNOT_TELL, error.sentence)
    witness.state.note_answer(log.origin, done.words, witness.clock())
    return Round(done.outcome, f"{log.origin}: {done.words}")


def _follow(witness: Witness, log: Followed) -> Round:
    note = fetch_checkpoint(log)
    offered = witness.open(note)
    if offered.origin != log.origin:
        if is_later_epoch(offered.origin, log.origin):
            told = _tell(witness, log) if witness.state.refused(log.origin, untold=True) else ""
            kept = f"Still kept of this epoch: {log.head.size} entries."
            return Round(Outcome.AGREES, f"Goes on as {offered.origin}, which is followed too. {kept} {told}".strip())
        raise NotTrusted("other-origin", f"The service answered with a checkpoint of {offered.origin}.")
    witness.check_remembers(offered)
    reason = _cosign(witness, log, offered)
    if reason is None:
        return Round(Outcome.AGREES, f"{offered.head.size} entries, cosigned.")
    witness.refuse(offered, reason)
    told = _tell(witness, log)
    kept = f"Still kept: the checkpoint of {log.head.size} entries."
    return Round(
        Outcome.DISAGREES, f"REFUSED a checkpoint of {offered.head.size} entries. {REASONS[reason]} {kept} {told}"
    )


def _cosign(witness: Witness, log: Followed, offered: Offered) -> str | None:
    """None once the checkpoint is cosigned and the service has it; otherwise the reason to disagree."""
    kept = log.head
    if offered.head.size < kept.size:
        return "shrank"
    if offered.head == kept and log.told_size == kept.size:
        return None
    proof = fetch_proof(log, kept.size, offered.head.size) if 0 < kept.size < offered.head.size else ()
    try:
        line = witness.cosign(offered, kept.size, proof)
    except OtherRoot:
        return "other-root"
    except ProofError:
        return "not-extended"
    except OtherSize as error:
        raise NotReached(
            "moved-on", "Another request was cosigned meanwhile; the next round goes on from it."
        ) from error
    post_cosignature(log, offered.head.size, line)
    witness.state.note_told(log.origin, offered.head.size)
    return None


def _tell(witness: Witness, log: Followed) -> str:
    """The statements that the service has not taken yet; it is told again each round until it takes them."""
    for refused in witness.state.refused(log.origin, untold=True):
        try:
            post_disagreement(log, witness.disagreement(refused))
        except NotReached as error:
            return f"The service was not told: {error.sentence}"
        witness.state.note_told_refusal(refused.number, witness.clock())
    return "The service was told."
