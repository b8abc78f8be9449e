"""Areas of a layout that light up for a result, and when the lights do not show which result counted."""

from __future__ import annotations

from collections.abc import Collection

from rounds.engine.bets.dice_outcomes import Outcome, outcome_index
from rounds.engine.pack.compiled_rules import Rules


def find_winning_areas(rules: Rules, offered: frozenset[str], outcome: Outcome) -> frozenset[str]:
    """The offered bets that this result pays: the areas that must light up."""
    index = outcome_index(outcome)
    return frozenset(
        code for code, rule in rules.bets.items() if code in offered and rule.by_outcome[index] is not None
    )


def are_lights_inconclusive(
    rules: Rules, offered: frozenset[str], lit: Collection[str], rolled: Outcome, called: Outcome
) -> bool:
    """True if nothing lit up, or if the called result differs from the dice and the lights match neither of them."""
    if not lit or sorted(rolled) == sorted(called):
        return not lit
    return frozenset(lit) not in {find_winning_areas(rules, offered, faces) for faces in (rolled, called)}
