"""Which finding code the difference between what a wager is owed and what the table returned has."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

from compliance.audit.catalogue import play_codes as codes
from compliance.audit.catalogue.finding_code import FindingCode
from compliance.audit.context.round_context import RoundContext
from rounds.engine import EngineError, Verdict, errors, settle, settle_wager
from rounds.engine.money import format_cents
from rounds.engine.settle import (
    AmountOwed,
    OwedReason,
    RefusalState,
    WagerPosition,
    WagerSettlement,
    compute_amount_if_valid,
)
from rounds.engine.settle import SettlementStepKind as Kind
from rounds.engine.utc_clock import format_utc_clock_exact

ROUNDING_STEPS = frozenset({Kind.ROUNDED_UP, Kind.ROUNDED_DOWN, Kind.STAKE_FLOORED, Kind.WINNINGS_FLOORED})
# By code: the settlement steps whose clause the finding cites. Without such a step, the last clause applied.
STEPS_BY_CODE = {
    codes.SETTLE_OVERPAID: {Kind.ODDS, Kind.ODDS_POSTED},
    codes.SETTLE_UNDERPAID: {Kind.ODDS, Kind.ODDS_POSTED},
    codes.SETTLE_PAY_TABLE: {Kind.ODDS},
    codes.SETTLE_WINNER_UNPAID: {Kind.WINS},
    codes.SETTLE_LOSER_PAID: {Kind.LOSES},
    codes.SETTLE_CLIP: {Kind.CLIPPED},
    codes.SETTLE_ROUNDING: ROUNDING_STEPS,
    codes.SETTLE_TOKEN: {Kind.TOKEN_KEPT, Kind.TOKEN_RETURNED},
    codes.SETTLE_VOID_KEPT: {Kind.VOID_ROUND},
    codes.SETTLE_SHOULD_BE_VOID: {Kind.VOID_ROUND},
    codes.WAGER_UNDER_MIN: {Kind.UNDER_MINIMUM_RETURNED, Kind.UNDER_MINIMUM_SETTLED},
    codes.WAGER_UNREGISTERED: {Kind.NOT_REGISTERED},
}


@dataclass(frozen=True, kw_only=True)
class SettlementError:
    """A wager that was not settled as the rules say. `is_silent`: the document does not say what was due."""

    code: FindingCode
    found_cents: int
    required_cents: int | None
    clause: str
    explanation: tuple[str, ...] = ()
    is_silent: bool = False
    reading: tuple[str, str] | None = None


def find_settlement_error(context: RoundContext, position: WagerPosition) -> SettlementError | None:
    """None where the table did as the rules say, or where the rules give no verdict on this wager's money."""
    error = _find_error(compute_amount_if_valid(context, position))
    declared = context.later_decisions.wagers.get(position.wager.id) if context.later_decisions is not None else None
    if error is None or declared is None or context.void_wagers_clause is not None:
        return error
    why = f"Entry {declared[0]} declares the wager void; the rules do not say whether that may be."
    return replace(error, is_silent=True, explanation=(why, *error.explanation))


def _find_error(owed: AmountOwed) -> SettlementError | None:
    if owed.is_met:
        return _wrong_tender_error(owed, owed.settled) if owed.settled is not None else None
    if owed.reason is OwedReason.NO_VERDICT:
        return _error_without_verdict(owed)
    if owed.reason is OwedReason.DECLARED_VOID:
        return _void_wager_error(owed)
    if owed.reason is OwedReason.PLACED_LATE:
        return _late_wager_error(owed)
    if owed.reason is OwedReason.WITHDRAWN:
        return _withdrawn_wager_error(owed)
    assert owed.settled is not None
    if owed.reason is OwedReason.FORFEITED:
        return _error_with_code(owed, owed.settled, codes.SETTLE_SHOULD_BE_VOID)
    return _amount_error(owed, owed.settled)


def _void_wager_error(owed: AmountOwed) -> SettlementError:
    """Error of a wager declared void (`duties.device_ban`): its stake must be returned."""
    assert owed.round.later_decisions is not None
    entry, _ = owed.round.later_decisions.wagers[owed.position.wager.id]
    return SettlementError(
        code=codes.SETTLE_VOID_KEPT if owed.found_cents < (owed.cents or 0) else codes.SETTLE_SHOULD_BE_VOID,
        found_cents=owed.found_cents,
        required_cents=owed.cents,
        clause=owed.clause,
        explanation=(f"Entry {entry} declares the wager void [{owed.clause}].",),
    )


def _late_wager_error(owed: AmountOwed) -> SettlementError:
    """Error of a wager placed after the cut-off (`conduct.late_wagers`) and not returned in full. A spoken one cites
    the clause that asks for time to place it (`conduct.spoken_wagers`)."""
    conduct, wager = owed.round.pack.conduct, owed.position.wager
    rule, spoken = conduct.late_wagers, conduct.spoken_wagers if wager.spoken else None
    needs_time = spoken is not None and spoken.needs_time_before is not None
    assert owed.round.cut_off_at is not None
    return SettlementError(
        code=codes.WAGER_LATE,
        found_cents=wager.returned or 0,
        required_cents=owed.cents,
        clause=spoken.clause if spoken is not None and needs_time else owed.clause,
        is_silent=rule is None or rule.placed == "silent",
        explanation=(
            f"Betting closed at {format_utc_clock_exact(owed.round.cut_off_at)}.",
            f"The wager was placed at {format_utc_clock_exact(wager.placed_at)}.",
            *(["It was spoken, and there was no time left to place it."] if needs_time else []),
        ),
    )


