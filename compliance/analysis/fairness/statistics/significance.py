"""Significance levels: the probability of any false signal is at most 1 % per year and casino.

All tests due on a gaming day share the day's level by Holm's method, so the bound holds for any number of tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

LEVEL_PER_YEAR = Fraction(1, 100)
# Each of at most 366 gaming days gets an equal share of the year's level.
DAYS_PER_YEAR = 366
# At small levels chi-square understates the p-value: by a quarter at the fewest rounds (computed exactly). Half is
# reserved.
RESERVED_SHARE = Fraction(1, 2)
LEVEL_PER_DAY = LEVEL_PER_YEAR / DAYS_PER_YEAR * RESERVED_SHARE
# A subject is tested again only when its rounds have doubled, so that few tests share a day's level.
FIRST_TEST_ROUNDS = 200


def rounds_due(rounds: int, tested_rounds: int) -> int:
    """The largest of 200, 400, 800, … rounds that were played and not yet tested; 0 if none is due."""
    size = 0
    reached = FIRST_TEST_ROUNDS
    while reached <= rounds:
        size, reached = reached, reached * 2
    return size if size > tested_rounds else 0


def next_test_at(tested_rounds: int) -> int:
    return tested_rounds * 2 if tested_rounds else FIRST_TEST_ROUNDS


def holm_levels(p_values: Sequence[float], level: Fraction = LEVEL_PER_DAY) -> list[tuple[Fraction, bool]]:
    """Holm's method: the level of each test, and whether it is below. The smallest p-value is compared with the level
    divided by the number of tests, the next by one less, and so on; after the first that is not below, none is."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    found: list[tuple[Fraction, bool]] = [(level, False)] * len(p_values)
    is_below = True
    for rank, place in enumerate(order):
        own = level / (len(p_values) - rank)
        is_below = is_below and p_values[place] <= own
        found[place] = own, is_below
    return found
