"""What players got back against the exact average: dice, cards and Super Streak, by table, bet and gaming day.

Besides the deviation there is a purse for each table: a gambler of thought who bets at fair odds that more, or less,
comes back than the average. Fair play cannot be expected to fill it, however stakes follow earlier results and
however lopsided the odds are. So the chance that it ever holds a thousandfold is at most one in a thousand.
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

from compliance.audit.columns import Columns
from compliance.audit.limits import outside_limits
from compliance.audit.packing import STREAKS, Flags
from compliance.audit.summing import TOKEN
from compliance.audit.terms import LOSE, WIN, Sheet
from rounds.engine.bets import BET_CODES, BET_INDEX
from rounds.engine.edges import chances_of, decks_of, streak_returns
from rounds.engine.outcomes import OUTCOMES
from rounds.engine.rules import Rules

Floats = NDArray[np.float64]

# How boldly the gambler bets: a part in a thousand to a thousand million cents, on more and on less.
SCALES = np.concatenate([sign * 10.0 ** -np.arange(3, 9.5, 0.5) for sign in (1, -1)])
# Half of the purse goes on what is settled in a round; each streak bet has its share of the other half.
IN_A_ROUND = "in-a-round"
SHARES = {IN_A_ROUND: 0.5, **{code: 0.5 / len(STREAKS) for code in sorted(STREAKS)}}
_IS_STREAK = np.array([code in STREAKS for code in BET_CODES])
DICE, CARDS, CARDS_UNKNOWN, STREAK = "dice", "cards", "cards-unknown", "streak"


@dataclass
class BetDrift:
    """Of one bet. `lowest` and `highest` differ from `expected` only where the shoe's decks are not known: what the
    decks that the rules allow would give."""

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
    """Of one table. `variance` is of all that is settled in a round together; `growth` is the purse's, as a logarithm,
    for each scale."""

    rounds: int = 0
    variance: float = 0.0
    bets: dict[tuple[str, str], BetDrift] = field(default_factory=dict)
    growth: dict[str, Floats] = field(default_factory=lambda: defaultdict(lambda: np.zeros(len(SCALES))))

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
        """In cents. Streaks hang on the results of the same rounds as other bets: what may go together is added."""
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


def purse(growth: Mapping[str, Sequence[float] | Floats]) -> float:
    """How many times over the gambler's purse is filled, as a logarithm: an average over all ways to bet."""
    parts = [log(share) + _average(np.asarray(growth.get(part, np.zeros(1)))) for part, share in SHARES.items()]
    return float(np.logaddexp.reduce(parts))


def _average(growth: Floats) -> float:
    return float(np.logaddexp.reduce(growth)) - log(len(growth))


def p_value(growth: Mapping[str, Sequence[float] | Floats]) -> float:
    """At most the chance that fair play ever fills the purse so far."""
    return min(1.0, exp(-max(purse(growth), 0.0)))


def drift_of(columns: Columns, wanted: Flags, decks: Mapping[str, int]) -> dict[str, TableDrift]:
    """Of the wanted rounds, by table. `decks` are those stated for a table's shoe."""
    found: dict[str, TableDrift] = defaultdict(TableDrift)
    decided = wanted & ~columns.are_void & (columns.outcomes >= 0)
    for part in columns.parts:
        own = decided[part.rounds]
        settled = part.spread(own) & ((part.verdicts == WIN) | (part.verdicts == LOSE))
        settled &= (part.wagers["tender"] != TOKEN) & (part.terms.of_wager >= 0)
        for table, place in sorted({*zip(part.table_of[own].tolist(), part.governed_by[own].tolist(), strict=True)}):
            here = own & (part.table_of == table) & (part.governed_by == place)
            into = found[columns.tables[table]]
            into.rounds += int(here.sum())
            if place >= 0:
                _in_a_round(part, here, settled, decks.get(columns.tables[table]), into)
                _streaks(part, here, settled, into)
    return dict(found)


def _settles(sheet: Sheet) -> NDArray[np.bool_]:
    return sheet.settles


def _in_a_round(part: Columns, here: Flags, settled: Flags, decks: int | None, into: TableDrift) -> None:
    chosen = settled & part.spread(here) & part.terms.look_up(_settles, False)
    if part.outside.any():
        chosen &= ~outside_limits(part, chosen)
    if not chosen.any():
        return
    places = np.unique(part.terms.of_wager[chosen]).tolist()
    sheets = [part.terms.known[place].sheet for place in places]
    basis, stated = _basis(sheets[0].rules, decks)
    numbers = np.flatnonzero(here)
    round_of = np.searchsorted(numbers, part.round_of[chosen])
    box = np.searchsorted(places, part.terms.of_wager[chosen]) * len(BET_CODES) + part.bets[chosen]
    width = len(sheets) * len(BET_CODES)
    staked = np.bincount(round_of * width + box, part.stakes[chosen], len(numbers) * width).reshape(-1, width)
    pays, chances = _pays(tuple(sheets), stated)
    beyond = staked @ (pays - chances @ pays).T
    returned = np.bincount(round_of, np.maximum(part.returned[chosen], 0), len(numbers))
    drifts = returned - staked @ (chances @ pays)
    variance = np.square(beyond) @ chances
    into.variance += float(variance.sum())
    if basis != CARDS_UNKNOWN:
        into.growth[IN_A_ROUND] = into.growth[IN_A_ROUND] + growth_of(drifts.sum(), beyond, chances)
    of_box = (chances @ np.square(pays) - np.square(chances @ pays)) * np.square(staked).sum(axis=0)
    _add_bets(part, chosen, box, sheets, (basis, stated), of_box, into)


