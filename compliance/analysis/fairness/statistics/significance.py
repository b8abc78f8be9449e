"""How rare something must be before it is signalled: one chance in a hundred a year and casino, whatever is examined.

A year has at most 366 gaming days, and each may use a 366th of it. All tests that fall due on a day share the day's
part (Holm). A subject is looked at only as its rounds double, so that few tests share it. So the chance that a casino
whose dice are all fair gets any signal in a year is at most that, however many sets, tests and looks there were.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

LEVEL_PER_YEAR = Fraction(1, 100)
DAYS_PER_YEAR = 366
# Far out, chi-square says too little: by a quarter at the fewest rounds (worked out exactly). Half is kept in reserve.
RESERVED_SHARE = Fraction(1, 2)
LEVEL_PER_DAY = LEVEL_PER_YEAR / DAYS_PER_YEAR * RESERVED_SHARE
FIRST_TEST_ROUNDS = 200


def rounds_due(rounds: int, tested_rounds: int) -> int:
    """The largest of 200, 400, 800, … rounds that were played and not looked at yet; 0 if none is due."""
    size = 0
    reached = FIRST_TEST_ROUNDS
    while reached <= rounds:
        size, reached = reached, reached * 2
    return size if size > tested_rounds else 0


def next_test_at(tested_rounds: int) -> int:
    return tested_rounds * 2 if tested_rounds else FIRST_TEST_ROUNDS


def holm_levels(p_values: Sequence[float], level: Fraction = LEVEL_PER_DAY) -> list[tuple[Fraction, bool]]:
    """Holm: of each test the level that it is held to, and whether it is below. The smallest is held to the level
    divided by their number, the next to that divided by one less; from the first that is not below, none is."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    found: list[tuple[Fraction, bool]] = [(level, False)] * len(p_values)
    is_below = True
    for rank, place in enumerate(order):
        own = level / (len(p_values) - rank)
        is_below = is_below and p_values[place] <= own
        found[place] = own, is_below
    return found
