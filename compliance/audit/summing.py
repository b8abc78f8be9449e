"""What was played in stretches, summed by gaming day, table and bet, beside what the odds in force give on average.

Wagers of one round hang on one result, so their variance is worked out together. Streaks, tokens, cards from a shoe of
unknown decks, wagers outside the limits and rounds without rules are settled in other ways: they are summed apart.
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

from compliance.audit.bulk import FIRST_DAY
from compliance.audit.circumstances import Places
from compliance.audit.columns import Columns
from compliance.audit.limits import outside_limits
from compliance.audit.models import PlayedDay, Sort
from compliance.audit.packing import TENDER_PLACE, Flags
from compliance.audit.terms import LOSE, WIN, KnownTerms, Sheet
from rounds.engine.bets import BET_CODES
from rounds.engine.outcomes import OUTCOMES

Pays: TypeAlias = NDArray[np.float64]

TOKEN = TENDER_PLACE["promotional-token"]
# In the order of their numbers below; wagers that are compared count from the last one on, by their terms.
SORTS = (Sort.APART.value, Sort.UNSETTLED.value, Sort.COMPARED.value)
COPY_DAYS = """
COPY audit_playedday
    (log, first, gaming_day, "table", rounds, without_result, variance,
     bets, sorts, returns, wagers, staked_cents, returned_cents)
