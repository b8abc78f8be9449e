"""The audited key: the entries mirrored, every settlement recomputed, and the kept checkpoint cosigned if all hold."""

from __future__ import annotations

from rounds.ledger.cosignatures import REASONS, Disagreement, cosign
from rounds.ledger.notes import SignerKey
from rounds.witness.asking import post_cosignature, post_disagreement
from rounds.witness.circumstances import packs_named
from rounds.witness.errors import NotReached, WitnessError
from rounds.witness.evidence import Evidence
from rounds.witness.following import Outcome, Round
from rounds.witness.mirror import Mirror
from rounds.witness.recomputing import Recomputed, recompute
from rounds.witness.state import Followed
from rounds.witness.witnessing import Witness

MOST_SHOWN = 20
REASON = "not-reproduced"


def audit(witness: Witness, signer: SignerKey, log: Followed, evidence: Evidence) -> Round:
    """Of the checkpoint that the witness keeps, no other: that one is known to extend all before it."""
    if log.note is None:
        raise WitnessError("nothing-kept", f"No checkpoint of {log.origin} is kept yet: follow it first, with once.")
    mirror = Mirror(witness.state, log.origin)
    mirror.take(evidence.entries(mirror.size(), log.head.size), log.head.size)
    mirror.prove(log.head)
    here = mirror.packs()
    named = packs_named(mirror.entries(log.head.size))
    mirror.keep_packs(evidence.packs([one for one in named if one not in here]))
    came_to = recompute(lambda: mirror.entries(log.head.size), mirror.packs())
    outcome, told = _tell(witness, signer, log, came_to)
    words = f"{_words(came_to)} {told}".strip()
    witness.state.note_audit(log.origin, log.head.size, words, witness.clock())
    return Round(outcome, f"{log.origin}, {log.head.size} entries: {words}")


def _outcome(came_to: Recomputed) -> Outcome:
    if came_to.differs:
        return Outcome.DISAGREES
    return Outcome.AGREES if came_to.holds else Outcome.CANNOT_TELL


def _remedy(came_to: Recomputed) -> str:
    if came_to.lacking:
        return "audit again, with evidence that has every rule pack."
    return "audit again, when the service has audited these rounds."


def _tell(witness: Witness, signer: SignerKey, log: Followed, came_to: Recomputed) -> tuple[Outcome, str]:
    """A cosignature that the service did not take is none: whoever watches the exit status alone must hear of it."""
    outcome = _outcome(came_to)
    assert log.note is not None
    at = witness.clock()
    try:
        if outcome is Outcome.AGREES:
            text = log.note.decode().rpartition("\n\n")[0] + "\n"
            post_cosignature(log, log.head.size, cosign(text, signer, at))
            return outcome, f"Cosigned by {signer.name}."
        if outcome is Outcome.DISAGREES:
            post_disagreement(log, Disagreement(log.origin, at, REASON, log.note, log.note).sign(signer))
            return outcome, f"NOT cosigned by {signer.name}: {REASONS[REASON]} The service was told."
    except NotReached as error:
        unheard = Outcome.CANNOT_TELL if outcome is Outcome.AGREES else outcome
        return unheard, f"The service did not take it: {error.sentence}"
    return outcome, f"Not cosigned by {signer.name} yet: {_remedy(came_to)}"


def _words(came_to: Recomputed) -> str:
    lines = [f"{came_to.reproduced} wagers reproduced, {came_to.found_too} differ as the log's findings say."]
    if came_to.waiting:
        lines.append(f"{came_to.waiting} differ in rounds that are not audited yet.")
    lines += _shown([f"CANNOT BE READ: entry {one.place}, {one.kind}: {one.words}." for one in came_to.unreadable])
    lines += _shown(
        [f"NOT REPRODUCED: entry {one.place}, wager {one.wager}: {one.words}" for one in came_to.not_reproduced]
    )
    lines += [f"NOT RECOMPUTED: {count} wagers, because {why}." for why, count in came_to.left_out.most_common()]
    return " ".join(lines)


def _shown(lines: list[str]) -> list[str]:
    more = len(lines) - MOST_SHOWN
    return [*lines[:MOST_SHOWN], f"And {more} more."] if more > 0 else lines
