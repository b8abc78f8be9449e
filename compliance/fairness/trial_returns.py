"""Simulated tables whose dice are fair and whose money is not, through the test of the money that real ones go through.

Each round has ten wagers of ten dollars, half of them on big and small, the rest on all other boxes alike. Where a
table leaks, some losing stakes are handed back.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from compliance.audit.terms import sheet_of
from compliance.fairness.drift import IN_A_ROUND, SCALES, Floats, growth_of, p_value
from compliance.fairness.levels import FIRST_LOOK, share_out
from compliance.fairness.trial import Tried
from rounds.engine.bets import BET_CODES, BET_INDEX
from rounds.engine.rules import rules_for
from rounds.rulepacks import shipped_packs

RULES = "nsw-sic-bo"
WAGERS, STAKE_CENTS = 10, 1_000
EVEN_MONEY = ("big", "small")


@dataclass(frozen=True)
class Leak:
    """How many hundredths of all stakes are handed back beyond what is due; below nothing: kept of what is due."""

    slug: str
    words: str
    points: float

    @property
    def is_fair(self) -> bool:
        return self.points == 0


HONEST = Leak("honest", "As due", 0)
TWO_POINTS = Leak("two-points", "Two cents of each dollar staked too much", 2)
FIVE_POINTS = Leak("five-points", "Five cents of each dollar staked too much", 5)
TEN_POINTS = Leak("ten-points", "Ten cents of each dollar staked too much", 10)
TEN_KEPT = Leak("ten-kept", "Ten cents of each dollar staked too little", -10)
EVERY = (HONEST, TWO_POINTS, FIVE_POINTS, TEN_POINTS, TEN_KEPT)


@dataclass(frozen=True)
class Boxes:
    """What a stake on each box gives back at each result, how likely the result is, how likely a stake lies there."""

    pays: Floats
    chances: Floats
    laid: Floats


def boxes() -> Boxes:
    pack = shipped_packs().find(RULES)
    readings = {name: reading.default for name, reading in pack.readings.items()}
    rules = rules_for(pack, next(iter(pack.law.pay_table)), readings)
    sheet = sheet_of(rules, frozenset(BET_CODES), ())
    settled = np.flatnonzero(sheet.settles)
    pays = (sheet.gives / sheet.denominator)[:, settled]
    results, which = np.unique(pays, axis=0, return_inverse=True)
    even = np.isin(settled, [BET_INDEX[code] for code in EVEN_MONEY])
    laid = np.where(even, 0.5 / even.sum(), 0.5 / (~even).sum())
    return Boxes(results, np.bincount(which.ravel(), minlength=len(results)) / len(which), laid)


def try_tables(leak: Leak, *, tables: int, most: int, seed: int) -> Tried:
    """All are looked at on the same days, each time their rounds have doubled, and share one day's level."""
    rng, on = np.random.default_rng(seed), boxes()
    growth, signalled = [np.zeros(len(SCALES)) for _ in range(tables)], list[int | None]([None] * tables)
    size, played = FIRST_LOOK, 0
    while size <= most:
        growth = [each + play(on, leak, size - played, rng) for each in growth]
        judged = share_out([p_value({IN_A_ROUND: each}) for each in growth])
        for place, (_, is_below) in enumerate(judged):
            if is_below and signalled[place] is None:
                signalled[place] = size
        size, played = size * 2, size
    return Tried(leak, most, signalled)


def play(on: Boxes, leak: Leak, rounds: int, rng: np.random.Generator) -> Floats:
    """What so many rounds add to the purse."""
    staked = rng.multinomial(WAGERS, on.laid, rounds) * STAKE_CENTS
    result = rng.choice(len(on.chances), rounds, p=on.chances)
    given = on.pays[result]
    average = on.chances @ on.pays
    touched = given == 0 if leak.points > 0 else given > 0
    share = float(on.chances @ ((on.pays == 0) if leak.points > 0 else (on.pays > 0)) @ on.laid)
    counts = (staked * touched).sum(axis=1) // STAKE_CENTS
    moved = rng.binomial(counts, abs(leak.points) / 100 / share) * STAKE_CENTS * np.sign(leak.points)
    drifts = (staked * given).sum(axis=1) + moved - staked @ average
    return growth_of(float(drifts.sum()), staked @ (on.pays - average).T, on.chances)