FROM STDIN
"""
# What separates and ends values in the text that COPY takes.
ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


class BetSums(NamedTuple):
    """What a row of PlayedDay has of its bets: lists equally long, with a place for each that is alike."""

    bets: list[str]
    sorts: list[str]
    returns: list[str]
    wagers: list[int]
    staked_cents: list[int]
    returned_cents: list[int]


class DaySum(NamedTuple):
    """A row of PlayedDay but for its range, without the cost of a model's instance. The day is written as ISO 8601 has
    it."""

    gaming_day: str
    table: str
    rounds: int
    without_result: int
    variance: int
    of_bets: BetSums


@dataclass(frozen=True)
class Played:
    """Rows to be written; `log` and `first` are filled in by whoever writes them."""

    days: Sequence[DaySum] = ()


@dataclass(frozen=True, eq=False)
class Groups:
    """Rounds of one stretch, gaming day and table, and which are governed alike.

    `of_round[round]` is a group; `place[group]` the row of `keys` (stretch, day, table) that it belongs to.
    """

    of_round: Places
    place: Places
    keys: Places


def sum_play(columns: Columns, firsts: Sequence[int]) -> list[Played]:
    """Of each of the stretches that begin there, together: what a sum costs is the same for many."""
    if not len(columns.indexes):
        return [Played()] * len(firsts)
    groups = _groups(columns, firsts)
    decided = ~columns.are_void & (columns.outcomes >= 0)
    sums, variance = Sums.none(columns, groups), np.zeros(len(columns.indexes))
    for part in columns.parts:
        settled = part.spread(decided[part.rounds]) & ((part.verdicts == WIN) | (part.verdicts == LOSE))
        compared = _compared(part, settled)
        variance[part.rounds] = _variance(part, compared)
        sums.add(part, groups.of_round[part.rounds], settled, compared)
    days = _days(columns, groups, decided, variance, _bets(columns, groups, sums))
    ends = np.searchsorted(groups.keys[0], np.arange(len(firsts) + 1)).tolist()
    return [Played(days[begin:end]) for begin, end in pairwise(ends)]


def _groups(columns: Columns, firsts: Sequence[int]) -> Groups:
    stretch = np.searchsorted(firsts, columns.indexes, side="right") - 1
    begun = int(columns.days.min())
    shape = (
        len(firsts), int(columns.days.max()) - begun + 1, len(columns.tables),
        len(columns.used) + 1,
    )  # fmt: skip
    key = np.ravel_multi_index((stretch, columns.days - begun, columns.table_of, columns.governed_by + 1), shape)
    found, of_round = np.unique(key, return_inverse=True)
    keys, place = np.unique(found // shape[-1], return_inverse=True)
    stretches, days, tables = np.unravel_index(keys, shape[:-1])
    return Groups(of_round, place, np.stack([stretches, days + begun, tables]))


def _compared(columns: Columns, settled: Flags) -> Flags:
    """The wagers that can be compared with what chance gives."""
    found = columns.terms.look_up(_is_comparable, False)
    found &= settled
    found &= columns.wagers["tender"] != TOKEN
    # What is within the limits together with all others is so together with the compared ones alone.
    if columns.outside.any():
        found &= ~outside_limits(columns, found)
    return found


def _is_comparable(sheet: Sheet) -> Flags:
    """By bet. Cards come from a shoe of unknown decks."""
    return sheet.settles & (sheet.rules.pack.conduct.cards is None)


@lru_cache(maxsize=256)
def _returns(sheet: Sheet) -> tuple[str, ...]:
    """By bet: the exact part of a stake that comes back on average. Dice have no favourites."""
    return tuple(str(_average(*column)) for column in zip(sheet.numerator.T, sheet.denominator.T, strict=True))


def _average(numerator: Places, denominator: Places) -> Fraction:
    """Exactly: outcomes that pay the same are counted together."""
    odds, counts = np.unique(np.stack((numerator, denominator)), axis=1, return_counts=True)
    paid = (
        times * (1 + Fraction(won, below))
        for won, below, times in zip(*odds.tolist(), counts.tolist(), strict=True)
        if won
    )
    return sum(paid, start=Fraction(0)) / len(OUTCOMES)


# --- Variance -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Spread:
    """What a stake on each box of some sheets gives back beyond the average, at each result that differs from others,
    and how often chance brings it: dice in another order are the same to nearly every bet. `box` is by sheet and bet.
    """

    box: Places
    beyond: Pays
    shares: Pays


@lru_cache(maxsize=256)
def _spread(sheets: tuple[Sheet, ...]) -> Spread:
    settles = np.stack([sheet.settles for sheet in sheets])
    pays = np.hstack([(sheet.gives / sheet.denominator)[:, sheet.settles] for sheet in sheets])
    results, counts = np.unique(pays, axis=0, return_counts=True)
    box = np.where(settles, np.cumsum(settles).reshape(settles.shape) - 1, 0)
    return Spread(box, np.ascontiguousarray((results - pays.mean(axis=0)).T), counts / len(OUTCOMES))


def _variance(columns: Columns, compared: Flags) -> Pays:
    """Of each round: the mean square of what its compared wagers give back beyond the average, over all results."""
    variance: Pays = np.zeros(len(columns.indexes))
    places = np.unique(columns.governed_by[columns.over_rounds(np.logical_or, compared) > 0]).tolist()
    spreads, box_of = _spreads(columns.known_terms, tuple(places))
    # Of all rounds in the same circumstances a matrix, round by box, one after the other in one piece of memory.
    begins, end = np.zeros(len(columns.indexes), np.int64), 0
    lying: list[tuple[Spread, Places, slice]] = []
    for place, spread in zip(places, spreads, strict=True):
        rounds, wide = np.flatnonzero(columns.governed_by == place), len(spread.beyond)
        begins[rounds] = np.arange(end, end + len(rounds) * wide, wide)
        lying.append((spread, rounds, slice(end, end := end + len(rounds) * wide)))
    boxes = box_of[columns.terms.of_wager * len(BET_CODES) + columns.bets]
    boxes += columns.spread(begins)
    is_whole = compared.all()
    staked = np.bincount(*((boxes, columns.stakes) if is_whole else (boxes[compared], columns.stakes[compared])), end)
    for spread, rounds, where in lying:
        beyond = staked[where].reshape(len(rounds), len(spread.beyond)) @ spread.beyond
        variance[rounds] = np.square(beyond, out=beyond) @ spread.shares
    return variance


def _spreads(known: KnownTerms, places: Sequence[int]) -> tuple[list[Spread], Places]:
    """Of each of these circumstances, and in which of its boxes a wager lies, by its terms and bet as one number."""
    spreads, box_of = [], np.zeros((len(known.known) + 1, len(BET_CODES)), np.int64)
    for place in places:
        own = [number for number, terms in enumerate(known.known) if terms.governed_by == place]
        spreads.append(_spread(tuple(known.known[number].sheet for number in own)))
        box_of[own] = spreads[-1].box
    return spreads, box_of.ravel()


@dataclass(frozen=True, eq=False)
class Sums:
    """By group of rounds, sort of wager and bet, as one number: how many, what was staked, what came back."""

    kinds: int
    counts: Places
    staked: Places
    returned: Places

    @classmethod
    def none(cls, columns: Columns, groups: Groups) -> Sums:
        kinds = 2 + int(columns.known_terms.numbers_within.max()) + 1
        return cls(kinds, *np.zeros((3, len(groups.place) * kinds * len(BET_CODES)), np.int64))

    def add(self, columns: Columns, group_of: Places, settled: Flags, compared: Flags) -> None:
        cells = columns.spread(group_of * (self.kinds * len(BET_CODES)))
        cells += columns.bets
        kind = columns.known_terms.numbers_within[columns.terms.of_wager] + 2
        if not compared.all():
            kind = np.where(compared, kind, np.where(settled, 0, 1))
        kind *= len(BET_CODES)
        cells += kind
        self.counts[:] += np.bincount(cells, minlength=len(self.counts))
        np.add.at(self.staked, cells, columns.stakes)
        np.add.at(self.returned, cells, np.maximum(columns.returned, 0))


# --- Rows -----------------------------------------------------------------------------------------------------------


def _days(
    columns: Columns, groups: Groups, decided: Flags, variance: Pays, bets: Iterable[BetSums]
) -> list[DaySum]:  # fmt: skip
    place, count = groups.place[groups.of_round], groups.keys.shape[1]
    rounds = np.bincount(place, minlength=count)
    results = np.bincount(place[decided], minlength=count)
    spread = np.bincount(place, weights=variance, minlength=count)
    days = np.datetime_as_string(FIRST_DAY + groups.keys[1]).tolist()
    tables = (columns.tables[table] for table in groups.keys[2].tolist())
    sums = (rounds.tolist(), (rounds - results).tolist(), map(round, spread.tolist()), bets)
    return [DaySum(*each) for each in zip(days, tables, *sums, strict=True)]


def _bets(columns: Columns, groups: Groups, sums: Sums) -> Iterator[BetSums]:
    """Of each stretch, day and table, in their order."""
    kinds, some = sums.kinds, np.flatnonzero(sums.counts)
    group, kind, bet = np.unravel_index(some, (len(groups.place), kinds, len(BET_CODES)))
    words, word_of = _words(columns, groups, group, kind, bet)
    # Circumstances that change in the course of a day may leave a bet's odds as they were: one place then.
    shape = (groups.keys.shape[1], len(BET_CODES), len(SORTS), len(words))
    key = np.ravel_multi_index((groups.place[group], bet, np.minimum(kind, 2), word_of), shape)
    order = np.argsort(key, kind="stable")
    rows, starts = np.unique(key[order], return_index=True)
    every = (sums.counts, sums.staked, sums.returned)
    added = [np.add.reduceat(each[some][order], starts).tolist() if len(rows) else [] for each in every]
    place, *named = np.unravel_index(rows, shape)
    told = (
        [names[number] for number in numbers.tolist()]
        for names, numbers in zip((BET_CODES, SORTS, words), named, strict=True)
    )
    lists = [*told, *added]
    for begin, end in pairwise(np.searchsorted(place, np.arange(shape[0] + 1)).tolist()):
        yield BetSums._make(each[begin:end] for each in lists)


def _words(columns: Columns, groups: Groups, group: Places, kind: Places, bet: Places) -> tuple[list[str], Places]:
    """What a stake returns on average, in words, and of each sum which."""
    known = columns.known_terms.known
    first = {each.governed_by: number for number, each in reversed(list(enumerate(known)))}
    governed_by = np.zeros(len(groups.place), np.int64)
    governed_by[groups.of_round] = columns.governed_by
    begins = np.array([*(first.get(place, 0) for place in range(len(columns.used))), 0])
    number: dict[str, int] = {"": 0}
    of_terms = [[number.setdefault(word, len(number)) for word in _returns(terms.sheet)] for terms in known]
    numbers = np.array([*of_terms, [0] * len(BET_CODES)], np.int64)
    is_compared = kind >= 2
    places = np.where(is_compared, begins[governed_by[group]] + kind - 2, len(known))
    return list(number), numbers[places, bet]


def write_played(log: str, first: int, last: int, played: Played) -> None:
    """In the place of whatever was summed of entries first..last-1 before."""
    forget_played(log, first, last)
    copy_played(log, [(first, played)])


def forget_played(log: str, first: int, last: int) -> None:
    PlayedDay.objects.filter(log=log, first__gte=first, first__lt=last).delete()


def copy_played(log: str, ranges: Sequence[tuple[int, Played]]) -> None:
    """Where each range begins, and what was played in it. As one text: handing over value by value costs several times
    what making them does."""
    name = log.translate(ESCAPES)
    lines = (
        f"{name}\t{first}\t{row.gaming_day}\t{row.table.translate(ESCAPES)}\t{row.rounds}\t{row.without_result}\t"
        f"{row.variance}\t" + "\t".join(_list(values) for values in row.of_bets) + "\n"
        for first, played in ranges
        for row in played.days
    )
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(COPY_DAYS) as copied:
        copied.write("".join(lines))


def _list(values: Sequence[str] | Sequence[int]) -> str:
    """As PostgreSQL writes arrays. The words are our own: none has anything in it that would have to be escaped."""
    return '{"' + '","'.join(map(str, values)) + '"}' if values else "{}"