def _withdrawn_wager_error(owed: AmountOwed) -> SettlementError:
    """Error of a wager withdrawn before the cut-off: it can neither win nor lose, so it counts as void."""
    found = owed.position.wager.returned or 0
    return SettlementError(
        code=codes.SETTLE_VOID_KEPT if found < owed.position.stake_cents else codes.SETTLE_SHOULD_BE_VOID,
        found_cents=found,
        required_cents=owed.cents,
        clause="",
        explanation=("The wager was withdrawn before betting closed.", f"Due: {format_cents(owed.cents)}."),
    )


def _error_without_verdict(owed: AmountOwed) -> SettlementError | None:
    """Error where the engine cannot settle. A void reason that the document does not list is left to
    check_void_reason."""
    error, wager = owed.error, owed.position.wager
    if error is None or error.code is not errors.ErrorCode.NOT_A_WHOLE_CENT:
        return None
    pay_table = owed.round.rules_in_force.pay_table_for(wager.terminal) or ""
    return SettlementError(
        code=codes.SETTLE_ROUNDING,
        found_cents=wager.returned or 0,
        required_cents=None,
        clause=owed.round.pack.law.pay_table[pay_table].clause,
        is_silent=True,
        explanation=(f"{error.message[0].upper()}{error.message[1:]}.",),
    )


def _wrong_tender_error(owed: AmountOwed, settled: WagerSettlement) -> SettlementError | None:
    """Right amount, but a token's winnings were not paid in what the voucher's clause (`duties.voucher`) names."""
    voucher, paid_in = owed.round.pack.duties.voucher, owed.position.wager.paid_in
    is_win = settled.settlement.verdict is Verdict.WIN
    if voucher is None or not settled.question.is_promotional_token or not is_win:
        return None
    if paid_in in (None, voucher.winnings_paid_in):
        return None
    return replace(_error_with_code(owed, settled, codes.SETTLE_TOKEN), clause=voucher.clause)


def _amount_error(owed: AmountOwed, settled: WagerSettlement) -> SettlementError:
    """The error for a wrong amount: how the wager was handled first, then another reading, then how its odds were
    applied."""
    if owed.round.refusal_state(owed.position) is RefusalState.NOT_ALLOWED:
        return _refused_wager_error(owed, settled)
    code, rule = _finding_code_for_handling(owed, settled), owed.round.pack.conduct.late_wagers
    if code == codes.WAGER_LATE:
        clause = rule.clause if rule else owed.round.pack.conduct.no_more_bets.clause
        return replace(
            _error_with_code(owed, settled, code), clause=clause, is_silent=rule is None or rule.increased == "silent"
        )
    if code == codes.WAGER_WITHDRAWN_LATE:
        clause = (rule.withdrawn_clause or rule.clause) if rule else owed.round.pack.conduct.no_more_bets.clause
        return replace(
            _error_with_code(owed, settled, code), clause=clause, is_silent=rule is None or rule.withdrawn == "silent"
        )
    if code:
        return _cite_stakes_clause(owed, settled, _error_with_code(owed, settled, code))
    for other in settle.alternative_settlements(settled.rules, settled.question, settled.settlement):
        if other.returned_cents is not None and other.returned_cents == owed.found_cents:
            clause = owed.round.pack.readings[other.reading].clause
            return replace(
                _error_with_code(owed, settled, codes.SETTLE_READING),
                clause=clause,
                reading=(other.reading, other.choice),
            )
    code = _finding_code_for_amount(owed, settled)
    return _cite_interruption_clause(owed, _error_with_code(owed, settled, code))


def _cite_stakes_clause(owed: AmountOwed, settled: WagerSettlement, error: SettlementError) -> SettlementError:
    """Cites, for a stake that was kept, the clause on stakes after such a void round, where the document has one."""
    rule = owed.round.void_rule(settled.question.void_reason or "")
    is_exact = error.code == codes.SETTLE_VOID_KEPT and rule is not None and rule.stakes_clause is not None
    return replace(error, clause=rule.stakes_clause or "") if is_exact and rule is not None else error


def _refused_wager_error(owed: AmountOwed, settled: WagerSettlement) -> SettlementError:
    """Error of a wager that was refused although the rules let it stand (`duties.wager_refusal`)."""
    duty, known, closed_at = (
        owed.round.pack.duties.wager_refusal,
        owed.round.known_refusal(owed.position.wager),
        owed.round.cut_off_at,
    )
    assert duty is not None
    if known.at is not None and closed_at is not None and known.at > closed_at:
        refused, closed = format_utc_clock_exact(known.at), format_utc_clock_exact(closed_at)
        why = f"It was refused at {refused}, after betting closed at {closed}"
    else:
        why = f"It was refused on grounds that the rules do not name: {known.grounds}"
    error = _error_with_code(owed, settled, codes.WAGER_REFUSED)
    return replace(error, clause=duty.clause, explanation=(f"{why} [{duty.clause}].", *error.explanation))


