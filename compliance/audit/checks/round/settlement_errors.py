"""What was due for one wager, what the table returned, and which finding code the difference has."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from math import ceil

from compliance.audit.checks.round.positions import BoxHolding, Position
from compliance.audit.context.round_context import RoundContext
from rounds.engine import (
    BETS,
    EngineError,
    Pack,
    Rules,
    Settlement,
    Verdict,
    WagerLimits,
    WagerQuestion,
    errors,
    settle,
    settle_wager,
)

ROUNDING_STEPS = frozenset(
    {
        settle.StepKind.ROUNDED_UP,
        settle.StepKind.ROUNDED_DOWN,
        settle.StepKind.STAKE_FLOORED,
        settle.StepKind.WINNINGS_FLOORED,
    },
)
# By code: the settlement steps whose clause the finding cites. Without such a step, the last clause applied.
STEPS_BY_CODE = {
    "SETTLE-OVERPAID": {settle.StepKind.ODDS, settle.StepKind.ODDS_POSTED},
    "SETTLE-UNDERPAID": {settle.StepKind.ODDS, settle.StepKind.ODDS_POSTED},
    "SETTLE-PAY-TABLE": {settle.StepKind.ODDS},
    "SETTLE-WINNER-UNPAID": {settle.StepKind.WINS},
    "SETTLE-LOSER-PAID": {settle.StepKind.LOSES},
    "SETTLE-CLIP": {settle.StepKind.CLIPPED},
    "SETTLE-ROUNDING": ROUNDING_STEPS,
    "SETTLE-TOKEN": {settle.StepKind.TOKEN_KEPT, settle.StepKind.TOKEN_RETURNED},
    "SETTLE-VOID-KEPT": {settle.StepKind.VOID_ROUND},
    "SETTLE-SHOULD-BE-VOID": {settle.StepKind.VOID_ROUND},
    "WAGER-UNDER-MIN": {settle.StepKind.UNDER_MINIMUM_RETURNED, settle.StepKind.UNDER_MINIMUM_SETTLED},
    "WAGER-UNREGISTERED": {settle.StepKind.NOT_REGISTERED},
}


@dataclass(frozen=True, kw_only=True)
class SettlementError:
    """A wager that was not settled as the rules say. `is_silent`: the document does not say what was due."""

    code: str
    found_cents: int
    required_cents: int | None
    clause: str
    explanation: tuple[str, ...] = ()
    is_silent: bool = False
    reading: tuple[str, str] | None = None


@dataclass(frozen=True)
class _SettledWager:
    """One wager with the engine's settlement of it, and what that was computed from."""

    context: RoundContext
    position: Position
    held: BoxHolding | None
    rules: Rules
    question: WagerQuestion
    settled: Settlement

    @property
    def found_cents(self) -> int:
        return returned_cents(self.context, self.position)

    @property
    def due_cents(self) -> int:
        """What the position at the cut-off is due, plus the money added afterwards."""
        return (self.settled.returned_cents or 0) + self.position.added_late_cents

    @property
    def step_kinds(self) -> Collection[settle.StepKind]:
        return {step.kind for step in self.settled.steps}


def returned_cents(context: RoundContext, position: Position) -> int:
    """What was returned with the round, plus refunds after a later decision that the round or wager is void."""
    wager, voided = position.wager, context.later_decisions
    return (wager.returned or 0) + (voided.refunds.get(wager.id, 0) if voided else 0)


def settlement_question(context: RoundContext, position: Position, held: BoxHolding | None) -> WagerQuestion:
    """The wager at the cut-off as a question to the settlement engine."""
    wager, rules_in_force = position.wager, context.rules_in_force
    return WagerQuestion(
        bet=BETS[position.bet],
        stake_cents=position.stake_cents,
        outcome=context.outcome,
        limits=_wager_limits(position, held) if held else settle.NO_LIMITS,
        posted_odds=rules_in_force.posted_odds.get(position.bet),
        offered=rules_in_force.offered,
        is_promotional_token=wager.tender == "promotional-token",
        was_warned=wager.warned,
        was_registered=wager.registered is not False,
        void_reason=context.void_reason,
        have_lights_failed=_are_lights_unreliable(context),
        called=context.round.called.faces if context.round.called else None,
    )


