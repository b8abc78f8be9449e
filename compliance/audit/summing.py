"""What was played in a stretch, summed by gaming day, table and bet, beside what the odds in force give on average.

Wagers of one round hang on one result, so their variance is worked out together. Streaks, tokens, cards from a shoe of
unknown decks, wagers outside the limits and rounds without rules are settled in other ways: they are summed apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from operator import attrgetter
from typing import TypeAlias

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from compliance.audit.checks.quick import LOSE, WIN, by_pay_table, odds_of, outside_limits
from compliance.audit.circumstances import Places
from compliance.audit.columns import Columns, Flags
from compliance.audit.models import PlayedBet, PlayedDay, Sort
from compliance.audit.packing import TENDER_PLACE
from rounds.engine.bets import BET_CODES
from rounds.engine.outcomes import OUTCOMES
from rounds.engine.rules import Rules
from rounds.engine.settlement import Posted

Pays: TypeAlias = NDArray[np.float64]

TOKEN = TENDER_PLACE["promotional-token"]
SORTS = (Sort.COMPARED, Sort.APART, Sort.UNSETTLED)
NO_TERMS = -1
DAYS = """
SELECT entry_index, gaming_day, is_void OR EXISTS (
    SELECT FROM audit_voidedround voided WHERE voided.log = packed.log AND voided.entry_index = packed.entry_index
)
FROM audit_packedround packed WHERE log = %s AND entry_index >= %s AND entry_index <= %s AND taken_back_index IS NULL
ORDER BY entry_index
"""
DAY_COLUMNS = ("gaming_day", "table", "rounds", "without_result", "variance")
BET_COLUMNS = ("gaming_day", "table", "bet", "sort", "returns", "wagers", "staked_cents", "returned_cents")
COPY_DAYS = 'COPY audit_playedday (log, first, gaming_day, "table", rounds, without_result, variance) FROM STDIN'
COPY_BETS = """
COPY audit_playedbet (log, first, gaming_day, "table", bet, sort, returns, wagers, staked_cents, returned_cents)
FROM STDIN
"""


@dataclass(frozen=True, eq=False)
class Terms:
    """What a stake gives back by outcome and bet: exactly on average, and as figures for the variance."""

    returns: tuple[Fraction, ...]
    pays: Pays


@dataclass(slots=True)
class DaySum:
    """A row of PlayedDay but for its range, without the cost of a model's instance: every block has hundreds."""

    gaming_day: date
    table: str
    rounds: int
    without_result: int
    variance: Decimal


@dataclass(slots=True)
class BetSum:
    """A row of PlayedBet but for its range."""

    gaming_day: date
    table: str
    bet: str
    sort: Sort
    returns: str
    wagers: int
    staked_cents: int
    returned_cents: int


@dataclass(frozen=True)
class Played:
    """Rows to be written; `log` and `first` are filled in by whoever writes them."""

    days: Sequence[DaySum] = ()
    bets: Sequence[BetSum] = ()


def sum_play(log: str, columns: Columns) -> Played:
    if not len(columns.indexes):
        return Played()
    with connection.cursor() as cursor:
        cursor.execute(DAYS, [log, int(columns.indexes[0]), int(columns.indexes[-1])])
        rows: list[tuple[int, date, bool]] = cursor.fetchall()
    keys = [(row[1], table) for row, table in zip(rows, columns.tables, strict=True)]
    known = sorted(set(keys))
    place = {key: number for number, key in enumerate(known)}
    places = np.fromiter((place[key] for key in keys), np.int64, len(keys))
    decided = np.fromiter((not row[2] for row in rows), np.bool_, len(rows)) & (columns.outcomes >= 0)
    terms, terms_of = _terms(columns, decided)
    variance = _variance(columns, terms, terms_of)
    return Played(_days(known, places, decided, variance), _bets(known, places, columns, decided, terms, terms_of))


def _terms(columns: Columns, decided: Flags) -> tuple[list[Terms], Places]:
    """The terms on which wagers can be compared, and of each wager which; NO_TERMS where it cannot be."""
    found: list[Terms] = []
    terms_of = np.full(len(columns.wagers), NO_TERMS, np.int64)
    verdicts = columns.wagers["verdict"]
    settled = decided[columns.round_of] & ((verdicts == WIN) | (verdicts == LOSE))
    for place, circumstances in enumerate(columns.used):
        own = settled & (columns.governed_by == place)[columns.round_of] & (columns.wagers["tender"] != TOKEN)
        if circumstances.pack.conduct.cards is not None or not own.any():
            continue
        wagers, numbers = columns.wagers[own], np.flatnonzero(own)
        posted = tuple(circumstances.posted_odds.items())
        within = ~outside_limits(circumstances, wagers, columns.round_of[own])
        for pay_table, governed in by_pay_table(circumstances, wagers):
            if pay_table is None:
                continue
            terms, settles = _terms_under(circumstances.rules(pay_table), circumstances.offered, posted)
            terms_of[numbers[within & governed & settles[wagers["bet"]]]] = len(found)
            found.append(terms)
    return found, terms_of


@lru_cache(maxsize=256)
def _terms_under(
    rules: Rules, offered: frozenset[str], posted_odds: tuple[tuple[str, Posted], ...]
) -> tuple[Terms, Flags]:
    """By the odds posted where those bind, by the document's own otherwise. Dice have no favourites."""
    numerator, denominator, settles = odds_of(rules, offered, posted_odds)
    returns = tuple(_average(*column) for column in zip(numerator.T, denominator.T, strict=True))
    return Terms(returns, np.where(numerator > 0, 1 + numerator / denominator, 0.0)), settles


