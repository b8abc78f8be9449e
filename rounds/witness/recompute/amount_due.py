"""The amount due on one wager, from the rules and records in the log. Independent of the service's audit on purpose."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from rounds.engine import BETS, OUTCOMES, EngineError, Rules, WagerQuestion, settle, settle_wager
from rounds.witness.recompute.decisions import INVALIDATED
from rounds.witness.recompute.positions import PlayerBoxTotal, WagerPosition
from rounds.witness.recompute.round_context import INTERRUPTED, RoundContext, possible_rolls
from rounds.witness.recompute.rules_in_force import posted_odds_for


class NoAmountDue(Exception):
    """No amount can be computed. With `must_be_found` the log must have a finding that says so."""

    def __init__(self, why: str, *, must_be_found: bool = False) -> None:
        super().__init__(why)
        self.must_be_found = must_be_found


class RulePackMissing(NoAmountDue):
    """The rule pack is missing from the evidence or unreadable."""

    def __init__(self, sha256: str) -> None:
        super().__init__(f"the rule pack {sha256}, which the log names, is not in the evidence or cannot be read")


class AmountDue(NamedTuple):
    """The amount a finding must name (`cents`), and which other payments are also right.

    `or_cents` is an alternative amount; `or_more` and `or_less` allow anything above or below. `rules` and `asked`
    allow settling it again under another reading.
    """

    cents: int
    or_cents: int | None = None
    or_more: bool = False
    or_less: bool = False
    rules: Rules | None = None
    asked: WagerQuestion | None = None
    added_cents: int = 0

    def accepts(self, paid: int) -> bool:
        return (
            paid in (self.cents, self.or_cents)
            or (self.or_more and paid > self.cents)
            or (self.or_less and paid < self.cents)
        )


def amount_due(
    context: RoundContext, position: WagerPosition, group: PlayerBoxTotal | None, pay_table: str
) -> AmountDue:
    decided = _amount_by_decision(context, position)
    if decided is not None:
        return decided
    if position.was_placed_late:
        return AmountDue(position.total_stake_cents)
    if position.was_withdrawn:
        return AmountDue(position.stake_cents, or_less=position.wager.verdict != "lose")
    return _amount_by_rules(context, position, group, context.governing.rules_for_pay_table(pay_table))


def _amount_by_decision(context: RoundContext, position: WagerPosition) -> AmountDue | None:
    """The amount if a person decided about the wager and the rules allow that decision; otherwise None."""
    wager, pack, handed_in = position.wager, context.pack, position.total_stake_cents
    declared_at, forfeited = context.decisions.void_wagers.get(wager.id), context.decisions.forfeited
    ban, reason = pack.duties.device_ban, context.round.no_result
    if declared_at is not None and ban is not None and "void-wagers" in ban.may:
        return AmountDue(handed_in, or_more=declared_at > context.ended_at)
    if context.was_rightly_refused(position):
        return AmountDue(handed_in)
    if forfeited is not None and wager.id in forfeited and context.may_forfeit(INVALIDATED):
        return AmountDue(0, or_more=context.was_voided_after_end)
    is_fraud = wager.verdict == "forfeited" and reason is not None and reason.grounds == "fraud"
    if is_fraud and forfeited is None and reason is not None and context.may_forfeit(reason.reason):
        by, duty = reason.by.position if reason.by else "", pack.duties.invalidation
        if duty is None or not duty.asks_rank or by in pack.roles[duty.by].means:
            return AmountDue(0, or_more=True)
    return None


def _amount_by_rules(
    context: RoundContext, position: WagerPosition, group: PlayerBoxTotal | None, rules: Rules
) -> AmountDue:
    question = _build_question(context, position, group, rules)
    if context.had_outcome and context.outcome is None:
        return _amount_by_dice_in_sight(context, position, question, rules)
    cents = _settle_wager(rules, question, was_taken=position.wager.verdict != "refused")
    added = position.added_late_cents
    whole, rule = None, rules.law.settlement.over_maximum
    is_paid_in_full = rule is not None and rule.found_on_a_later_game == "stands"
    if (
        is_paid_in_full
        and group is not None
        and group.is_over_maximum
        and position.wager.id not in context.wagers_found_over
    ):
        unclipped = replace(question, limits=replace(question.limits, maximum_cents=None))
        whole = _settle_wager(rules, unclipped) + added
    declared = _as_declared(context, question)
    return AmountDue(cents + added, whole, context.was_voided_after_end, rules=rules, asked=declared, added_cents=added)


def _as_declared(context: RoundContext, question: WagerQuestion) -> WagerQuestion:
    """The question as it is under a reading that is not adopted, which may decide otherwise about an interruption."""
    if context.outcome is not None or not context.was_interrupted:
        return question
    return replace(
        question,
        void_reason=INTERRUPTED,
        faces_read=context.dice_in_sight,
        is_reported_established=context.is_outcome_reported,
    )


def _amount_by_dice_in_sight(
    context: RoundContext, position: WagerPosition, question: WagerQuestion, rules: Rules
) -> AmountDue:
    """An interrupted round that is concluded although not all dice were read: the amount that every roll gives which is
    still possible."""
    amounts = {
        _settle_wager(rules, replace(question, outcome=OUTCOMES[roll], void_reason=None))
        for roll in possible_rolls(context.dice_in_sight)
    }
    if len(amounts) > 1:
        raise NoAmountDue("the round is to be concluded, and not all dice were read", must_be_found=True)
    added = position.added_late_cents
    declared = _as_declared(context, question)
    return AmountDue(amounts.pop() + added, rules=rules, asked=declared, added_cents=added)


def _build_question(
    context: RoundContext, position: WagerPosition, group: PlayerBoxTotal | None, rules: Rules
) -> WagerQuestion:
    wager, called = position.wager, context.round.called
    return WagerQuestion(
        bet=BETS[position.bet],
        stake_cents=position.stake_cents,
        outcome=context.outcome,
        limits=group.limits_for(position) if group else settle.NO_LIMITS,
        posted_odds=posted_odds_for(rules, position.bet, context.governing.facts),
        offered=context.governing.offered,
        is_promotional_token=wager.tender == "promotional-token",
        was_warned=context.was_warned(wager),
        was_registered=wager.registered is not False,
        void_reason=context.void_reason,
        have_lights_failed=_are_lights_unreliable(context, rules),
        called=called.faces if called else None,
    )


def _are_lights_unreliable(context: RoundContext, rules: Rules) -> bool:
    called, lay, lit = context.round.called, context.outcome, context.round.lit
    if called is None or lay is None or lit is None:
        return False
    return settle.are_lights_inconclusive(rules, context.governing.offered, lit, lay, called.faces)


def _settle_wager(rules: Rules, question: WagerQuestion, *, was_taken: bool = True) -> int:
    try:
        settled = settle_wager(rules, question)
    except EngineError as error:
        raise NoAmountDue("the rules give no verdict on it") from error
    if settled.returned_cents is None:
        raise NoAmountDue("the wager is not approved or not offered", must_be_found=was_taken)
    return settled.returned_cents
