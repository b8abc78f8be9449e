"""The settlement check: recomputes the amount due for every wager, and drafts a finding with both amounts where it
differs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from compliance.audit.catalogue import FAMILIES
from compliance.audit.catalogue import play_codes as codes
from compliance.audit.checks.round.settlement_errors import STEPS_BY_CODE, SettlementError, find_settlement_error
from compliance.audit.checks.shared.check_types import RoundCheck
from compliance.audit.context.finding_draft import FindingDraft, format_amount, round_draft, wager_label
from compliance.audit.context.round_context import RoundContext
from rounds.engine.settle import SettlementStepKind, WagerPosition, compute_amount_if_valid

CHECK_NAME = "settlement"


def check_settlement(context: RoundContext) -> Iterator[FindingDraft]:
    """One finding for a round that should have been void; otherwise one finding per wrongly settled wager."""
    if context.void_grounds is not None:
        yield _void_round_draft(context, *context.void_grounds)
        return
    for position in context.positions:
        error = find_settlement_error(context, position)
        if error is not None:
            yield _settlement_draft(context, position, error)


def position_label(position: WagerPosition) -> str:
    return wager_label(position.bet, position.stake_cents, position.wager.id)


def _settlement_draft(context: RoundContext, position: WagerPosition, error: SettlementError) -> FindingDraft:
    what, required, found = position_label(position), _required_text(error), format_amount(error.found_cents)
    held = context.holdings.get(position.wager.id)
    if error.code == codes.WAGER_UNDER_MIN and held is not None:
        required, found = format_amount(held.limits.minimum_cents), under_minimum_text(context, position, found)
    if error.reading is not None:
        reading, choice = error.reading
        adopted = context.rules_in_force.readings.get(reading, context.pack.readings[reading].default)
        what, found, required = reading_texts(error.clause, reading, choice, adopted)
    draft = round_draft(
        context,
        error.code,
        f"reading:{error.reading[0]}" if error.reading else CHECK_NAME,
        what=what,
        required=required,
        found=found,
        wager=position.wager.id,
        clause=error.clause,
        required_cents=error.required_cents,
        found_cents=error.found_cents,
        explanation=error.explanation,
        is_silent=error.is_silent,
        reading=error.reading,
    )
    report_index = context.over_limit_reports.get(position.wager.id)
    return draft if report_index is None else replace(draft, evidence=(*draft.evidence, report_index))


def under_minimum_text(context: RoundContext, position: WagerPosition, found: str) -> str:
    """What a wager under the minimum was handed back and, where the rules say what becomes of it, what was due."""
    owed, rule = compute_amount_if_valid(context, position), context.pack.law.settlement.under_minimum
    kinds = owed.settled.step_kinds if owed.settled is not None else ()
    if rule is None or owed.cents is None:
        return found
    if SettlementStepKind.UNDER_MINIMUM_RETURNED in kinds:
        why = "its owner had been warned"
    elif SettlementStepKind.UNDER_MINIMUM_SETTLED in kinds:
        why = "the rules let it stand" if rule.settled == "valid" else "no earlier warning is on record"
    else:
        return found
    return f"{found}; {why}, so {format_amount(owed.cents)} was due"


def reading_texts(clause: str, reading: str, choice: str, adopted: str) -> tuple[str, str, str]:
    """A clause's reading, how wagers were settled by it, and how it was adopted, with words instead of names."""
    name, found, required = (each.replace("-", " ") for each in (reading, choice, adopted))
    return f"clause {clause} ({name})", f"“{found}”", f"“{required}”"


def _required_text(error: SettlementError) -> str:
    if error.required_cents is None:
        return "the rules do not say what"
    amount = format_amount(error.required_cents)
    return f"{amount}, rounded as the rules say," if error.code is codes.SETTLE_ROUNDING else amount


def _void_round_draft(context: RoundContext, reason: str, why: str) -> FindingDraft:
    wagers = [position for position in context.positions if position.wager.verdict != "refused"]
    due = sum(position.total_staked_cents for position in wagers)
    found = sum(position.wager.returned or 0 for position in wagers)
    rule = context.void_rule(reason)
    return round_draft(
        context,
        codes.SETTLE_SHOULD_BE_VOID,
        CHECK_NAME,
        what=context.round_label,
        required=format_amount(due),
        found=format_amount(found),
        clause=rule.clause if rule else "",
        required_cents=due,
        found_cents=found,
        explanation=(why,),
    )


HANDLING_CODES = (codes.WAGER_LATE, codes.WAGER_REFUSED, codes.WAGER_WITHDRAWN_LATE)
CODES = frozenset(FAMILIES["Settlements"]).union(STEPS_BY_CODE, HANDLING_CODES)
CHECKS = (RoundCheck(CHECK_NAME, CODES, check_settlement),)
