"""compute_amount_owed(): what one wager of a round is owed, why, and whether what was returned meets it.

The only implementation in the service: the audit, disputes, proofs, the calculator link and the round page use it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum

from rounds.engine.errors import EngineError
from rounds.engine.pack.compiled_rules import Rules
from rounds.engine.settle.settle_wager import settle_wager
from rounds.engine.settle.settlement import Settlement, SettlementStepKind, WagerQuestion
from rounds.engine.settle.wager_position import BoxHolding, RoundToSettle, WagerPosition


class OwedReason(StrEnum):
    """What the amount follows from."""

    SETTLED = "settled"
    ROUND_VOID = "round-void"
    DECLARED_VOID = "declared-void"
    REFUSED = "refused"
    FORFEITED = "forfeited"
    PLACED_LATE = "placed-late"
    WITHDRAWN = "withdrawn"
    NO_PAY_TABLE = "no-pay-table"
    NO_VERDICT = "no-verdict"


@dataclass(frozen=True)
class WagerSettlement:
    """A settlement with what it was computed from."""

    rules: Rules
    question: WagerQuestion
    settlement: Settlement

    @property
    def step_kinds(self) -> Collection[SettlementStepKind]:
        return {step.kind for step in self.settlement.steps}


@dataclass(frozen=True)
class AmountOwed:
    """What one wager is owed; `cents` is None where the rules give no amount. `settled` is set where the engine settled
    it, `error` where it could not."""

    round: RoundToSettle
    position: WagerPosition
    reason: OwedReason
    cents: int | None
    clause: str = ""
    settled: WagerSettlement | None = None
    error: EngineError | None = None

    @property
    def holding(self) -> BoxHolding | None:
        return self.round.holdings.get(self.position.wager.id)

    @property
    def found_cents(self) -> int:
        """What was returned with the round, plus refunds after a later decision that the round or wager is void."""
        wager, voided = self.position.wager, self.round.later_decisions
        return (wager.returned or 0) + (voided.refunds.get(wager.id, 0) if voided else 0)

    @property
    def is_met(self) -> bool:
        """Whether the table did as the rules say. Winnings paid before a decision that voids them are not recovered."""
        wager, found, due = self.position.wager, self.found_cents, self.cents
        if self.reason is OwedReason.SETTLED:
            is_kept = self.round.is_voided_after_end and found > (due or 0)
            return found == due or is_kept or self._is_box_met()
        if self.reason is OwedReason.DECLARED_VOID:
            return found == due or (found > (due or 0) and self.round.is_declared_void_after_end(wager.id))
        if self.reason is OwedReason.PLACED_LATE:
            return wager.returned == self.position.total_staked_cents
        if self.reason is OwedReason.WITHDRAWN:
            # A player may have taken the chips back before anything was returned.
            return (wager.returned or 0) <= self.position.stake_cents and wager.verdict != "lose"
        if self.reason is OwedReason.FORFEITED:
            return self.settled is None
        return self.reason not in (OwedReason.ROUND_VOID, OwedReason.NO_VERDICT) or found == due

    def _is_box_met(self) -> bool:
        """Whether a player's wagers on one box, of which a part is above the maximum, were given what is due on all of
        them: the document does not say which of them is settled up to the maximum."""
        held = self.holding
        if held is None or not held.is_over_maximum or len(held.live_cents) == 1:
            return False
        together = [position for position in self.round.positions if position.wager.id in held.live_cents]
        due = [amounts_by_discovery(self.round, position)[0] for position in together]
        found = [replace(self, position=position).found_cents for position in together]
        return None not in due and sum(found) == sum(cents or 0 for cents in due)


def compute_amount_owed(played: RoundToSettle, position: WagerPosition) -> AmountOwed:
    """What the wager is owed. All stakes of a round that should have been void are owed."""
    grounds = played.void_grounds
    if grounds is None or played.is_set_aside(position):
        return compute_amount_if_valid(played, position)
    rule = played.void_rule(grounds.reason)
    clause = rule.clause if rule is not None else ""
    return AmountOwed(played, position, OwedReason.ROUND_VOID, position.total_staked_cents, clause)


def compute_amount_if_valid(played: RoundToSettle, position: WagerPosition) -> AmountOwed:
    """What the wager is owed unless the round should have been void, which is one finding about the whole round."""
    clause = played.void_wagers_clause
    if played.is_declared_void(position.wager.id) and clause is not None:
        return AmountOwed(played, position, OwedReason.DECLARED_VOID, position.total_staked_cents, clause)
    unsettled = _owed_without_settlement(played, position)
    return unsettled if unsettled is not None else _owed_by_settlement(played, position)


def compute_amount_if_stood(played: RoundToSettle, position: WagerPosition) -> int | None:
    """What a refused wager would be owed had it stood; None where the rules give no amount."""
    return _owed_by_settlement(played, position).cents


def question_to_settle(played: RoundToSettle, position: WagerPosition) -> tuple[Rules, WagerQuestion] | None:
    """The question by which the wager is settled. None where its money does not depend on what its box pays."""
    if played.is_declared_void(position.wager.id) or _owed_without_settlement(played, position) is not None:
        return None
    rules = _rules_for(played, position)
    return rules, _question_as_found(played, position, rules)


def is_refused_or_forfeited(played: RoundToSettle, position: WagerPosition) -> bool:
    """Refused with the money back where the rules allow refusal, or forfeited where they allow forfeiture."""
    if position.wager.verdict == "refused":
        return played.is_set_aside(position)
    wager, reason, decisions = position.wager, played.round.no_result, played.later_decisions
    if decisions is not None and decisions.forfeited is not None:
        # A written decision on forfeits overrides the verdict the table reported.
        found = (wager.returned or 0) + decisions.refunds.get(wager.id, 0)
        return _is_forfeit_directed(played, position) and (played.is_voided_after_end or found == 0)
    if wager.verdict == "forfeited" and reason is not None and reason.grounds == "fraud":
        return played.may_forfeit(reason.reason) and not played.invalidation_breaches
    return False


def _is_forfeit_directed(played: RoundToSettle, position: WagerPosition) -> bool:
    forfeited = played.later_decisions.forfeited if played.later_decisions else None
    return forfeited is not None and position.wager.id in forfeited and played.may_forfeit("invalidated")


def _rules_for(played: RoundToSettle, position: WagerPosition) -> Rules:
    pay_table = played.rules_in_force.pay_table_for(position.wager.terminal)
    assert pay_table is not None
    return played.rules_in_force.rules_for_pay_table(pay_table)


def _owed_without_settlement(played: RoundToSettle, position: WagerPosition) -> AmountOwed | None:
    """None where the box decides."""
    wager = position.wager
    if played.rules_in_force.pay_table_for(wager.terminal) is None:
        # A void round returns the stake, whatever its box pays.
        cents = position.total_staked_cents if played.void_reason is not None else None
        return AmountOwed(played, position, OwedReason.NO_PAY_TABLE, cents)
    if is_refused_or_forfeited(played, position):
        if wager.verdict == "refused":
            return AmountOwed(played, position, OwedReason.REFUSED, position.total_staked_cents)
        return AmountOwed(played, position, OwedReason.FORFEITED, 0)
    if position.was_placed_late:
        rule = played.pack.conduct.late_wagers
        cents = position.total_staked_cents if rule is not None and rule.placed == "not-valid" else None
        clause = rule.clause if rule is not None else played.pack.conduct.no_more_bets.clause
        return AmountOwed(played, position, OwedReason.PLACED_LATE, cents, clause)
    if position.was_withdrawn:
        return AmountOwed(played, position, OwedReason.WITHDRAWN, position.stake_cents)
    return None


def _owed_by_settlement(played: RoundToSettle, position: WagerPosition) -> AmountOwed:
    """By the engine's settlement of the position at the cut-off; money added afterwards is handed back."""
    rules = _rules_for(played, position)
    try:
        question = _question_as_found(played, position, rules)
        settlement = settle_wager(rules, question)
    except EngineError as error:
        return AmountOwed(played, position, OwedReason.NO_VERDICT, None, error=error)
    if settlement.returned_cents is None:
        reason, cents = OwedReason.NO_VERDICT, None
    elif _is_forfeit_directed(played, position):
        reason, cents = OwedReason.FORFEITED, 0
    else:
        reason, cents = OwedReason.SETTLED, settlement.returned_cents + position.added_late_cents
    return AmountOwed(played, position, reason, cents, settled=WagerSettlement(rules, question, settlement))


