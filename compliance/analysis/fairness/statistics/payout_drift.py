"""Money returned against the exact average, for dice, cards and Super Streak, by table, bet and gaming day.

The test is a betting score (e-value): `p_value` is its upper bound for fair play.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import exp, log, sqrt

import numpy as np
from numpy.typing import NDArray

from compliance.audit.context.limits import outside_limits
from compliance.audit.context.pay_sheets import LOSE, WIN, PaySheet
from compliance.audit.context.round_columns import RoundColumns
from compliance.audit.totals.play_totals import TOKEN_TENDER
from rounds.engine import BET_CODES, BET_INDEX, OUTCOMES, Rules, odds
from rounds.intake.columns.round_encoding import STREAK_BET_CODES, Flags

FloatArray = NDArray[np.float64]

# The betting score is the growth of an imaginary purse that bets at fair odds on too much or too little money returned.
# Under fair play its expectation stays 1, so the probability that it ever reaches 1,000 is at most 1/1,000, however
# stakes depend on earlier results and however skewed the odds are.
# Scales of its bets, per cent of drift: from 1e-3 to 1e-9, on more and on less.
BET_SCALES = np.concatenate([sign * 10.0 ** -np.arange(3, 9.5, 0.5) for sign in (1, -1)])
# Half of the purse bets on wagers settled in one round; each streak bet has an equal share of the other half.
SINGLE_ROUND = "in-a-round"
PURSE_SHARES = {SINGLE_ROUND: 0.5, **{code: 0.5 / len(STREAK_BET_CODES) for code in sorted(STREAK_BET_CODES)}}
_IS_STREAK = np.array([code in STREAK_BET_CODES for code in BET_CODES])
DICE, CARDS, CARDS_UNKNOWN, STREAK = "dice", "cards", "cards-unknown", "streak"


@dataclass
class BetDrift:
    """Figures of one bet. `lowest` and `highest` differ from `expected` only where the number of decks is unknown: the
    range over the numbers of decks that the rules allow."""

    basis: str
    staked: int = 0
    returned: int = 0
    expected: Fraction = Fraction(0)
    lowest: Fraction = Fraction(0)
    highest: Fraction = Fraction(0)
    variance: float = 0.0

    def add(self, other: BetDrift) -> None:
        for name in ("staked", "returned", "expected", "lowest", "highest", "variance"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass
class TableDrift:
    """Figures of one table. `variance` covers all wagers settled in one round; `growth` is the log growth of the purse,
    by scale."""

    rounds: int = 0
    variance: float = 0.0
    bets: dict[tuple[str, str], BetDrift] = field(default_factory=dict)
    growth: dict[str, FloatArray] = field(default_factory=lambda: defaultdict(lambda: np.zeros(len(BET_SCALES))))

    def bet(self, code: str, basis: str) -> BetDrift:
        return self.bets.setdefault((code, basis), BetDrift(basis))

    def add(self, other: TableDrift) -> None:
        self.rounds += other.rounds
        self.variance += other.variance
        for key, drift in other.bets.items():
            self.bet(*key).add(drift)
        for part, growth in other.growth.items():
            self.growth[part] = self.growth[part] + growth

    @property
    def deviation(self) -> float:
        """Standard deviation in cents. Streaks depend on the same results as other bets, so deviations are added, which
        is an upper bound."""
        streaks = (drift.variance for (_, basis), drift in self.bets.items() if basis == STREAK)
        return sqrt(self.variance) + sum(map(sqrt, streaks))

    @property
    def staked(self) -> int:
        return sum(bet.staked for bet in self.bets.values())

    @property
    def returned(self) -> int:
        return sum(bet.returned for bet in self.bets.values())

    @property
    def expected(self) -> Fraction:
        return sum((bet.expected for bet in self.bets.values()), start=Fraction(0))


def log_betting_score(growth: Mapping[str, Sequence[float] | FloatArray]) -> float:
    """Log of the purse: the average over all scales and shares."""
    parts = [log(share) + _log_mean(np.asarray(growth.get(part, np.zeros(1)))) for part, share in PURSE_SHARES.items()]
    return float(np.logaddexp.reduce(parts))


def _log_mean(growth: FloatArray) -> float:
    return float(np.logaddexp.reduce(growth)) - log(len(growth))


def p_value(growth: Mapping[str, Sequence[float] | FloatArray]) -> float:
    """Upper bound of the probability that fair play ever fills the purse this far."""
    return min(1.0, exp(-max(log_betting_score(growth), 0.0)))


def drift_by_table(columns: RoundColumns, selected: Flags, decks: Mapping[str, int]) -> dict[str, TableDrift]:
    """Of the selected rounds, by table. `decks`: the number of decks stated for a table's shoe."""
    found: dict[str, TableDrift] = defaultdict(TableDrift)
    decided = selected & ~columns.are_void & (columns.outcomes >= 0)
    for part in columns.parts:
        own = decided[part.round_slice]
        settled = part.repeat_per_wager(own) & ((part.verdicts == WIN) | (part.verdicts == LOSE))
        settled &= (part.wagers["tender"] != TOKEN_TENDER) & (part.wager_terms.of_wager >= 0)
        for table, place in sorted({*zip(part.table_of[own].tolist(), part.governed_by[own].tolist(), strict=True)}):
            here = own & (part.table_of == table) & (part.governed_by == place)
            into = found[columns.tables[table]]
            into.rounds += int(here.sum())
            if place >= 0:
                _add_single_round_drift(part, here, settled, decks.get(columns.tables[table]), into)
                _add_streak_drift(part, here, settled, into)
    return dict(found)


