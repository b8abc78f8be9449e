"""The payout matrix: numpy arrays of the odds by outcome and bet, for checking many settlements at once.

Columns are the canonical bet codes, the same for every pack, so encoded rounds index them without a lookup.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rounds.engine.bets.bet_codes import BET_CODES, BET_INDEX
from rounds.engine.bets.dice_outcomes import OUTCOMES
from rounds.engine.pack.compiled_rules import Rules

IntArray: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PayoutMatrix:
    """`numerator[outcome, bet] / denominator[outcome, bet]` is what one cent wins; 0/1 where the bet loses.

    `settles_in_a_round[bet]` is False for bets that are not approved and for streaks, which a matrix cannot settle.
    `has_minimum_odds[bet]` marks bets whose odds are minimums: the posted odds decide what they pay.
    """

    numerator: IntArray
    denominator: IntArray
    settles_in_a_round: NDArray[np.bool_]
    has_minimum_odds: NDArray[np.bool_]


@lru_cache(maxsize=256)
def build_payout_matrix(rules: Rules) -> PayoutMatrix:
    shape = (len(OUTCOMES), len(BET_CODES))
    numerator, denominator = np.zeros(shape, np.int64), np.ones(shape, np.int64)
    settles, floors = np.zeros(len(BET_CODES), np.bool_), np.zeros(len(BET_CODES), np.bool_)
    for code, rule in rules.bets.items():
        column = BET_INDEX[code]
        settles[column] = True
        floors[column] = any(pay.is_minimum for pay in rule.levels)
        for row, pay in enumerate(rule.by_outcome):
            if pay is not None:
                numerator[row, column], denominator[row, column] = pay.odds.numerator, pay.odds.denominator
    for array in (numerator, denominator, settles, floors):
        array.flags.writeable = False
    return PayoutMatrix(numerator, denominator, settles, floors)


def compute_returned_cents(
    matrix: PayoutMatrix, outcomes: IntArray, bets: IntArray, stakes: IntArray
) -> tuple[IntArray, IntArray]:
    """The amount returned for each wager, and the fraction of a cent left over (in units of 1/denominator, 0 if exact).

    Plain settlement: no limits, tokens or posted odds. Callers pass only bets with `settles_in_a_round`.
    """
    won, below = matrix.numerator[outcomes, bets], matrix.denominator[outcomes, bets]
    winnings, left_over = np.divmod(stakes * won, below)
    return np.where(won > 0, stakes + winnings, 0), left_over