def _are_lights_unreliable(context: RoundContext) -> bool:
    """Whether the lights are inconclusive. SkyCity 7.e then goes by the result called."""
    called, lay, lit, rules_in_force = context.round.called, context.outcome, context.round.lit, context.rules_in_force
    pay_table = rules_in_force.pay_table_for(None)
    if called is None or lay is None or lit is None or pay_table is None:
        return False
    return settle.are_lights_inconclusive(
        rules_in_force.rules_for_pay_table(pay_table), rules_in_force.offered, lit, lay, called.faces
    )


def _wager_limits(position: Position, held: BoxHolding) -> WagerLimits:
    """Limits of one wager within the player's holding on the box. Its maximum is the part of it that is live."""
    stake, live = position.stake_cents, held.live_cents[position.wager.id]
    minimum = held.limits.minimum_cents
    if minimum is not None and not held.is_under_minimum:
        minimum = min(minimum, stake)
    return replace(held.limits, minimum_cents=minimum, maximum_cents=live if live < stake else None)


def find_settlement_error(context: RoundContext, position: Position, held: BoxHolding | None) -> SettlementError | None:
    """None where the table did as the rules say, or where the rules give no verdict on this wager's money."""
    declared = context.later_decisions.wagers.get(position.wager.id) if context.later_decisions is not None else None
    if declared is None:
        return _compare_settlement(context, position, held)
    clause = _void_wagers_clause(context.pack)
    if clause is not None:
        return _void_wager_error(context, position, clause, *declared)
    error = _compare_settlement(context, position, held)
    if error is None:
        return None
    why = f"Entry {declared[0]} declares the wager void; the rules do not say whether that may be."
    return replace(error, is_silent=True, explanation=(why, *error.explanation))


def _compare_settlement(context: RoundContext, position: Position, held: BoxHolding | None) -> SettlementError | None:
    pay_table = context.rules_in_force.pay_table_for(position.wager.terminal)
    if pay_table is None or position.wager.verdict == "open" or is_refused_or_forfeited(context, position):
        return None
    if position.was_placed_late:
        return _late_wager_error(context, position)
    if position.was_withdrawn:
        return _withdrawn_wager_error(position)
    rules = context.rules_in_force.rules_for_pay_table(pay_table)
    question = settlement_question(context, position, held)
    try:
        settled = settle_wager(rules, question)
    except EngineError as error:
        return _error_without_verdict(context, position, error)
    if settled.returned_cents is None:
        return None
    settled_wager = _SettledWager(context, position, held, rules, question, settled)
    if _was_forfeit_ignored(settled_wager):
        return replace(_error_with_code(settled_wager, "SETTLE-SHOULD-BE-VOID"), required_cents=0)
    if settled_wager.found_cents in _accepted_amounts(settled_wager):
        return _wrong_tender_error(settled_wager)
    if context.is_voided_after_end and settled_wager.found_cents > settled_wager.due_cents:
        # Stakes are owed at once, but winnings paid before the round was voided need not be recovered.
        return None
    return _amount_error(settled_wager)


def is_refused_or_forfeited(context: RoundContext, position: Position) -> bool:
    """Refused with the money back where the rules allow refusal, or forfeited where they allow forfeiture."""
    wager, reason = position.wager, context.round.no_result
    if wager.verdict == "refused":
        return context.pack.duties.wager_refusal is not None and wager.returned == position.total_staked_cents
    if context.later_decisions is not None and context.later_decisions.forfeited is not None:
        # A written decision on forfeits overrides the verdict the table reported.
        is_forfeited = wager.id in context.later_decisions.forfeited and _may_forfeit(context, "invalidated")
        return is_forfeited and (context.is_voided_after_end or returned_cents(context, position) == 0)
    if wager.verdict == "forfeited" and reason is not None and reason.grounds == "fraud":
        return _may_forfeit(context, reason.reason)
    return False


