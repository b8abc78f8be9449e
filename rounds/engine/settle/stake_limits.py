"""Stake limits and rounding: capping at the maximum, stakes under the minimum, winnings rounded to payable amounts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rounds.engine.errors import EngineError, ErrorCode
from rounds.engine.pack.payout_law import Law, Payable
from rounds.engine.settle.settlement import SettlementStep, SettlementStepKind, WagerLimits, WagerQuestion


def cap_stake(law: Law, question: WagerQuestion) -> tuple[int, list[SettlementStep]]:
    """The part of the stake that is in play. The whole stake, if the document has no rule on the maximum."""
    rule, maximum = law.settlement.over_maximum, question.limits.maximum_cents
    if rule is None or maximum is None or question.stake_cents <= maximum:
        return question.stake_cents, []
    if question.was_found_later and rule.found_on_a_later_game == "stands":
        return question.stake_cents, [
            SettlementStep(SettlementStepKind.FOUND_LATER, rule.clause, question.stake_cents, (maximum,))
        ]
    return maximum, [
        SettlementStep(SettlementStepKind.CLIPPED, rule.clause, question.stake_cents - maximum, (maximum,))
    ]


def cap_stakes(stakes_cents: Sequence[int], maximum_cents: int) -> list[int]:
    """The part in play of each of one player's wagers on one box, in the order placed: the last is capped first."""
    live, room = [], maximum_cents
    for stake in stakes_cents:
        live.append(min(stake, room))
        room -= live[-1]
    return live


def is_under_minimum(question: WagerQuestion) -> bool:
    return question.limits.minimum_cents is not None and question.stake_cents < question.limits.minimum_cents


def under_minimum_step(law: Law, question: WagerQuestion) -> SettlementStep | None:
    """The document's rule for a stake under the minimum: it is settled, or after a warning it is returned."""
    rule = law.settlement.under_minimum
    if rule is None or not is_under_minimum(question):
        return None
    minimum = (question.limits.minimum_cents or 0,)
    if rule.settled == "once-then-returned" and question.was_warned:
        return SettlementStep(SettlementStepKind.UNDER_MINIMUM_RETURNED, rule.clause, question.stake_cents, minimum)
    return SettlementStep(SettlementStepKind.UNDER_MINIMUM_SETTLED, rule.clause, question.stake_cents, minimum)


def compute_winnings(
    law: Law, question: WagerQuestion, live_cents: int, odds: Fraction
) -> tuple[int, list[SettlementStep]]:
    """The winnings in whole cents. Rounded only where the document defines payable units; otherwise a fraction of a
    cent is an error."""
    exact = live_cents * odds
    rule = law.settlement.payable
    if rule is not None:
        return _payable_winnings(rule, question, live_cents, odds)
    if exact.denominator != 1:
        raise EngineError(
            ErrorCode.NOT_A_WHOLE_CENT,
            f"{live_cents} cents win {exact} cents, and this rule set does not say how to round a part of a cent",
        )
    return exact.numerator, []


def _payable_winnings(
    rule: Payable, question: WagerQuestion, live_cents: int, odds: Fraction
) -> tuple[int, list[SettlementStep]]:
    """The winnings rounded to the payable unit, which is the smallest chip of the table."""
    unit = question.limits.payable_unit_cents or rule.smallest_unit_cents
    exact, steps = live_cents * odds, list[SettlementStep]()
    if exact % unit == 0:
        return exact.numerator, steps
    # The multiple below a stake under the minimum is 0, so such a stake is settled as if multiples were not required.
    if not question.limits.needs_multiples or is_under_minimum(question):
        return _round_to_unit(rule, exact, unit, "up", steps)
    minimum = question.limits.minimum_cents
    assert minimum is not None
    if live_cents % minimum:
        if rule.lower_multiple_of == "stake":
            floored = live_cents - live_cents % minimum
            exact = floored * odds
            steps.append(SettlementStep(SettlementStepKind.STAKE_FLOORED, rule.clause, floored, (minimum,)))
        else:
            exact = exact - exact % minimum
            steps.append(SettlementStep(SettlementStepKind.WINNINGS_FLOORED, rule.clause, exact.numerator, (minimum,)))
    return _round_to_unit(rule, exact, unit, rule.gap, steps)


def _round_to_unit(
    rule: Payable, exact: Fraction, unit: int, direction: str, steps: list[SettlementStep]
) -> tuple[int, list[SettlementStep]]:
    if exact % unit == 0:
        return exact.numerator, steps
    floor = unit * (exact // unit)
    if direction == "down":
        return floor, [*steps, SettlementStep(SettlementStepKind.ROUNDED_DOWN, rule.clause, floor, (exact, unit))]
    return floor + unit, [
        *steps,
        SettlementStep(SettlementStepKind.ROUNDED_UP, rule.clause, floor + unit, (exact, unit)),
    ]


def validate_limits(limits: WagerLimits) -> WagerLimits:
    """Returns the limits if they are consistent: minimum not above maximum, and a minimum if multiples are required."""
    low, high = limits.minimum_cents, limits.maximum_cents
    if low is not None and high is not None and low > high:
        raise EngineError(ErrorCode.BAD_LIMITS, f"the minimum {low} is above the maximum {high}")
    if limits.needs_multiples and low is None:
        raise EngineError(ErrorCode.BAD_LIMITS, "multiples are asked for, but of no minimum: expected limits.min")
    return limits