def _average(numerator: Places, denominator: Places) -> Fraction:
    """Exactly: outcomes that pay the same are counted together."""
    odds, counts = np.unique(np.stack((numerator, denominator)), axis=1, return_counts=True)
    paid = (
        times * (1 + Fraction(won, below))
        for won, below, times in zip(*odds.tolist(), counts.tolist(), strict=True)
        if won
    )
    return sum(paid, start=Fraction(0)) / len(OUTCOMES)


def _variance(columns: Columns, terms: Sequence[Terms], terms_of: Places) -> Pays:
    """Of each round: the mean square of what its compared wagers give back beyond the average, over all results."""
    results, shares = _results_that_differ(tuple(terms))
    beyond: Pays = np.zeros((len(columns.indexes), len(results)))
    for number, each in enumerate(terms):
        own = np.flatnonzero(terms_of == number)
        rounds, place = np.unique(columns.round_of[own], return_inverse=True)
        boxes = place * len(BET_CODES) + columns.wagers["bet"][own]
        stakes = np.bincount(boxes, columns.wagers["stake"][own], len(rounds) * len(BET_CODES))
        beyond[rounds] += stakes.reshape(len(rounds), len(BET_CODES)) @ (each.pays - each.pays.mean(axis=0))[results].T
    variance: Pays = (beyond**2) @ shares
    return variance


@lru_cache(maxsize=256)
def _results_that_differ(terms: tuple[Terms, ...]) -> tuple[Places, Pays]:
    """One result for all that pay the same on every box, and how often chance brings one of them: dice in another
    order are the same to nearly every bet."""
    if not terms:
        return np.zeros(0, np.int64), np.zeros(0)
    _, first, counts = np.unique(
        np.hstack([each.pays for each in terms]), axis=0, return_index=True, return_counts=True
    )
    return first.astype(np.int64), (counts / len(OUTCOMES)).astype(np.float64)


def _days(known: Sequence[tuple[date, str]], places: Places, decided: Flags, variance: Pays) -> list[DaySum]:
    rounds = np.bincount(places, minlength=len(known))
    results = np.bincount(places[decided], minlength=len(known))
    spread = np.bincount(places, weights=variance, minlength=len(known))
    return [
        DaySum(
            gaming_day=day, table=table, rounds=int(rounds[number]),
            without_result=int(rounds[number] - results[number]), variance=Decimal(round(float(spread[number]))),
        )
        for number, (day, table) in enumerate(known)
    ]  # fmt: skip


def _bets(
    known: Sequence[tuple[date, str]], places: Places, columns: Columns, decided: Flags, terms: Sequence[Terms],
    terms_of: Places,
) -> list[BetSum]:  # fmt: skip
    wagers = columns.wagers
    if not len(wagers):
        return []
    verdicts = wagers["verdict"]
    settled = decided[columns.round_of] & ((verdicts == WIN) | (verdicts == LOSE))
    sorts = np.where(terms_of != NO_TERMS, 0, np.where(settled, 1, 2))
    columns_of_key = (places[columns.round_of], wagers["bet"].astype(np.int64), sorts, terms_of + 1)
    shape = (len(known), len(BET_CODES), len(SORTS), len(terms) + 1)
    key = np.ravel_multi_index(columns_of_key, shape)
    order = np.argsort(key, kind="stable")
    kinds, starts, counts = np.unique(key[order], return_index=True, return_counts=True)
    staked = np.add.reduceat(wagers["stake"][order], starts)
    returned = np.add.reduceat(np.maximum(wagers["returned"], 0)[order], starts)
    sums = (part.tolist() for part in (*np.unravel_index(kinds, shape), counts, staked, returned))
    rows = []
    for place, bet, sort, term, wagered, staked_cents, returned_cents in zip(*sums, strict=True):
        day, table = known[place]
        rows.append(
            BetSum(
                gaming_day=day, table=table, bet=BET_CODES[bet], sort=SORTS[sort],
                returns=str(terms[term - 1].returns[bet]) if term else "", wagers=wagered,
                staked_cents=staked_cents, returned_cents=returned_cents,
            )
        )  # fmt: skip
    return _merged(rows)


def _merged(rows: Sequence[BetSum]) -> list[BetSum]:
    """Circumstances that change in the course of a day may leave a bet's odds as they were: one row then."""
    found: dict[tuple[object, ...], BetSum] = {}
    for row in rows:
        key = (row.gaming_day, row.table, row.bet, row.sort, row.returns)
        same = found.setdefault(key, row)
        if same is not row:
            same.wagers += row.wagers
            same.staked_cents += row.staked_cents
            same.returned_cents += row.returned_cents
    return list(found.values())


def write_played(log: str, first: int, last: int, played: Played) -> None:
    """In the place of whatever was summed of entries first..last-1 before."""
    forget_played(log, first, last)
    copy_played(log, [(first, played)])


def forget_played(log: str, first: int, last: int) -> None:
    PlayedDay.objects.filter(log=log, first__gte=first, first__lt=last).delete()
    PlayedBet.objects.filter(log=log, first__gte=first, first__lt=last).delete()


def copy_played(log: str, ranges: Sequence[tuple[int, Played]]) -> None:
    """Where each range begins, and what was played in it. COPY, because every range has hundreds of rows."""
    _copy(COPY_DAYS, DAY_COLUMNS, log, [(first, row) for first, played in ranges for row in played.days])
    _copy(COPY_BETS, BET_COLUMNS, log, [(first, row) for first, played in ranges for row in played.bets])


def _copy(statement: str, columns: Sequence[str], log: str, rows: Iterable[tuple[int, object]]) -> None:
    values = attrgetter(*columns)
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(statement) as copied:
        for first, row in rows:
            copied.write_row((log, first, *values(row)))