def _may_forfeit(context: RoundContext, reason: str) -> bool:
    rule = context.void_rule(reason)
    return rule is not None and rule.may_forfeit


def _was_forfeit_ignored(settled_wager: _SettledWager) -> bool:
    """Whether it was returned although it had been directed, during the round, that it be forfeited."""
    context, voided = settled_wager.context, settled_wager.context.later_decisions
    forfeited = voided.forfeited if voided else None
    return (
        forfeited is not None and settled_wager.position.wager.id in forfeited and _may_forfeit(context, "invalidated")
    )


def _void_wagers_clause(pack: Pack) -> str | None:
    ban = pack.duties.device_ban
    return dict(zip(ban.may, ban.may_clauses, strict=True)).get("void-wagers") if ban else None


def _void_wager_error(
    context: RoundContext, position: Position, clause: str, entry: int, at: datetime
) -> SettlementError | None:
    """Error of a wager declared void (`duties.device_ban`): its stake must be returned."""
    due, found = position.total_staked_cents, returned_cents(context, position)
    if found == due or (found > due and at > context.ended_at):
        # Winnings paid before the declaration need not be recovered.
        return None
    return SettlementError(
        code="SETTLE-VOID-KEPT" if found < due else "SETTLE-SHOULD-BE-VOID",
        found_cents=found,
        required_cents=due,
        clause=clause,
        explanation=(f"Entry {entry} declares the wager void [{clause}].",),
    )


def _late_wager_error(context: RoundContext, position: Position) -> SettlementError | None:
    """Error of a wager placed after the cut-off (`conduct.late_wagers`) and not returned in full."""
    rule, due = context.pack.conduct.late_wagers, position.total_staked_cents
    if position.wager.returned == due:
        return None
    return SettlementError(
        code="WAGER-LATE",
        found_cents=position.wager.returned or 0,
        required_cents=due if rule is not None and rule.placed == "not-valid" else None,
        clause=rule.clause if rule is not None else context.pack.conduct.no_more_bets.clause,
        is_silent=rule is None or rule.placed == "silent",
        explanation=(
            f"Betting closed at {context.cut_off_at:%H:%M:%S.%f} UTC.",
            f"The wager was placed at {position.wager.placed_at:%H:%M:%S.%f} UTC.",
        ),
    )


def _withdrawn_wager_error(position: Position) -> SettlementError | None:
    """Error of a wager withdrawn before the cut-off: it can neither win nor lose."""
    wager, found = position.wager, position.wager.returned or 0
    if found <= position.stake_cents and wager.verdict != "lose":
        return None
    code = "SETTLE-VOID-KEPT" if found < position.stake_cents else "SETTLE-LOSER-PAID"
    return SettlementError(code=code, found_cents=found, required_cents=position.stake_cents, clause="")


def _error_without_verdict(context: RoundContext, position: Position, error: EngineError) -> SettlementError | None:
    """Error where the engine cannot settle. A void reason that the document does not list is left to
    check_void_reason."""
    if error.code is not errors.ErrorCode.NOT_A_WHOLE_CENT:
        return None
    return SettlementError(
        code="SETTLE-ROUNDING",
        found_cents=position.wager.returned or 0,
        required_cents=None,
        clause=context.pack.law.pay_table[context.rules_in_force.pay_table_for(position.wager.terminal) or ""].clause,
        is_silent=True,
        explanation=(f"{error.message[0].upper()}{error.message[1:]}.",),
    )


