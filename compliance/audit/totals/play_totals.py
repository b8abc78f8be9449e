"""Daily totals: stakes and returns by gaming day, table and bet, with the average that the odds in force give.

Streaks, tokens, cards, wagers outside the limits and rounds without rules have no such average: category APART.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from compliance.audit.context.limits import outside_limits
from compliance.audit.context.pay_sheets import LOSE, WIN, PaySheet, TermsTable
from compliance.audit.context.round_columns import RoundColumns
from compliance.audit.context.rules_in_force import Indexes
from compliance.audit.models import DailyTotals, WagerCategory
from compliance.audit.projections.bulk_read import DAY_EPOCH
from rounds.engine import BET_CODES, OUTCOMES
from rounds.intake.columns.round_encoding import TENDER_INDEX, Flags

Amounts: TypeAlias = NDArray[np.float64]

TOKEN_TENDER = TENDER_INDEX["promotional-token"]
# In the order of their numbers below. Compared wagers are numbered from the last one on, by their terms.
WAGER_CATEGORIES = (WagerCategory.APART.value, WagerCategory.UNSETTLED.value, WagerCategory.COMPARED.value)
COPY_DAYS_SQL = """
COPY audit_playedday
    (log, first, gaming_day, "table", rounds, without_result, variance,
     bets, sorts, returns, wagers, staked_cents, returned_cents)