def _settled_boxes(sheet: PaySheet) -> NDArray[np.bool_]:
    return sheet.settles


def _add_single_round_drift(
    part: RoundColumns, here: Flags, settled: Flags, decks: int | None, into: TableDrift
) -> None:
    chosen = settled & part.repeat_per_wager(here) & part.wager_terms.lookup_cells(_settled_boxes, False)
    if part.are_outside_limits.any():
        chosen &= ~outside_limits(part, chosen)
    if not chosen.any():
        return
    places = np.unique(part.wager_terms.of_wager[chosen]).tolist()
    sheets = [part.wager_terms.known[place].sheet for place in places]
    basis, stated = _result_basis(sheets[0].rules, decks)
    numbers = np.flatnonzero(here)
    round_of = np.searchsorted(numbers, part.round_indexes[chosen])
    box = np.searchsorted(places, part.wager_terms.of_wager[chosen]) * len(BET_CODES) + part.bets[chosen]
    width = len(sheets) * len(BET_CODES)
    staked = np.bincount(round_of * width + box, part.stakes[chosen], len(numbers) * width).reshape(-1, width)
    pays, chances = _returns_and_chances(tuple(sheets), stated)
    beyond = staked @ (pays - chances @ pays).T
    returned = np.bincount(round_of, np.maximum(part.returned[chosen], 0), len(numbers))
    drifts = returned - staked @ (chances @ pays)
    variance = np.square(beyond) @ chances
    into.variance += float(variance.sum())
    if basis != CARDS_UNKNOWN:
        into.growth[SINGLE_ROUND] = into.growth[SINGLE_ROUND] + betting_score_growth(drifts.sum(), beyond, chances)
    of_box = (chances @ np.square(pays) - np.square(chances @ pays)) * np.square(staked).sum(axis=0)
    _add_bet_drifts(part, chosen, box, sheets, (basis, stated), of_box, into)