def _accepted_amounts(settled_wager: _SettledWager) -> Collection[int]:
    """The amount due. Where a wager above the maximum stands if found on a later game, also the amount for the whole
    wager."""
    rule, held = settled_wager.rules.law.settlement.over_maximum, settled_wager.held
    if settled_wager.position.wager.id in settled_wager.context.over_limit_reports:
        return (settled_wager.due_cents,)
    if rule is None or held is None or not held.is_over_maximum or rule.found_on_a_later_game != "stands":
        return (settled_wager.due_cents,)
    whole = settle_wager(
        settled_wager.rules,
        replace(settled_wager.question, limits=replace(settled_wager.question.limits, maximum_cents=None)),
    )
    return settled_wager.due_cents, (whole.returned_cents or 0) + settled_wager.position.added_late_cents


def _wrong_tender_error(settled_wager: _SettledWager) -> SettlementError | None:
    """Right amount, but a token's winnings were not paid in what the voucher's clause (`duties.voucher`) names."""
    voucher, paid_in = settled_wager.context.pack.duties.voucher, settled_wager.position.wager.paid_in
    is_win = settled_wager.settled.verdict is Verdict.WIN
    if voucher is None or not settled_wager.question.is_promotional_token or not is_win:
        return None
    if paid_in in (None, voucher.winnings_paid_in):
        return None
    return replace(_error_with_code(settled_wager, "SETTLE-TOKEN"), clause=voucher.clause)


def _amount_error(settled_wager: _SettledWager) -> SettlementError:
    """The error for a wrong amount: how the wager was handled first, then another reading, then how its odds were
    applied."""
    code, rule = _finding_code_for_handling(settled_wager), settled_wager.context.pack.conduct.late_wagers
    if code == "WAGER-LATE":
        clause = rule.clause if rule else settled_wager.context.pack.conduct.no_more_bets.clause
        return replace(
            _error_with_code(settled_wager, code), clause=clause, is_silent=rule is None or rule.increased == "silent"
        )
    if code == "WAGER-WITHDRAWN-LATE":
        clause = (
            (rule.withdrawn_clause or rule.clause) if rule else settled_wager.context.pack.conduct.no_more_bets.clause
        )
        return replace(
            _error_with_code(settled_wager, code), clause=clause, is_silent=rule is None or rule.withdrawn == "silent"
        )
    if code:
        return _error_with_code(settled_wager, code)
    for other in settle.alternative_settlements(settled_wager.rules, settled_wager.question, settled_wager.settled):
        if other.returned_cents is not None and other.returned_cents == settled_wager.found_cents:
            clause = settled_wager.context.pack.readings[other.reading].clause
            return replace(
                _error_with_code(settled_wager, "SETTLE-READING"), clause=clause, reading=(other.reading, other.choice)
            )
    return _cite_interruption_clause(
        settled_wager, _error_with_code(settled_wager, _finding_code_for_amount(settled_wager))
    )


def _cite_interruption_clause(settled_wager: _SettledWager, error: SettlementError) -> SettlementError:
    """Cites the clause on interruptions where a wager was returned that should have been settled."""
    rule, wager = settled_wager.context.pack.duties.interruption, settled_wager.position.wager
    if rule is None or wager.verdict != "void":
        return error
    if settled_wager.context.has_readable_result:
        why = f"The whole result could be read when play was interrupted: the round counts [{rule.established_clause}]."
        return replace(error, clause=rule.established_clause, explanation=(why, *error.explanation))
    if wager.registered:
        why = f"The terminal had registered the wager: it is settled like any other [{rule.registered_clause}]."
        return replace(error, clause=rule.registered_clause, explanation=(why, *error.explanation))
    return error