FROM STDIN
"""
# Escapes for COPY's text format.
COPY_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


class BetTotals(NamedTuple):
    """The lists of one DailyTotals row: equally long, one item per bet, category and average return."""

    bets: list[str]
    sorts: list[str]
    returns: list[str]
    wagers: list[int]
    staked_cents: list[int]
    returned_cents: list[int]


class DayTotals(NamedTuple):
    """A DailyTotals row without its range, as a tuple because model instances are slow. The day is an ISO 8601 date."""

    gaming_day: str
    table: str
    rounds: int
    without_result: int
    variance: int
    of_bets: BetTotals


@dataclass(frozen=True)
class PlayTotals:
    """The rows to write for one range. copy_totals adds `log` and `first`."""

    days: Sequence[DayTotals] = ()


@dataclass(frozen=True, eq=False)
class RoundGroups:
    """Groups of rounds with the same range, gaming day, table and rules.

    `of_round[round]` is a group; `place[group]` the column of `keys` (range, day, table) it belongs to.
    """

    of_round: Indexes
    place: Indexes
    keys: Indexes


def total_play(columns: RoundColumns, firsts: Sequence[int]) -> list[PlayTotals]:
    """Totals of each range that begins at `firsts`. Computed together, because the fixed cost of numpy is the same for
    many."""
    if not len(columns.indexes):
        return [PlayTotals()] * len(firsts)
    groups = _group_rounds(columns, firsts)
    decided = ~columns.are_void & (columns.outcomes >= 0)
    sums, variance = WagerTotals.zeros(columns, groups), np.zeros(len(columns.indexes))
    for part in columns.parts:
        settled = part.repeat_per_wager(decided[part.round_slice]) & ((part.verdicts == WIN) | (part.verdicts == LOSE))
        compared = _comparable_wagers(part, settled)
        variance[part.round_slice] = _round_variances(part, compared)
        sums.add(part, groups.of_round[part.round_slice], settled, compared)
    days = _day_totals(columns, groups, decided, variance, _bet_totals(columns, groups, sums))
    ends = np.searchsorted(groups.keys[0], np.arange(len(firsts) + 1)).tolist()
    return [PlayTotals(days[begin:end]) for begin, end in pairwise(ends)]


def _group_rounds(columns: RoundColumns, firsts: Sequence[int]) -> RoundGroups:
    range_of_round = np.searchsorted(firsts, columns.indexes, side="right") - 1
    begun = int(columns.days.min())
    shape = (
        len(firsts),
        int(columns.days.max()) - begun + 1,
        len(columns.tables),
        len(columns.rules_used) + 1,
    )
    key = np.ravel_multi_index((range_of_round, columns.days - begun, columns.table_of, columns.governed_by + 1), shape)
    found, of_round = np.unique(key, return_inverse=True)
    keys, place = np.unique(found // shape[-1], return_inverse=True)
    ranges, days, tables = np.unravel_index(keys, shape[:-1])
    return RoundGroups(of_round, place, np.stack([ranges, days + begun, tables]))


def _comparable_wagers(columns: RoundColumns, settled: Flags) -> Flags:
    """The wagers that can be compared with the average."""
    found = columns.wager_terms.lookup_cells(_comparable_boxes, False)
    found &= settled
    found &= columns.wagers["tender"] != TOKEN_TENDER
    # A wager within the limits together with all others is so together with fewer.
    if columns.are_outside_limits.any():
        found &= ~outside_limits(columns, found)
    return found


def _comparable_boxes(sheet: PaySheet) -> Flags:
    """By bet. Cards are not comparable: the number of decks in the shoe is unknown."""
    return sheet.settles & (sheet.rules.pack.conduct.cards is None)


@lru_cache(maxsize=256)
def _average_returns(sheet: PaySheet) -> tuple[str, ...]:
    """By bet, the exact share of a stake that is returned on average, for fair dice."""
    return tuple(str(_average_return(*column)) for column in zip(sheet.numerator.T, sheet.denominator.T, strict=True))


def _average_return(numerator: Indexes, denominator: Indexes) -> Fraction:
    """Exact fraction. Outcomes that pay the same are counted together."""
    odds, counts = np.unique(np.stack((numerator, denominator)), axis=1, return_counts=True)
    paid = (
        times * (1 + Fraction(won, below))
        for won, below, times in zip(*odds.tolist(), counts.tolist(), strict=True)
        if won
    )
    return sum(paid, start=Fraction(0)) / len(OUTCOMES)


# --- Variance -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ReturnSpread:
    """For each box of some sheets, the return of a stake minus its average, at each distinct result; and the
    probability of each result. Dice in another order are the same result for nearly every bet. `box` is indexed by
    sheet and bet."""

    box: Indexes
    beyond: Amounts
    shares: Amounts


@lru_cache(maxsize=256)
def _return_spread(sheets: tuple[PaySheet, ...]) -> ReturnSpread:
    settles = np.stack([sheet.settles for sheet in sheets])
    pays = np.hstack([(sheet.payout_numerator / sheet.denominator)[:, sheet.settles] for sheet in sheets])
    results, counts = np.unique(pays, axis=0, return_counts=True)
    box = np.where(settles, np.cumsum(settles).reshape(settles.shape) - 1, 0)
    return ReturnSpread(box, np.ascontiguousarray((results - pays.mean(axis=0)).T), counts / len(OUTCOMES))


def _round_variances(columns: RoundColumns, compared: Flags) -> Amounts:
    """Of each round: the mean square of what its compared wagers return beyond the average, over all results. All
    wagers of a round depend on one result, so their variance is computed together."""
    variance: Amounts = np.zeros(len(columns.indexes))
    places = np.unique(columns.governed_by[columns.reduce_per_round(np.logical_or, compared) > 0]).tolist()
    spreads, box_of = _return_spreads(columns.known_terms, tuple(places))
    # A matrix of rounds by boxes for each set of rules, all in one contiguous array.
    begins, end = np.zeros(len(columns.indexes), np.int64), 0
    lying: list[tuple[ReturnSpread, Indexes, slice]] = []
    for place, spread in zip(places, spreads, strict=True):
        rounds, wide = np.flatnonzero(columns.governed_by == place), len(spread.beyond)
        begins[rounds] = np.arange(end, end + len(rounds) * wide, wide)
        lying.append((spread, rounds, slice(end, end := end + len(rounds) * wide)))
    boxes = box_of[columns.wager_terms.of_wager * len(BET_CODES) + columns.bets]
    boxes += columns.repeat_per_wager(begins)
    is_whole = compared.all()
    staked = np.bincount(*((boxes, columns.stakes) if is_whole else (boxes[compared], columns.stakes[compared])), end)
    for spread, rounds, where in lying:
        beyond = staked[where].reshape(len(rounds), len(spread.beyond)) @ spread.beyond
        variance[rounds] = np.square(beyond, out=beyond) @ spread.shares
    return variance


def _return_spreads(known: TermsTable, indexes: Sequence[int]) -> tuple[list[ReturnSpread], Indexes]:
    """The spread under each of these rules; and by terms and bet, packed into one number, the wager's box in it."""
    spreads, box_of = [], np.zeros((len(known.known) + 1, len(BET_CODES)), np.int64)
    for place in indexes:
        own = [number for number, terms in enumerate(known.known) if terms.governed_by == place]
        spreads.append(_return_spread(tuple(known.known[number].sheet for number in own)))
        box_of[own] = spreads[-1].box
    return spreads, box_of.ravel()


@dataclass(frozen=True, eq=False)
class WagerTotals:
    """Count, stakes and returns, by group of rounds, category and bet packed into one number."""

    kinds: int
    counts: Indexes
    staked: Indexes
    returned: Indexes

    @classmethod
    def zeros(cls, columns: RoundColumns, groups: RoundGroups) -> WagerTotals:
        kinds = 2 + int(columns.known_terms.term_numbers_within_rules.max()) + 1
        return cls(kinds, *np.zeros((3, len(groups.place) * kinds * len(BET_CODES)), np.int64))

    def add(self, columns: RoundColumns, group_of: Indexes, settled: Flags, compared: Flags) -> None:
        cells = columns.repeat_per_wager(group_of * (self.kinds * len(BET_CODES)))
        cells += columns.bets
        kind = columns.known_terms.term_numbers_within_rules[columns.wager_terms.of_wager] + 2
        if not compared.all():
            kind = np.where(compared, kind, np.where(settled, 0, 1))
        kind *= len(BET_CODES)
        cells += kind
        self.counts[:] += np.bincount(cells, minlength=len(self.counts))
        np.add.at(self.staked, cells, columns.stakes)
        np.add.at(self.returned, cells, np.maximum(columns.returned, 0))