def _add_bets(
    part: Columns, chosen: Flags, box: NDArray[np.int64], sheets: Sequence[Sheet], on: tuple[str, int | None],
    variances: Floats, into: TableDrift,
) -> None:  # fmt: skip
    stakes, returned = part.stakes[chosen], np.maximum(part.returned[chosen], 0)
    for each in np.unique(box).tolist():
        own, sheet, bet = box == each, sheets[each // len(BET_CODES)], each % len(BET_CODES)
        amount, (low, rate, high) = int(stakes[own].sum()), exact_return(sheet, bet, *on)
        drift = BetDrift(
            on[0], amount, int(returned[own].sum()), amount * rate, amount * low, amount * high, float(variances[each])
        )
        into.bet(BET_CODES[bet], on[0]).add(drift)


def _basis(rules: Rules, decks: int | None) -> tuple[str, int | None]:
    """What results are drawn from. A shoe whose decks are not known is taken for an endless one, which is like dice."""
    if rules.pack.conduct.cards is None:
        return DICE, None
    return (CARDS, decks) if decks in decks_of(rules.pack) else (CARDS_UNKNOWN, None)


@lru_cache(maxsize=1024)
def exact_return(sheet: Sheet, bet: int, basis: str, decks: int | None) -> tuple[Fraction, Fraction, Fraction]:
    """The part of a stake that comes back on average, between the least and the most that it can be."""
    pays = [
        Fraction(int(won), int(below))
        for won, below in zip(sheet.gives[:, bet], sheet.denominator[:, bet], strict=True)
    ]
    pack = sheet.rules.pack
    rate = _mean(pays, chances_of(pack, decks) if basis == CARDS else (Fraction(1, len(OUTCOMES)),) * len(OUTCOMES))
    if basis != CARDS_UNKNOWN:
        return rate, rate, rate
    every = [_mean(pays, chances_of(pack, number)) for number in decks_of(pack)]
    return min(*every, rate), rate, max(*every, rate)


def _mean(pays: Sequence[Fraction], chances: Sequence[Fraction]) -> Fraction:
    return sum((pay * chance for pay, chance in zip(pays, chances, strict=True) if pay), start=Fraction(0))


@lru_cache(maxsize=256)
def _pays(sheets: tuple[Sheet, ...], decks: int | None) -> tuple[Floats, Floats]:
    """What a stake on each box gives back at each result that differs from others, and the chance of that result."""
    pays = np.hstack([sheet.gives / sheet.denominator for sheet in sheets])
    chances = (
        np.full(len(OUTCOMES), 1 / len(OUTCOMES))
        if decks is None
        else np.array([float(chance) for chance in chances_of(sheets[0].rules.pack, decks)])
    )
    results, which = np.unique(pays, axis=0, return_inverse=True)
    return results, np.asarray(np.bincount(which.ravel(), chances, len(results)), np.float64)


def growth_of(drift: float, beyond: Floats, chances: Floats) -> Floats:
    """Of the logarithm of the purse at each scale: what the drift brought, less what a fair bet on it costs."""
    costs = []
    for scale in SCALES.tolist():
        exponents = scale * beyond
        most = exponents.max(axis=1)
        costs.append(float((most + np.log(np.exp(exponents - most[:, None]) @ chances)).sum()))
    return np.asarray(SCALES * drift - np.array(costs))


# --- Super Streak ---------------------------------------------------------------------------------------------------


def _streaks(part: Columns, here: Flags, settled: Flags, into: TableDrift) -> None:
    """Wagers on the same streak that end in one round hang together: taken for one, which never understates them."""
    chosen = settled & part.spread(here) & _IS_STREAK[part.bets]
    for bet, terms in sorted({*zip(part.bets[chosen].tolist(), part.terms.of_wager[chosen].tolist(), strict=True)}):
        code, rules = BET_CODES[bet], part.terms.known[terms].sheet.rules
        if not rules.approves(code):
            continue
        own = chosen & (part.bets == bet) & (part.terms.of_wager == terms)
        staked = np.bincount(part.round_of[own], part.stakes[own])
        staked = staked[staked > 0]
        returned, amount = int(np.maximum(part.returned[own], 0).sum()), int(part.stakes[own].sum())
        gives, chances, rate = _streak_gives(rules, code)
        beyond = np.outer(staked, gives - float(rate))
        variance = float((np.square(beyond) @ chances).sum())
        drift = BetDrift(STREAK, amount, returned, amount * rate, amount * rate, amount * rate, variance)
        into.bet(code, STREAK).add(drift)
        into.growth[code] = into.growth[code] + growth_of(returned - float(amount * rate), beyond, chances)


@lru_cache(maxsize=256)
def _streak_gives(rules: Rules, code: str) -> tuple[Floats, Floats, Fraction]:
    ends = streak_returns(rules, code)
    rate = sum((returned * chance for returned, chance in ends), start=Fraction(0))
    return np.array([float(each) for each, _ in ends]), np.array([float(chance) for _, chance in ends]), rate


def bets_in_order(bets: Mapping[tuple[str, str], BetDrift]) -> Iterator[tuple[str, BetDrift]]:
    for (code, _), drift in sorted(bets.items(), key=lambda item: (BET_INDEX[item[0][0]], item[0][1])):
        yield code, drift