def _error_with_code(settled_wager: _SettledWager, code: str) -> SettlementError:
    steps, step_kinds = settled_wager.settled.steps, STEPS_BY_CODE.get(code, ())
    clauses = [step.clause for step in steps if step.kind in step_kinds and step.clause]
    return SettlementError(
        code=code,
        found_cents=settled_wager.found_cents,
        required_cents=settled_wager.due_cents,
        clause=(clauses or list(settled_wager.settled.clauses[-1:]) or [""])[0],
        explanation=(*_decision_text(settled_wager), *settle.explain_settlement(settled_wager.settled)),
    )


def _decision_text(settled_wager: _SettledWager) -> tuple[str, ...]:
    voided, report_index = (
        settled_wager.context.later_decisions,
        settled_wager.context.over_limit_reports.get(settled_wager.position.wager.id),
    )
    if report_index is not None:
        return (f"Entry {report_index} records that it was found above the maximum before it was settled.",)
    if voided is None or not settled_wager.context.is_voided_later:
        return ()
    sentences = [f"The round was determined to be void later, by entry {', '.join(map(str, voided.sets))}."]
    if settled_wager.position.wager.id in (voided.forfeited or ()):
        sentences.append("It was directed that the wager be forfeited.")
    return tuple(sentences)


def _finding_code_for_handling(settled_wager: _SettledWager) -> str:
    """The code where the wager was handled wrongly. Empty where only the odds were applied wrongly."""
    kinds, position, found = settled_wager.step_kinds, settled_wager.position, settled_wager.found_cents
    if settle.StepKind.NOT_REGISTERED in kinds:
        return "WAGER-UNREGISTERED"
    if settle.StepKind.UNDER_MINIMUM_RETURNED in kinds:
        return "WAGER-UNDER-MIN"
    if settle.StepKind.UNDER_MINIMUM_SETTLED in kinds and found == position.total_staked_cents:
        return "WAGER-UNDER-MIN"
    if position.was_taken_back_late:
        return "WAGER-WITHDRAWN-LATE"
    if position.was_changed_late:
        return "WAGER-LATE"
    if settled_wager.settled.verdict is Verdict.VOID:
        return "SETTLE-VOID-KEPT" if found < settled_wager.due_cents else "SETTLE-SHOULD-BE-VOID"
    return "SETTLE-CLIP" if settle.StepKind.CLIPPED in kinds else ""


def _finding_code_for_amount(settled_wager: _SettledWager) -> str:
    found, due, stake = settled_wager.found_cents, settled_wager.due_cents, settled_wager.position.stake_cents
    if _matches_other_pay_table(settled_wager):
        return "SETTLE-PAY-TABLE"
    if settled_wager.settled.verdict is Verdict.LOSE:
        return "SETTLE-LOSER-PAID"
    if settled_wager.question.is_promotional_token:
        return "SETTLE-TOKEN"
    if found <= stake:
        return "SETTLE-WINNER-UNPAID"
    if ROUNDING_STEPS & set(settled_wager.step_kinds) and abs(found - due) <= _max_rounding_difference(settled_wager):
        return "SETTLE-ROUNDING"
    return "SETTLE-UNDERPAID" if found < due else "SETTLE-OVERPAID"


def _matches_other_pay_table(settled_wager: _SettledWager) -> bool:
    rules_in_force, found = settled_wager.context.rules_in_force, settled_wager.found_cents
    if found <= settled_wager.position.stake_cents:
        return False
    for name in settled_wager.context.pack.law.pay_table:
        if name != settled_wager.rules.pay_table:
            try:
                other = settle_wager(rules_in_force.rules_for_pay_table(name), settled_wager.question)
            except EngineError:
                continue
            if other.returned_cents == found:
                return True
    return False


def _max_rounding_difference(settled_wager: _SettledWager) -> int:
    """The largest difference between two ways of rounding: a payable unit, or what a multiple of the minimum wins."""
    limits, odds = settled_wager.question.limits, settled_wager.settled.odds or 0
    return max(limits.payable_unit_cents or 1, ceil((limits.minimum_cents or 0) * odds))
