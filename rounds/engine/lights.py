"""Which areas of a layout light up for a result, and when the lights are no guide to it."""

from __future__ import annotations

from collections.abc import Collection

from rounds.engine.outcomes import Outcome, index_of
from rounds.engine.rules import Rules


def winning_under(rules: Rules, offered: frozenset[str], outcome: Outcome) -> frozenset[str]:
    """The offered areas that this result pays."""
    place = index_of(outcome)
    return frozenset(
        code for code, rule in rules.bets.items() if code in offered and rule.by_outcome[place] is not None
    )


def are_no_guide(rules: Rules, offered: frozenset[str], lit: Collection[str], lay: Outcome, called: Outcome) -> bool:
    """None lit up; or, where another result was called than lay there, they are neither's."""
    if not lit or sorted(lay) == sorted(called):
        return not lit
    return frozenset(lit) not in {winning_under(rules, offered, faces) for faces in (lay, called)}
