"""Rules: the law of one pay table under adopted readings, compiled for every bet over all 216 outcomes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from rounds.engine.bets.bet_codes import BET_CODES, BETS, STREAK_PAIRS, Bet
from rounds.engine.bets.dice_outcomes import OUTCOMES
from rounds.engine.bets.win_conditions import Predicate, truth_by_outcome
from rounds.engine.errors import EngineError, ErrorCode
from rounds.engine.pack.clause_readings import AdoptedReadings, adopt_readings, apply_readings
from rounds.engine.pack.pack_file import Pack
from rounds.engine.pack.payout_law import Law, PayRow, PayTable, StreakPair, WagerType

NEUTRAL = "neutral"
BREAKS_STREAK = "breaks"


@dataclass(frozen=True, slots=True)
class LevelPay:
    """The odds of one level of one bet. `level_index` is the position of the level in a tuple of posted odds."""

    level: str
    level_index: int
    odds: Fraction
    is_minimum: bool
    clause: str


@dataclass(frozen=True, slots=True)
class BetRule:
    """One bet under one pay table: its levels, and the level that each of the 216 outcomes pays (None: it loses)."""

    bet: Bet
    wager: str
    name: str
    wins_by: str
    loses_by: str
    is_optional: bool
    levels: tuple[LevelPay, ...]
    by_outcome: tuple[LevelPay | None, ...]


@dataclass(frozen=True, eq=False)
class Rules:
    """Everything settle_wager() needs, compiled once for a pack, pay table and set of adopted readings.

    `streak_sides` has one tuple for each pair of directions: the side of each of the 216 outcomes."""

    pack: Pack
    pay_table: str
    adopted: AdoptedReadings
    law: Law
    bets: Mapping[str, BetRule]
    streak_sides: Mapping[str, tuple[str, ...]]

    def approves_bet(self, code: str) -> bool:
        return code in self.bets or (BETS[code].is_streak and BETS[code].streak_pair in self.streak_sides)


def choose_pay_table(pack: Pack, name: str | None) -> str:
    """The pay table with this name; None selects the only one, and is an error if there are several."""
    tables = pack.law.pay_table
    if name is None and len(tables) == 1:
        return next(iter(tables))
    if name is None or name not in tables:
        found = "no pay table is named" if name is None else f"there is no pay table {name!r}"
        raise EngineError(ErrorCode.UNKNOWN_PAY_TABLE, f"{pack.name}: {found}, expected one of {', '.join(tables)}")
    return name


def compile_rules(pack: Pack, pay_table: str | None = None, readings: Mapping[str, str] | None = None) -> Rules:
    return compile_adopted_rules(pack, choose_pay_table(pack, pay_table), adopt_readings(pack, readings or {}))


@lru_cache(maxsize=4096)
def compile_adopted_rules(pack: Pack, pay_table: str, adopted: AdoptedReadings) -> Rules:
    law = apply_readings(pack, adopted)
    return Rules(pack, pay_table, adopted, law, compile_bet_rules(law, pay_table), compute_streak_sides(law))


def compile_bet_rules(law: Law, pay_table: str) -> dict[str, BetRule]:
    """Every bet that this pay table pays, in canonical order."""
    table = law.pay_table[pay_table]
    rules: dict[str, BetRule] = {}
    for key, wager in law.wager.items():
        rules.update(_compile_wager_rules(_WagerTerms(key, wager, table.clause, pay_rows_for(table, key))))
    return {code: rules[code] for code in BET_CODES if code in rules}


class _WagerTerms(NamedTuple):
    """Cache key: everything that determines what one wager pays. Readings change few wagers, so most terms repeat."""

    key: str
    wager: WagerType
    table_clause: str
    rows: tuple[PayRow, ...]

    def __hash__(self) -> int:
        return hash((self.key, self.wager.bets, self.rows))


@lru_cache(maxsize=4096)
def _compile_wager_rules(terms: _WagerTerms) -> dict[str, BetRule]:
    wager, rules = terms.wager, {}
    for code in wager.bets:
        rows = {row.level: row for row in terms.rows if row.pays(code)}
        if rows:
            bet = BETS[code]
            levels = tuple(
                _pay_by_level(rows[level], index, terms.table_clause) for index, level in enumerate(wager.wins)
            )
            rules[str(code)] = BetRule(
                bet=bet,
                wager=terms.key,
                name=wager.name,
                wins_by=wager.wins_by or wager.clause or terms.table_clause,
                loses_by=wager.loses_by or wager.clause or terms.table_clause,
                is_optional=wager.is_optional,
                levels=levels,
                by_outcome=_pays_by_outcome(bet, wager.wins, levels),
            )
    return rules


def pay_rows_for(table: PayTable, wager_key: str) -> tuple[PayRow, ...]:
    return tuple(row for row in table.pays.values() if row.wager == wager_key)


def _pay_by_level(row: PayRow, index: int, table_clause: str) -> LevelPay:
    return LevelPay(row.level, index, row.odds, row.is_minimum, row.clause or table_clause)


def _pays_by_outcome(
    bet: Bet, wins: Mapping[str, Predicate], levels: tuple[LevelPay, ...]
) -> tuple[LevelPay | None, ...]:
    # The levels of a wager exclude each other (validate_law checks it), so their order does not matter.
    truths = [truth_by_outcome(predicate, bet) for predicate in wins.values()]
    return tuple(
        next((pay for truth, pay in zip(truths, levels, strict=True) if truth[index]), None)
        for index in range(len(OUTCOMES))
    )


def compute_streak_sides(law: Law) -> dict[str, tuple[str, ...]]:
    """The side of each of the 216 outcomes, for each pair of directions."""
    if law.streak is None:
        return {}
    return {name: _sides_by_outcome(law.streak.pairs[name]) for name in STREAK_PAIRS if name in law.streak.pairs}


def _sides_by_outcome(pair: StreakPair) -> tuple[str, ...]:
    """For each outcome a direction, NEUTRAL (no effect on a streak) or BREAKS_STREAK (ends one of either direction)."""
    # These predicates do not depend on the bet (validate_law checks it), so any bet can be passed.
    bet = BETS["small"]
    neutral = [truth_by_outcome(predicate, bet) for predicate in pair.neutral]
    directions = {side: truth_by_outcome(predicate, bet) for side, predicate in pair.directions.items()}
    return tuple(
        NEUTRAL
        if any(truth[index] for truth in neutral)
        else next((side for side, truth in directions.items() if truth[index]), BREAKS_STREAK)
        for index in range(len(OUTCOMES))
    )