# --- Rows -----------------------------------------------------------------------------------------------------------


def _day_totals(
    columns: RoundColumns, groups: RoundGroups, decided: Flags, variance: Amounts, bets: Iterable[BetTotals]
) -> list[DayTotals]:
    place, count = groups.place[groups.of_round], groups.keys.shape[1]
    rounds = np.bincount(place, minlength=count)
    results = np.bincount(place[decided], minlength=count)
    spread = np.bincount(place, weights=variance, minlength=count)
    days = np.datetime_as_string(DAY_EPOCH + groups.keys[1]).tolist()
    tables = (columns.tables[table] for table in groups.keys[2].tolist())
    sums = (rounds.tolist(), (rounds - results).tolist(), map(round, spread.tolist()), bets)
    return [DayTotals(*each) for each in zip(days, tables, *sums, strict=True)]


def _bet_totals(columns: RoundColumns, groups: RoundGroups, sums: WagerTotals) -> Iterator[BetTotals]:
    """Of each range, day and table, in order."""
    kinds, some = sums.kinds, np.flatnonzero(sums.counts)
    group, kind, bet = np.unravel_index(some, (len(groups.place), kinds, len(BET_CODES)))
    words, word_of = _average_return_labels(columns, groups, group, kind, bet)
    # Rules that change during a day may leave a bet's odds the same; such sums are merged.
    shape = (groups.keys.shape[1], len(BET_CODES), len(WAGER_CATEGORIES), len(words))
    key = np.ravel_multi_index((groups.place[group], bet, np.minimum(kind, 2), word_of), shape)
    order = np.argsort(key, kind="stable")
    rows, starts = np.unique(key[order], return_index=True)
    every = (sums.counts, sums.staked, sums.returned)
    added = [np.add.reduceat(each[some][order], starts).tolist() if len(rows) else [] for each in every]
    place, *named = np.unravel_index(rows, shape)
    labels = (
        [names[number] for number in numbers.tolist()]
        for names, numbers in zip((BET_CODES, WAGER_CATEGORIES, words), named, strict=True)
    )
    lists = [*labels, *added]
    for begin, end in pairwise(np.searchsorted(place, np.arange(shape[0] + 1)).tolist()):
        yield BetTotals._make(each[begin:end] for each in lists)


def _average_return_labels(
    columns: RoundColumns, groups: RoundGroups, group: Indexes, kind: Indexes, bet: Indexes
) -> tuple[list[str], Indexes]:
    """The distinct average returns as text, and for each sum the index of its own."""
    known = columns.known_terms.known
    first = {each.governed_by: number for number, each in reversed(list(enumerate(known)))}
    governed_by = np.zeros(len(groups.place), np.int64)
    governed_by[groups.of_round] = columns.governed_by
    begins = np.array([*(first.get(place, 0) for place in range(len(columns.rules_used))), 0])
    number: dict[str, int] = {"": 0}
    of_terms = [[number.setdefault(word, len(number)) for word in _average_returns(terms.sheet)] for terms in known]
    numbers = np.array([*of_terms, [0] * len(BET_CODES)], np.int64)
    is_compared = kind >= 2
    places = np.where(is_compared, begins[governed_by[group]] + kind - 2, len(known))
    return list(number), numbers[places, bet]


def replace_totals(log: str, first: int, last: int, played: PlayTotals) -> None:
    """Replaces the totals of entries first..last-1."""
    delete_totals(log, first, last)
    copy_totals(log, [(first, played)])


def delete_totals(log: str, first: int, last: int) -> None:
    DailyTotals.objects.filter(log=log, first__gte=first, first__lt=last).delete()


def copy_totals(log: str, ranges: Sequence[tuple[int, PlayTotals]]) -> None:
    """Writes the totals of ranges, given by their first entry. As one COPY text, because writing value by value takes
    several times longer than computing them."""
    name = log.translate(COPY_ESCAPES)
    lines = (
        f"{name}\t{first}\t{row.gaming_day}\t{row.table.translate(COPY_ESCAPES)}\t{row.rounds}\t{row.without_result}\t"
        f"{row.variance}\t" + "\t".join(_array_literal(values) for values in row.of_bets) + "\n"
        for first, played in ranges
        for row in played.days
    )
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(COPY_DAYS_SQL) as copied:
        copied.write("".join(lines))


def _array_literal(values: Sequence[str] | Sequence[int]) -> str:
    """A PostgreSQL array literal. The values are our own codes, which need no escaping."""
    return '{"' + '","'.join(map(str, values)) + '"}' if values else "{}"
