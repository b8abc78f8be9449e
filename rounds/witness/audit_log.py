"""The audited key: mirrors the entries, recomputes every settlement, and cosigns the last checkpoint if all match."""

from __future__ import annotations

from rounds.transparency_log import formats
from rounds.witness.cosigner import Cosigner
from rounds.witness.entries.bundle_source import EntrySource
from rounds.witness.entries.mirror import EntryMirror
from rounds.witness.errors import ServiceUnreachable, WitnessError
from rounds.witness.follow_logs import FollowOutcome, FollowResult
from rounds.witness.http.http_client import post_cosignature, post_disagreement
from rounds.witness.recompute.recompute_log import RecomputeResult, recompute_log
from rounds.witness.recompute.rules_in_force import approved_pack_digests
from rounds.witness.state import FollowedLog

MAX_LISTED = 20
NOT_REPRODUCED_REASON = "not-reproduced"


def audit_log(witness: Cosigner, signer: formats.SignerKey, log: FollowedLog, source: EntrySource) -> FollowResult:
    """Audit the log up to the checkpoint that the witness cosigned last, which is known to extend all earlier ones."""
    if log.note is None:
        raise WitnessError("nothing-kept", f"No checkpoint of {log.origin} is kept yet: follow it first, with once.")
    mirror = EntryMirror(witness.state, log.origin)
    mirror.add_entries(source.entries(mirror.size(), log.head.size), log.head.size)
    mirror.verify_against_head(log.head)
    here = mirror.packs()
    named = approved_pack_digests(mirror.entries(log.head.size))
    mirror.save_packs(source.packs([one for one in named if one not in here]))
    result = recompute_log(lambda: mirror.entries(log.head.size), mirror.packs())
    outcome, posted = _post_result(witness, signer, log, result)
    words = f"{_result_text(result)} {posted}".strip()
    witness.state.save_audit_result(log.origin, log.head.size, words, witness.clock())
    return FollowResult(outcome, f"{log.origin}, {log.head.size} entries: {words}")


def _outcome_for(result: RecomputeResult) -> FollowOutcome:
    if result.has_mismatches:
        return FollowOutcome.DISAGREES
    return FollowOutcome.AGREES if result.is_reproduced else FollowOutcome.CANNOT_TELL


def _remedy_text(result: RecomputeResult) -> str:
    if result.lacking:
        return "audit again, with evidence that has every rule pack."
    return "audit again, when the service has audited these rounds."


def _post_result(
    witness: Cosigner, signer: formats.SignerKey, log: FollowedLog, result: RecomputeResult
) -> tuple[FollowOutcome, str]:
    """Post the cosignature or the disagreement. An agreement that could not be posted counts as CANNOT_TELL."""
    outcome = _outcome_for(result)
    assert log.note is not None
    at = witness.clock()
    try:
        if outcome is FollowOutcome.AGREES:
            text = log.note.decode().rpartition("\n\n")[0] + "\n"
            post_cosignature(log, log.head.size, formats.cosign_note(text, signer, at))
            return outcome, f"Cosigned by {signer.name}."
        if outcome is FollowOutcome.DISAGREES:
            post_disagreement(
                log, formats.Disagreement(log.origin, at, NOT_REPRODUCED_REASON, log.note, log.note).sign(signer)
            )
            return (
                outcome,
                f"NOT cosigned by {signer.name}: {formats.DISAGREEMENT_REASONS[NOT_REPRODUCED_REASON]} "
                f"The service was told.",
            )
    except ServiceUnreachable as error:
        unposted_outcome = FollowOutcome.CANNOT_TELL if outcome is FollowOutcome.AGREES else outcome
        return unposted_outcome, f"The service did not take it: {error.sentence}"
    return outcome, f"Not cosigned by {signer.name} yet: {_remedy_text(result)}"


def _result_text(result: RecomputeResult) -> str:
    lines = [f"{result.reproduced} wagers reproduced, {result.found_too} differ as the log's findings say."]
    if result.waiting:
        lines.append(f"{result.waiting} differ in rounds that are not audited yet.")
    lines += _truncate_list(
        [f"CANNOT BE READ: entry {one.place}, {one.kind}: {one.words}." for one in result.unreadable]
    )
    lines += _truncate_list(
        [f"NOT REPRODUCED: entry {one.place}, wager {one.wager}: {one.words}" for one in result.not_reproduced]
    )
    lines += [f"NOT RECOMPUTED: {count} wagers, because {why}." for why, count in result.left_out.most_common()]
    return " ".join(lines)


def _truncate_list(lines: list[str]) -> list[str]:
    more = len(lines) - MAX_LISTED
    return [*lines[:MAX_LISTED], f"And {more} more."] if more > 0 else lines
