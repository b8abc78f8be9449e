"""The settlement check: recomputes the amount due for every wager, and drafts a finding with both amounts where it
differs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from compliance.audit.checks.round.positions import Position, holdings_by_wager, positions_in_round
from compliance.audit.checks.round.settlement_errors import SettlementError, find_settlement_error
from compliance.audit.checks.round.voids import void_grounds
from compliance.audit.context.finding_draft import FindingDraft, format_amount, round_draft, wager_label
from compliance.audit.context.round_context import RoundContext

CHECK_NAME = "settlement"
CODES = frozenset(
    {
        "SETTLE-OVERPAID", "SETTLE-UNDERPAID", "SETTLE-LOSER-PAID", "SETTLE-WINNER-UNPAID", "SETTLE-VOID-KEPT",
        "SETTLE-SHOULD-BE-VOID", "SETTLE-CLIP", "SETTLE-ROUNDING", "SETTLE-PAY-TABLE", "SETTLE-TOKEN",
        "SETTLE-READING", "WAGER-LATE", "WAGER-WITHDRAWN-LATE", "WAGER-UNDER-MIN", "WAGER-UNREGISTERED",
    }
)  # fmt: skip


def check_settlement(context: RoundContext) -> Iterator[FindingDraft]:
    """One finding for a round that should have been void; otherwise one finding per wrongly settled wager."""
    ground = void_grounds(context)
    if ground is not None:
        yield _void_round_draft(context, *ground)
        return
    positions = positions_in_round(context)
    holdings = holdings_by_wager(context, positions)
    for position in positions:
        error = find_settlement_error(context, position, holdings.get(position.wager.id))
        if error is not None:
            yield _settlement_draft(context, position, error)


def position_label(position: Position) -> str:
    return wager_label(position.bet, position.stake_cents, position.wager.id)


def _settlement_draft(context: RoundContext, position: Position, error: SettlementError) -> FindingDraft:
    what, required, found = position_label(position), _required_text(error), format_amount(error.found_cents)
    if error.reading is not None:
        reading, choice = error.reading
        what, found = f"clause {error.clause} ({reading})", f"“{choice}”"
        required = f"“{context.rules_in_force.readings.get(reading, context.pack.readings[reading].default)}”"
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


def _required_text(error: SettlementError) -> str:
    return "the rules do not say what" if error.required_cents is None else format_amount(error.required_cents)


def _void_round_draft(context: RoundContext, reason: str, why: str) -> FindingDraft:
    wagers = [position for position in positions_in_round(context) if position.wager.verdict not in ("open", "refused")]
    due = sum(position.total_staked_cents for position in wagers)
    found = sum(position.wager.returned or 0 for position in wagers)
    clause = next(rule.clause for name, rule in context.pack.law.void.items() if name == reason)
    return round_draft(
        context,
        "SETTLE-SHOULD-BE-VOID",
        CHECK_NAME,
        what=context.round_label,
        required=format_amount(due),
        found=format_amount(found),
        clause=clause,
        required_cents=due,
        found_cents=found,
        explanation=(why,),
    )
