"""Simulates tables with fair dice that return too much or too little, with the test of money that real ones go through.

Each round has ten wagers of ten dollars: half on big and small, the rest spread over all other boxes. A leaking table
returns some losing stakes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from compliance.analysis.fairness.simulation.loaded_dice import TrialResult
from compliance.analysis.fairness.statistics.payout_drift import (
    BET_SCALES,
    SINGLE_ROUND,
    FloatArray,
    betting_score_growth,
    p_value,
)
from compliance.analysis.fairness.statistics.significance import FIRST_TEST_ROUNDS, holm_levels
from compliance.audit.context.pay_sheets import pay_sheet_for
from rounds.engine import BET_CODES, BET_INDEX, compile_rules
from rounds.rulepacks import shipped_packs

RULE_SLUG = "nsw-sic-bo"
WAGERS, STAKE_CENTS = 10, 1_000
EVEN_MONEY_BETS = ("big", "small")


@dataclass(frozen=True)
class PayoutLeak:
    """Percentage of all stakes returned beyond what is due; negative: withheld from it."""

    slug: str
    label: str
    points: float

    @property
    def is_fair(self) -> bool:
        return self.points == 0


NO_LEAK = PayoutLeak("honest", "As due", 0)
LEAK_TWO_POINTS = PayoutLeak("two-points", "Two cents of each dollar staked too much", 2)
LEAK_FIVE_POINTS = PayoutLeak("five-points", "Five cents of each dollar staked too much", 5)
LEAK_TEN_POINTS = PayoutLeak("ten-points", "Ten cents of each dollar staked too much", 10)
WITHHOLD_TEN_POINTS = PayoutLeak("ten-kept", "Ten cents of each dollar staked too little", -10)
ALL_LEAKS = (NO_LEAK, LEAK_TWO_POINTS, LEAK_FIVE_POINTS, LEAK_TEN_POINTS, WITHHOLD_TEN_POINTS)


@dataclass(frozen=True)
class BoxReturns:
    """Return of a stake on each box at each result, the probability of each result, and the share of stakes on each
    box."""

    pays: FloatArray
    chances: FloatArray
    laid: FloatArray


def box_returns() -> BoxReturns:
    pack = shipped_packs().find(RULE_SLUG)
    readings = {name: reading.default for name, reading in pack.readings.items()}
    rules = compile_rules(pack, next(iter(pack.law.pay_table)), readings)
    sheet = pay_sheet_for(rules, frozenset(BET_CODES), ())
    settled = np.flatnonzero(sheet.settles)
    pays = (sheet.payout_numerator / sheet.denominator)[:, settled]
    results, which = np.unique(pays, axis=0, return_inverse=True)
    even = np.isin(settled, [BET_INDEX[code] for code in EVEN_MONEY_BETS])
    laid = np.where(even, 0.5 / even.sum(), 0.5 / (~even).sum())
    return BoxReturns(results, np.bincount(which.ravel(), minlength=len(results)) / len(which), laid)


def simulate_tables(leak: PayoutLeak, *, tables: int, most: int, seed: int) -> TrialResult:
    """All tables are tested on the same days, each time their rounds have doubled, and share one day's level."""
    rng, on = np.random.default_rng(seed), box_returns()
    growth, signalled = [np.zeros(len(BET_SCALES)) for _ in range(tables)], list[int | None]([None] * tables)
    size, played = FIRST_TEST_ROUNDS, 0
    while size <= most:
        growth = [each + simulate_growth(on, leak, size - played, rng) for each in growth]
        levels = holm_levels([p_value({SINGLE_ROUND: each}) for each in growth])
        for place, (_, is_below) in enumerate(levels):
            if is_below and signalled[place] is None:
                signalled[place] = size
        size, played = size * 2, size
    return TrialResult(leak, most, signalled)


def simulate_growth(on: BoxReturns, leak: PayoutLeak, rounds: int, rng: np.random.Generator) -> FloatArray:
    """Growth of the betting score by this many rounds."""
    staked = rng.multinomial(WAGERS, on.laid, rounds) * STAKE_CENTS
    result = rng.choice(len(on.chances), rounds, p=on.chances)
    given = on.pays[result]
    average = on.chances @ on.pays
    touched = given == 0 if leak.points > 0 else given > 0
    share = float(on.chances @ ((on.pays == 0) if leak.points > 0 else (on.pays > 0)) @ on.laid)
    counts = (staked * touched).sum(axis=1) // STAKE_CENTS
    moved = rng.binomial(counts, abs(leak.points) / 100 / share) * STAKE_CENTS * np.sign(leak.points)
    drifts = (staked * given).sum(axis=1) + moved - staked @ average
    return betting_score_growth(float(drifts.sum()), staked @ (on.pays - average).T, on.chances)