def amounts_by_discovery(played: RoundToSettle, position: WagerPosition) -> tuple[int | None, int | None]:
    """What a wager above the maximum is owed if that is found before it is settled, and if on a later game. None where
    the rules do not distinguish, or give no amount."""
    rules = _rules_for(played, position)
    question = played.question(position)
    rule = rules.law.settlement.over_maximum
    in_time = _settled_cents(rules, question, position)
    stands = rule is not None and rule.found_on_a_later_game == "stands"
    return in_time, _settled_cents(rules, replace(question, was_found_later=True), position) if stands else None


def _settled_cents(rules: Rules, question: WagerQuestion, position: WagerPosition) -> int | None:
    try:
        cents = settle_wager(rules, question).returned_cents
    except EngineError:
        return None
    return None if cents is None else cents + position.added_late_cents


def _question_as_found(played: RoundToSettle, position: WagerPosition, rules: Rules) -> WagerQuestion:
    """The wager as a question. Above the maximum and settled in full, it stands as found on a later game, unless
    something shows that it was found before it was settled."""
    question, held, wager = played.question(position), played.holdings.get(position.wager.id), position.wager
    rule = rules.law.settlement.over_maximum
    if held is None or not held.is_over_maximum or rule is None or rule.found_on_a_later_game != "stands":
        return question
    if wager.id in played.over_limit_reports:
        return question
    as_found_later = replace(question, was_found_later=True)
    found = AmountOwed(played, position, OwedReason.SETTLED, None).found_cents
    return as_found_later if _settled_cents(rules, as_found_later, position) == found else question