def _cite_interruption_clause(owed: AmountOwed, error: SettlementError) -> SettlementError:
    """Cites the clause on interruptions where a wager was returned that should have been settled."""
    rule, wager = owed.round.pack.duties.interruption, owed.position.wager
    if rule is None or wager.verdict != "void":
        return error
    if owed.round.is_outcome_established:
        why = f"An outcome was established when play was interrupted: the round counts [{rule.established_clause}]."
        # Where not all dice were read, the steps of the settlement say so.
        explanation = error.explanation if owed.round.outcome is None else (why, *error.explanation)
        return replace(error, clause=rule.established_clause, explanation=explanation)
    if wager.registered:
        why = f"The terminal had registered the wager: it is settled like any other [{rule.registered_clause}]."
        return replace(error, clause=rule.registered_clause, explanation=(why, *error.explanation))
    return error


def _error_with_code(owed: AmountOwed, settled: WagerSettlement, code: FindingCode) -> SettlementError:
    settlement, step_kinds = settled.settlement, STEPS_BY_CODE.get(code, ())
    clauses = [step.clause for step in settlement.steps if step.kind in step_kinds and step.clause]
    return SettlementError(
        code=code,
        found_cents=owed.found_cents,
        required_cents=owed.cents,
        clause=(clauses or list(settlement.clauses[-1:]) or [""])[0],
        explanation=(*_decision_text(owed), *settle.explain_settlement(settlement, owed.cents)),
    )


def _decision_text(owed: AmountOwed) -> tuple[str, ...]:
    voided, report_index = owed.round.later_decisions, owed.round.over_limit_reports.get(owed.position.wager.id)
    if report_index is not None:
        return (f"Entry {report_index} records that it was found above the maximum before it was settled.",)
    if voided is None or not owed.round.is_voided_later:
        return ()
    sentences = [f"The round was determined to be void later, by entry {', '.join(map(str, voided.sets))}."]
    if owed.position.wager.id in (voided.forfeited or ()):
        sentences.append("It was directed that the wager be forfeited.")
    return tuple(sentences)


def _finding_code_for_handling(owed: AmountOwed, settled: WagerSettlement) -> FindingCode | None:
    """The code where the wager was handled wrongly. None where only the odds were applied wrongly."""
    kinds, position, found = settled.step_kinds, owed.position, owed.found_cents
    if Kind.NOT_REGISTERED in kinds:
        return codes.WAGER_UNREGISTERED
    if Kind.UNDER_MINIMUM_RETURNED in kinds:
        return codes.WAGER_UNDER_MIN
    if Kind.UNDER_MINIMUM_SETTLED in kinds and found == position.total_staked_cents:
        return codes.WAGER_UNDER_MIN
    if position.was_taken_back_late:
        return codes.WAGER_WITHDRAWN_LATE
    if position.was_changed_late:
        return codes.WAGER_LATE
    if settled.settlement.verdict is Verdict.VOID:
        return codes.SETTLE_VOID_KEPT if found < (owed.cents or 0) else codes.SETTLE_SHOULD_BE_VOID
    return codes.SETTLE_CLIP if Kind.CLIPPED in kinds else None


def _finding_code_for_amount(owed: AmountOwed, settled: WagerSettlement) -> FindingCode:
    found, due, stake = owed.found_cents, owed.cents or 0, owed.position.stake_cents
    if _matches_other_pay_table(owed, settled):
        return codes.SETTLE_PAY_TABLE
    if settled.settlement.verdict is Verdict.LOSE:
        return codes.SETTLE_LOSER_PAID
    if settled.question.is_promotional_token:
        return codes.SETTLE_TOKEN
    if found <= stake:
        return codes.SETTLE_WINNER_UNPAID
    if ROUNDING_STEPS & set(settled.step_kinds) and abs(found - due) <= _max_rounding_difference(settled):
        return codes.SETTLE_ROUNDING
    return codes.SETTLE_UNDERPAID if found < due else codes.SETTLE_OVERPAID


def _matches_other_pay_table(owed: AmountOwed, settled: WagerSettlement) -> bool:
    rules_in_force, found = owed.round.rules_in_force, owed.found_cents
    if found <= owed.position.stake_cents:
        return False
    for name in owed.round.pack.law.pay_table:
        if name != settled.rules.pay_table:
            try:
                other = settle_wager(rules_in_force.rules_for_pay_table(name), settled.question)
            except EngineError:
                continue
            if other.returned_cents == found:
                return True
    return False


def _max_rounding_difference(settled: WagerSettlement) -> int:
    """The largest difference between two ways of rounding: a payable unit, or what a multiple of the minimum wins."""
    limits, odds = settled.question.limits, settled.settlement.odds or 0
    return max(limits.payable_unit_cents or 1, ceil((limits.minimum_cents or 0) * odds))
