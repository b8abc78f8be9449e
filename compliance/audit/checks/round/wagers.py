"""Checks of bets, tender, limits and time: approved and offered boxes, accepted tender, the table's limits, wagers
placed too early."""

from __future__ import annotations

from collections.abc import Iterator

from compliance.audit.catalogue import play_codes as codes
from compliance.audit.catalogue.finding_code import FindingCode
from compliance.audit.catalogue.table_codes import LIMIT_OVER_MAX
from compliance.audit.checks.round.settlement import position_label, under_minimum_text
from compliance.audit.checks.round.settlement_errors import find_settlement_error
from compliance.audit.checks.shared.check_types import RoundCheck
from compliance.audit.context.finding_draft import (
    FindingDraft,
    format_amount,
    round_draft,
    round_history_draft,
    wager_label,
)
from compliance.audit.context.round_context import RoundContext
from rounds.engine import BETS
from rounds.engine.settle import (
    BoxHolding,
    RefusalState,
    WagerPosition,
    amounts_by_discovery,
    compute_amount_if_stood,
    find_tender_breach,
    is_refused_or_forfeited,
)
from rounds.engine.utc_clock import format_utc_clock_exact
from rounds.intake.protocol.round import Wager

OFFER, TENDER, LIMITS = "offer", "tender", "limits"


def check_offered_bets(context: RoundContext) -> Iterator[FindingDraft]:
    """WAGER-UNAPPROVED and WAGER-UNOFFERED: bets that the rule version or the table does not have. Refused wagers do
    not count."""
    for wager in context.round.wagers:
        pay_table = context.rules_in_force.pay_table_for(wager.terminal)
        if wager.verdict == "refused" or pay_table is None or _was_accepted_before(wager):
            continue
        rules, what = (
            context.rules_in_force.rules_for_pay_table(pay_table),
            wager_label(wager.bet, wager.stake, wager.id),
        )
        table = context.pack.law.pay_table[pay_table]
        if not rules.approves_bet(wager.bet):
            yield round_draft(
                context,
                codes.WAGER_UNAPPROVED,
                OFFER,
                what=what,
                wager=wager.id,
                found_cents=wager.returned,
                required=f"{context.rules_in_force.version}, pay table {pay_table}",
                found=format_amount(wager.returned),
                clause=table.wagers_clause or table.clause,
            )
        elif wager.bet not in context.rules_in_force.offered:
            boxes = [each for each in context.pack.law.wager.values() if wager.bet in each.bets]
            yield round_draft(
                context,
                codes.WAGER_UNOFFERED,
                OFFER,
                what=what,
                wager=wager.id,
                found_cents=wager.returned,
                required="",
                found=format_amount(wager.returned),
                clause=(boxes[0].clause or "") if boxes else "",
            )


def _was_accepted_before(wager: Wager) -> bool:
    """A Super Streak wager is reported again in the round that ends it; its placing was checked in the earlier
    round."""
    return BETS[wager.bet].is_streak and wager.verdict != "open"


def check_tender(context: RoundContext) -> Iterator[FindingDraft]:
    """WAGER-TENDER (`conduct.tenders`). A tender that is not accepted does not change the settlement."""
    for wager in context.round.wagers:
        is_taken = wager.verdict != "refused" and not _was_accepted_before(wager)
        fault = find_tender_breach(context.pack.conduct, wager) if is_taken else None
        if fault is not None:
            required, clause = fault
            found = f"{wager.tender}, spoken" if wager.spoken else wager.tender
            what = wager_label(wager.bet, wager.stake, wager.id)
            yield round_draft(
                context,
                codes.WAGER_TENDER,
                TENDER,
                what=what,
                wager=wager.id,
                required=required.replace("-", " "),
                found=found.replace("-", " "),
                clause=clause,
            )


def check_box_lines(context: RoundContext) -> Iterator[FindingDraft]:
    """WAGER-OUTSIDE-BOX (`conduct.within_box`): the table reports that a wager was across the lines of its box. The
    document does not say what becomes of the wager, so it is settled as usual."""
    rule = context.pack.conduct.within_box
    for wager in context.round.wagers if rule is not None else ():
        if wager.within_box is False and wager.verdict != "refused" and not _was_accepted_before(wager):
            yield round_draft(
                context,
                codes.WAGER_OUTSIDE_BOX,
                what=wager_label(wager.bet, wager.stake, wager.id),
                wager=wager.id,
                required="",
                found=format_amount(wager.returned),
                clause=rule.clause if rule else "",
                is_silent=True,
            )


def check_unproven_refusals(context: RoundContext) -> Iterator[FindingDraft]:
    """WAGER-REFUSED-UNPROVEN (`duties.wager_refusal`): nothing says that a wager was refused when, or on the grounds
    on which, the rules allow it. check_settlement reports refusals that they do not allow."""
    duty = context.pack.duties.wager_refusal
    for position in context.positions:
        if duty is not None and context.refusal_state(position) is RefusalState.UNPROVEN:
            is_in_time = context.known_refusal(position.wager).at is not None
            is_time_open = duty.reaches == "before-no-more-bets" and not is_in_time
            yield round_draft(
                context,
                codes.WAGER_REFUSED_UNPROVEN,
                what=position_label(position),
                required=format_amount(compute_amount_if_stood(context, position)),
                found="before betting closed" if is_time_open else "on grounds of the rules",
                wager=position.wager.id,
                clause=duty.clause,
                found_cents=position.wager.returned,
            )


