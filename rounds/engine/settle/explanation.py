"""The steps of a settlement as sentences, each with its clause."""

from __future__ import annotations

from fractions import Fraction

from rounds.engine.bets.dice_outcomes import format_outcome
from rounds.engine.bets.odds_notation import format_odds
from rounds.engine.money import format_cents
from rounds.engine.settle.settlement import Settlement, SettlementStep, SettlementStepKind

_STEP_TEXTS: dict[SettlementStepKind, str] = {
    SettlementStepKind.NOT_IN_VERSION: "{0} is not a wager of {1}, pay table {2}.",
    SettlementStepKind.NOT_OFFERED: "{0} is in the rules but was not offered at this table.",
    SettlementStepKind.RESULT: "The result is {dice}.",
    SettlementStepKind.RESULT_BY_DICE: "The lights failed, so the dice decide: {dice}.",
    SettlementStepKind.RESULT_BY_CALL: "The lights failed, so the result called decides: {dice}.",
    SettlementStepKind.OUTCOME_ESTABLISHED: (
        "An outcome was established when play was interrupted (dice read: {0}): the round counts."
    ),
    SettlementStepKind.VOID_ROUND: "The round has no result ({0}).",
    SettlementStepKind.STAKE_RETURNED: "The stake of {amount} is returned.",
    SettlementStepKind.NOT_REGISTERED: "The bet was not registered: the stake of {amount} is returned.",
    SettlementStepKind.UNDER_MINIMUM_RETURNED: "Under the minimum of {money0} after a warning: {amount} is returned.",
    SettlementStepKind.UNDER_MINIMUM_SETTLED: "The stake of {amount} is under the minimum of {money0} and is settled.",
    SettlementStepKind.CLIPPED: "The stake counts up to the maximum of {money0}; {amount} is handed back.",
    SettlementStepKind.FOUND_LATER: (
        "Found above the maximum of {money0} on a later game: the stake of {amount} stands in full."
    ),
    SettlementStepKind.WINS: "{0} wins{level}.",
    SettlementStepKind.LOSES: "{0} loses.",
    SettlementStepKind.ODDS: "It pays {odds0}.",
    SettlementStepKind.ODDS_POSTED: "It pays the odds posted at the table, {odds0}.",
    SettlementStepKind.WINNINGS: "{money0} at {odds1} wins {amount}.",
    SettlementStepKind.STAKE_FLOORED: (
        "Winnings are worked out on {amount}, the lower multiple of the minimum of {money0}."
    ),
    SettlementStepKind.WINNINGS_FLOORED: "Winnings are lowered to {amount}, a multiple of the minimum of {money0}.",
    SettlementStepKind.ROUNDED_UP: "{money0} cannot be paid in units of {money1}: raised to {amount}.",
    SettlementStepKind.ROUNDED_DOWN: "{money0} cannot be paid in units of {money1}: lowered to {amount}.",
    SettlementStepKind.TOKEN_KEPT: "The promotional token of {amount} is not returned; its winnings are paid in chips.",
    SettlementStepKind.TOKEN_RETURNED: "The promotional token of {amount} is returned with its winnings.",
    SettlementStepKind.STREAK_DIRECTION: "The streak runs on {0}.",
    SettlementStepKind.STREAK_NEUTRAL: "Results that leave it where it is: {0}.",
    SettlementStepKind.STREAK_NO_RESULT: "Rounds without a result, which leave it where it is: {0}.",
    SettlementStepKind.STREAK_COUNT: "{0} in a row.",
    SettlementStepKind.STREAK_RUNNING: "The streak is still running at {0}.",
    SettlementStepKind.STREAK_FROZEN: "The round has no result: the streak stays at {0}.",
    SettlementStepKind.STREAK_ENDED: "The other side came up and ended the streak.",
    SettlementStepKind.STREAK_LONGEST: "The longest streak that pays was reached.",
    SettlementStepKind.STREAK_FAULT: "The equipment failed: the streak is deemed ended at {0}.",
    SettlementStepKind.STREAK_REFUNDED: "The stake of {amount} is returned.",
}


def step_text(step: SettlementStep) -> str:
    """The step as a sentence, without its clause."""
    return _STEP_TEXTS[step.kind].format(*step.figures, **_format_values(step))


def step_text_with_clause(step: SettlementStep) -> str:
    return f"{step_text(step)} [{step.clause}]" if step.clause else step_text(step)


def _format_values(step: SettlementStep) -> dict[str, str]:
    """The placeholders of _STEP_TEXTS with their values: each number is formatted both as money and as odds."""
    values = {"amount": "" if step.amount_cents is None else format_cents(step.amount_cents)}
    if step.kind is SettlementStepKind.WINS:
        # "win" is the only level of most wagers, so it is not shown.
        values["level"] = "" if step.figures[1] == "win" else f" ({step.figures[1]})"
    for index, figure in enumerate(step.figures):
        if isinstance(figure, tuple):
            values["dice"] = f"{format_outcome(figure)}, total {sum(figure)}"
        elif isinstance(figure, (int, Fraction)):
            values[f"money{index}"] = format_cents(figure)
            values[f"odds{index}"] = format_odds(Fraction(figure))
    return values


def explain_settlement(settlement: Settlement, due_cents: int | None = None) -> tuple[str, ...]:
    """One sentence per step; the last sentence states the amount due. `due_cents` where it is not what the box gives:
    money added late is due as well, a forfeited wager is due nothing."""
    last = {
        "open": "Nothing is due yet.",
        "unapproved": "The rules give no verdict on it.",
    }.get(settlement.verdict.value)
    if last is None:
        due = due_cents if due_cents is not None else settlement.returned_cents or 0
        last = f"Due: {format_cents(due)}."
    return (*map(step_text_with_clause, settlement.steps), last)
