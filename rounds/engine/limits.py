"""Limits and payable amounts: the clip at the maximum, wagers under the minimum, and both regimes of rounding."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rounds.engine.errors import EngineError, ErrorCode
from rounds.engine.law import Law, Payable
from rounds.engine.settlement import Limits, Step, StepKind, WagerAsked


def live_stake(law: Law, asked: WagerAsked) -> tuple[int, list[Step]]:
    """The part of the stake that is in play. Where the document is silent on a maximum, all of it is."""
    rule, maximum = law.settlement.over_maximum, asked.limits.maximum_cents
    if rule is None or maximum is None or asked.stake_cents <= maximum:
        return asked.stake_cents, []
    if asked.was_found_later and rule.found_on_a_later_game == "stands":
        return asked.stake_cents, [Step(StepKind.FOUND_LATER, rule.clause, asked.stake_cents, (maximum,))]
    return maximum, [Step(StepKind.CLIPPED, rule.clause, asked.stake_cents - maximum, (maximum,))]


def live_stakes(stakes_cents: Sequence[int], maximum_cents: int) -> list[int]:
    """The live part of each of one player's wagers on one box, in the order placed: the last is clipped first."""
    live, room = [], maximum_cents
    for stake in stakes_cents:
        live.append(min(stake, room))
        room -= live[-1]
    return live


def is_under_minimum(asked: WagerAsked) -> bool:
    return asked.limits.minimum_cents is not None and asked.stake_cents < asked.limits.minimum_cents


def under_minimum_step(law: Law, asked: WagerAsked) -> Step | None:
    """What the document says on a stake under the minimum: it is settled, or after a warning it is handed back."""
    rule = law.settlement.under_minimum
    if rule is None or not is_under_minimum(asked):
        return None
    minimum = (asked.limits.minimum_cents or 0,)
    if rule.settled == "once-then-returned" and asked.was_warned:
        return Step(StepKind.UNDER_MINIMUM_RETURNED, rule.clause, asked.stake_cents, minimum)
    return Step(StepKind.UNDER_MINIMUM_SETTLED, rule.clause, asked.stake_cents, minimum)


def winnings(law: Law, asked: WagerAsked, live_cents: int, odds: Fraction) -> tuple[int, list[Step]]:
    """Whole cents won. Exact, unless the document knows a payable unit; a part of a cent is otherwise refused."""
    exact = live_cents * odds
    rule = law.settlement.payable
    if rule is not None:
        return _payable(rule, asked, live_cents, odds)
    if exact.denominator != 1:
        raise EngineError(
            ErrorCode.NOT_A_WHOLE_CENT,
            f"{live_cents} cents win {exact} cents, and this rule set does not say how to round a part of a cent",
        )
    return exact.numerator, []


def _payable(rule: Payable, asked: WagerAsked, live_cents: int, odds: Fraction) -> tuple[int, list[Step]]:
    """Winnings out of a float whose smallest chip is the payable unit."""
    unit = asked.limits.payable_unit_cents or rule.smallest_unit_cents
    exact, steps = live_cents * odds, list[Step]()
    if exact % unit == 0:
        return exact.numerator, steps
    # A stake under the minimum would be floored to nothing; it is settled as if no multiples were asked for.
    if not asked.limits.needs_multiples or is_under_minimum(asked):
        return _round(rule, exact, unit, "up", steps)
    minimum = asked.limits.minimum_cents
    assert minimum is not None
    if live_cents % minimum:
        if rule.lower_multiple_of == "stake":
            floored = live_cents - live_cents % minimum
            exact = floored * odds
            steps.append(Step(StepKind.STAKE_FLOORED, rule.clause, floored, (minimum,)))
        else:
            exact = exact - exact % minimum
            steps.append(Step(StepKind.WINNINGS_FLOORED, rule.clause, exact.numerator, (minimum,)))
    return _round(rule, exact, unit, rule.gap, steps)


def _round(rule: Payable, exact: Fraction, unit: int, way: str, steps: list[Step]) -> tuple[int, list[Step]]:
    if exact % unit == 0:
        return exact.numerator, steps
    floor = unit * (exact // unit)
    if way == "down":
        return floor, [*steps, Step(StepKind.ROUNDED_DOWN, rule.clause, floor, (exact, unit))]
    return floor + unit, [*steps, Step(StepKind.ROUNDED_UP, rule.clause, floor + unit, (exact, unit))]


def check_limits(limits: Limits) -> Limits:
    """Limits that could stand on a sign: amounts above nothing, the minimum not above the maximum."""
    low, high = limits.minimum_cents, limits.maximum_cents
    if low is not None and high is not None and low > high:
        raise EngineError(ErrorCode.BAD_LIMITS, f"the minimum {low} is above the maximum {high}")
    if limits.needs_multiples and low is None:
        raise EngineError(ErrorCode.BAD_LIMITS, "multiples are asked for, but of no minimum: expected limits.min")
    return limits