def check_early_wagers(context: RoundContext) -> Iterator[FindingDraft]:
    """WAGER-EARLY (`conduct.betting_opens`): placed before betting had opened. The document does not say what becomes
    of the wager, so it is settled as usual."""
    rule = context.pack.conduct.betting_opens
    opened = context.events.get(rule.event) if rule is not None else None
    if rule is None or opened is None:
        return
    for wager in context.round.wagers:
        if wager.placed_at < opened and wager.verdict != "refused" and not BETS[wager.bet].is_streak:
            yield round_draft(
                context,
                codes.WAGER_EARLY,
                what=wager_label(wager.bet, wager.stake, wager.id),
                wager=wager.id,
                found=format_utc_clock_exact(wager.placed_at),
                required=format_utc_clock_exact(opened),
                clause=rule.clause,
                is_silent=True,
            )


def check_limits(context: RoundContext) -> Iterator[FindingDraft]:
    """LIMIT-OVER-MAX and WAGER-UNDER-MIN, for the record. Where the money was handled wrongly, check_settlement reports
    it."""
    settlement, shown = context.pack.law.settlement, context.pack.duties.limits_shown
    for position in context.positions:
        held = context.holdings.get(position.wager.id)
        if held is None or position.wager.verdict == "refused" or is_refused_or_forfeited(context, position):
            continue
        over, under = settlement.over_maximum, settlement.under_minimum
        if held.is_over_maximum and (over or shown) and _exceeds_maximum_itself(position, held):
            clause = over.clause if over else shown.clause if shown else ""
            yield from _limit_draft(context, position, held, LIMIT_OVER_MAX, clause, is_silent=over is None)
        elif held.is_under_minimum and (under or shown):
            clause = under.clause if under else shown.clause if shown else ""
            yield from _limit_draft(context, position, held, codes.WAGER_UNDER_MIN, clause, is_silent=under is None)


def check_missing_warnings(context: RoundContext) -> Iterator[FindingDraft]:
    """WAGER-NO-WARNING (`law.settlement.under_minimum`): the owner's earlier wager under the minimum was settled, and
    no warning was given before this one. How this one is settled, other checks decide."""
    rule = context.pack.law.settlement.under_minimum
    for position in context.positions:
        earlier = context.missing_warnings.get(position.wager.id)
        if rule is not None and earlier is not None:
            yield round_history_draft(
                context,
                codes.WAGER_NO_WARNING,
                what=position_label(position),
                required=format_amount(context.holdings[position.wager.id].limits.minimum_cents),
                wager=position.wager.id,
                clause=rule.clause,
                evidence=(earlier,),
            )


def _exceeds_maximum_itself(position: WagerPosition, held: BoxHolding) -> bool:
    """Of several wagers on one box only the last placed ones, which reach above the maximum, are reported."""
    return held.live_cents[position.wager.id] < position.stake_cents


def _limit_draft(
    context: RoundContext, position: WagerPosition, held: BoxHolding, code: FindingCode, clause: str, *, is_silent: bool
) -> Iterator[FindingDraft]:
    error = find_settlement_error(context, position)
    if error is not None and error.code in (codes.SETTLE_CLIP, codes.WAGER_UNDER_MIN):
        return
    is_over = code == LIMIT_OVER_MAX
    limit = held.limits.maximum_cents if is_over else held.limits.minimum_cents
    found = format_amount(position.wager.returned)
    yield round_draft(
        context,
        code,
        LIMITS,
        what=position_label(position),
        required=format_amount(limit),
        found=found if is_over else under_minimum_text(context, position, found),
        wager=position.wager.id,
        clause=clause,
        is_silent=is_silent,
        found_cents=position.wager.returned,
        explanation=tuple(_over_maximum_text(context, position, clause)) if is_over and not is_silent else (),
    )


def _over_maximum_text(context: RoundContext, position: WagerPosition, clause: str) -> Iterator[str]:
    """What is due on a wager above the maximum, and which amount it was settled by."""
    in_time, later = amounts_by_discovery(context, position)
    if later is None:
        yield f"A wager counts up to the maximum: {format_amount(in_time)} is due [{clause}]."
        return
    is_later = position.wager.returned == later != in_time
    due, otherwise = ("would be", "is") if is_later else ("is", "would be")
    yield (
        f"Found before it is settled, a wager counts up to the maximum: {format_amount(in_time)} {due} due [{clause}]."
    )
    yield f"Found on a later game, it stands in full: {format_amount(later)} {otherwise} due [{clause}]."
    if is_later:
        yield "Nothing on record shows that it was found before it was settled."
    else:
        yield "It was settled up to the maximum."


CHECKS = (
    RoundCheck(OFFER, frozenset({codes.WAGER_UNAPPROVED, codes.WAGER_UNOFFERED}), check_offered_bets),
    RoundCheck.of_code(codes.WAGER_EARLY, check_early_wagers),
    RoundCheck(TENDER, frozenset({codes.WAGER_TENDER}), check_tender),
    RoundCheck.of_code(codes.WAGER_OUTSIDE_BOX, check_box_lines),
    RoundCheck.of_code(codes.WAGER_REFUSED_UNPROVEN, check_unproven_refusals),
    RoundCheck(LIMITS, frozenset({LIMIT_OVER_MAX, codes.WAGER_UNDER_MIN}), check_limits),
    RoundCheck.of_code(codes.WAGER_NO_WARNING, check_missing_warnings),
)