def _add_bet_drifts(
    part: RoundColumns,
    chosen: Flags,
    box: NDArray[np.int64],
    sheets: Sequence[PaySheet],
    on: tuple[str, int | None],
    variances: FloatArray,
    into: TableDrift,
) -> None:
    stakes, returned = part.stakes[chosen], np.maximum(part.returned[chosen], 0)
    for each in np.unique(box).tolist():
        own, sheet, bet = box == each, sheets[each // len(BET_CODES)], each % len(BET_CODES)
        amount, (low, rate, high) = int(stakes[own].sum()), exact_return(sheet, bet, *on)
        drift = BetDrift(
            on[0], amount, int(returned[own].sum()), amount * rate, amount * low, amount * high, float(variances[each])
        )
        into.bet(BET_CODES[bet], on[0]).add(drift)


def _result_basis(rules: Rules, decks: int | None) -> tuple[str, int | None]:
    """What results are drawn from. Cards with an unknown number of decks are treated as an endless shoe, which is like
    dice."""
    if rules.pack.conduct.cards is None:
        return DICE, None
    return (CARDS, decks) if decks in odds.deck_counts(rules.pack) else (CARDS_UNKNOWN, None)


@lru_cache(maxsize=1024)
def exact_return(sheet: PaySheet, bet: int, basis: str, decks: int | None) -> tuple[Fraction, Fraction, Fraction]:
    """The exact average return of a stake, between its lowest and highest possible value."""
    pays = [
        Fraction(int(won), int(below))
        for won, below in zip(sheet.payout_numerator[:, bet], sheet.denominator[:, bet], strict=True)
    ]
    pack = sheet.rules.pack
    rate = _mean_return(
        pays,
        odds.outcome_probabilities(pack, decks) if basis == CARDS else (Fraction(1, len(OUTCOMES)),) * len(OUTCOMES),
    )
    if basis != CARDS_UNKNOWN:
        return rate, rate, rate
    every = [_mean_return(pays, odds.outcome_probabilities(pack, number)) for number in odds.deck_counts(pack)]
    return min(*every, rate), rate, max(*every, rate)


def _mean_return(pays: Sequence[Fraction], chances: Sequence[Fraction]) -> Fraction:
    return sum((pay * chance for pay, chance in zip(pays, chances, strict=True) if pay), start=Fraction(0))


@lru_cache(maxsize=256)
def _returns_and_chances(sheets: tuple[PaySheet, ...], decks: int | None) -> tuple[FloatArray, FloatArray]:
    """Return of a stake on each box at each distinct result, and the probability of that result."""
    pays = np.hstack([sheet.payout_numerator / sheet.denominator for sheet in sheets])
    chances = (
        np.full(len(OUTCOMES), 1 / len(OUTCOMES))
        if decks is None
        else np.array([float(chance) for chance in odds.outcome_probabilities(sheets[0].rules.pack, decks)])
    )
    results, which = np.unique(pays, axis=0, return_inverse=True)
    return results, np.asarray(np.bincount(which.ravel(), chances, len(results)), np.float64)


def betting_score_growth(drift: float, beyond: FloatArray, chances: FloatArray) -> FloatArray:
    """Log growth of the purse at each scale: what the drift won, minus the price of the bet at fair odds."""
    costs = []
    for scale in BET_SCALES.tolist():
        exponents = scale * beyond
        most = exponents.max(axis=1)
        costs.append(float((most + np.log(np.exp(exponents - most[:, None]) @ chances)).sum()))
    return np.asarray(BET_SCALES * drift - np.array(costs))


# --- Super Streak ---------------------------------------------------------------------------------------------------


def _add_streak_drift(part: RoundColumns, here: Flags, settled: Flags, into: TableDrift) -> None:
    """Wagers on the same streak that end in one round are correlated. They are treated as one wager, which never
    understates the variance."""
    chosen = settled & part.repeat_per_wager(here) & _IS_STREAK[part.bets]
    for bet, terms in sorted(
        {*zip(part.bets[chosen].tolist(), part.wager_terms.of_wager[chosen].tolist(), strict=True)}
    ):
        code, rules = BET_CODES[bet], part.wager_terms.known[terms].sheet.rules
        if not rules.approves_bet(code):
            continue
        own = chosen & (part.bets == bet) & (part.wager_terms.of_wager == terms)
        staked = np.bincount(part.round_indexes[own], part.stakes[own])
        staked = staked[staked > 0]
        returned, amount = int(np.maximum(part.returned[own], 0).sum()), int(part.stakes[own].sum())
        gives, chances, rate = _streak_returns(rules, code)
        beyond = np.outer(staked, gives - float(rate))
        variance = float((np.square(beyond) @ chances).sum())
        drift = BetDrift(STREAK, amount, returned, amount * rate, amount * rate, amount * rate, variance)
        into.bet(code, STREAK).add(drift)
        into.growth[code] = into.growth[code] + betting_score_growth(returned - float(amount * rate), beyond, chances)


@lru_cache(maxsize=256)
def _streak_returns(rules: Rules, code: str) -> tuple[FloatArray, FloatArray, Fraction]:
    ends = odds.streak_returns(rules, code)
    rate = sum((returned * chance for returned, chance in ends), start=Fraction(0))
    return np.array([float(each) for each, _ in ends]), np.array([float(chance) for _, chance in ends]), rate


def sorted_bets(bets: Mapping[tuple[str, str], BetDrift]) -> Iterator[tuple[str, BetDrift]]:
    for (code, _), drift in sorted(bets.items(), key=lambda item: (BET_INDEX[item[0][0]], item[0][1])):
        yield code, drift
