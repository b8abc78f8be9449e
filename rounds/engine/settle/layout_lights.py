"""Which areas of a layout light up for a result, and when the lights are no guide to it."""

from __future__ import annotations

from collections.abc import Collection

from rounds.engine.bets.dice_outcomes import Outcome, outcome_index
from rounds.engine.pack.compiled_rules import Rules


def find_winning_areas(rules: Rules, offered: frozenset[str], outcome: Outcome) -> frozenset[str]:
    """The offered areas that this result pays."""
    place = outcome_index(outcome)
    return frozenset(
        code for code, rule in rules.bets.items() if code in offered and rule.by_outcome[place] is not None
    )


def are_lights_inconclusive(
    rules: Rules, offered: frozenset[str], lit: Collection[str], rolled: Outcome, called: Outcome
) -> bool:
    """None lit up; or, where another result was called than lay there, they are neither's."""
    if not lit or sorted(rolled) == sorted(called):
        return not lit
    return frozenset(lit) not in {find_winning_areas(rules, offered, faces) for faces in (rolled, called)}
