"""On which terms each wager of a stretch was laid: the circumstances of its round, the pay table of its terminal.

What terms say of a box at a result is a cell of a sheet, so that a million wagers are looked up at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compliance.audit.circumstances import Places
from compliance.audit.packing import VERDICT_PLACE, Records, checksum
from compliance.audit.seen import Circumstances
from rounds.engine.bets import BET_CODES, BET_INDEX
from rounds.engine.matrix import matrix_of
from rounds.engine.outcomes import OUTCOMES
from rounds.engine.rules import Rules
from rounds.engine.settlement import Posted

SHAPE = (len(OUTCOMES), len(BET_CODES))
WIN, LOSE = VERDICT_PLACE["win"], VERDICT_PLACE["lose"]
# No wager has this verdict.
UNSETTLED = 255
NO_TERMS = -1


@dataclass(frozen=True, eq=False)
class Sheet:
    """What a box pays at a result under some rules, with some boxes offered and some odds posted.

    By outcome and bet: `numerator` over `denominator` is what one cent wins; `gives` over `denominator` what it gives
    back, the cent included; `verdicts` what the table must say. `settles` has the bets that it settles at all:
    approved, offered, decided in one round.
    """

    rules: Rules
    numerator: Places
    denominator: Places
    gives: Places
    verdicts: NDArray[np.uint8]
    settles: NDArray[np.bool_]


@lru_cache(maxsize=256)
def sheet_of(rules: Rules, offered: frozenset[str], posted_odds: tuple[tuple[str, Posted], ...]) -> Sheet:
    """Worked out once for all blocks in which nothing of this changes."""
    numerator, denominator = _odds_of(rules, posted_odds)
    settles = matrix_of(rules).settles_in_a_round & np.array([code in offered for code in BET_CODES])
    gives = np.where(numerator > 0, numerator + denominator, 0)
    verdicts = np.where(settles, np.where(numerator > 0, WIN, LOSE), UNSETTLED).astype(np.uint8)
    return Sheet(rules, numerator, denominator, gives, verdicts, settles)


def _odds_of(rules: Rules, posted_odds: tuple[tuple[str, Posted], ...]) -> tuple[Places, Places]:
    """Those posted where they bind, the document's own otherwise."""
    matrix = matrix_of(rules)
    if rules.law.settlement.posted_odds_clause is None or not posted_odds:
        return matrix.numerator, matrix.denominator
    numerator, denominator = matrix.numerator.copy(), matrix.denominator.copy()
    for code, posted in posted_odds:
        levels, column = posted if isinstance(posted, tuple) else (posted,), BET_INDEX[code]
        for row, pay in enumerate(rules.bets[code].by_outcome):
            if pay is not None and pay.is_minimum:
                odds = levels[pay.level_index]
                numerator[row, column], denominator[row, column] = odds.numerator, odds.denominator
    return numerator, denominator


@dataclass(frozen=True, eq=False)
class Terms:
    """A pay table under circumstances, which have the place `governed_by` among those of the stretch."""

    governed_by: int
    circumstances: Circumstances
    sheet: Sheet


@dataclass(frozen=True, eq=False)
class KnownTerms:
    """All terms of some circumstances. `of_round` has the place of those that hold without a terminal, by the place of
    circumstances; `terminals` those of terminals, by circumstances and checksum as one number. The last place of each
    list stands for none."""

    known: tuple[Terms, ...]
    of_round: Places
    terminals: Mapping[int, int]

    @cached_property
    def sheets(self) -> tuple[Sheet, ...]:
        return tuple({id(terms.sheet): terms.sheet for terms in self.known}.values())

    @cached_property
    def sheet_numbers(self) -> Places:
        """By the place of terms, the place of their sheet."""
        place = {id(sheet): number for number, sheet in enumerate(self.sheets)}
        return np.array([*(place[id(terms.sheet)] for terms in self.known), len(self.sheets)], np.int64)

    @cached_property
    def numbers_within(self) -> Places:
        """The number of each terms among those of the same circumstances."""
        first: dict[int, int] = {}
        numbers = [number - first.setdefault(terms.governed_by, number) for number, terms in enumerate(self.known)]
        return np.array([*numbers, 0], np.int64)

    @cached_property
    def have_terminals(self) -> NDArray[np.bool_]:
        """By the place of circumstances."""
        found = np.zeros(len(self.of_round), np.bool_)
        found[[key >> 32 for key in self.terminals]] = True
        return found

    @cached_property
    def by_terminal(self) -> tuple[Places, Places]:
        """The keys of `terminals` in order, and what each stands for."""
        keys = np.array(sorted(self.terminals), np.int64)
        return keys, np.array([self.terminals[key] for key in keys.tolist()], np.int64)


@dataclass(frozen=True, eq=False)
class OnTerms:
    """`of_wager` is a place in `known`, or NO_TERMS; `cells` is the wager's sheet, outcome and bet as one number."""

    among: KnownTerms
    of_wager: Places
    cells: Places

    @property
    def known(self) -> tuple[Terms, ...]:
        return self.among.known

    def look_up(self, column: Callable[[Sheet], NDArray[Any]], otherwise: int) -> NDArray[Any]:
        """For each wager what its sheet says of its box at its result. `column` is asked once for all stretches."""
        return np.take(_flat(self.among.sheets, column, otherwise), self.cells)

    def by_terms(self, value: Callable[[Terms], int], otherwise: int) -> Places:
        """For each wager what its terms say whatever it was laid on."""
        values: Places = np.array([*map(value, self.known), otherwise], np.int64)[self.of_wager]
        return values


@lru_cache(maxsize=16)
def _flat(sheets: tuple[Sheet, ...], column: Callable[[Sheet], NDArray[Any]], otherwise: int) -> NDArray[Any]:
    """One value for each cell of the sheets, one after the other, and of one more sheet for NO_TERMS."""
    tables = [np.broadcast_to(column(sheet), SHAPE) for sheet in sheets]
    kind = tables[0].dtype if tables else np.asarray(otherwise).dtype
    return np.concatenate([*tables, np.full(SHAPE, otherwise, kind)]).ravel()


def on_terms(
    among: KnownTerms, governed_by: Places, outcomes: Places, counts: Places, wagers: Records
) -> OnTerms:  # fmt: skip
    """Where a result is missing any will do: nobody may ask."""
    begins, of_round = among.sheet_numbers * (SHAPE[0] * SHAPE[1]), among.of_round[governed_by]
    of_wager = np.repeat(of_round, counts)
    cells = np.repeat(begins[of_round] + np.maximum(outcomes, 0) * SHAPE[1], counts)
    cells += wagers["bet"]
    own = among.have_terminals[governed_by]
    if own.any():
        some, places = _by_terminal(among, np.repeat(own, counts), np.repeat(governed_by, counts), wagers["terminal"])
        cells[some] += begins[places] - begins[of_wager[some]]
        of_wager[some] = places
    return OnTerms(among, of_wager, cells)


def known_terms(used: Sequence[Circumstances]) -> KnownTerms:
    known: list[Terms] = []
    of_round = np.full(len(used) + 1, NO_TERMS, np.int64)
    terminals: dict[int, int] = {}
    for place, circumstances in enumerate(used):
        sums = {checksum(name): pay_table for name, pay_table in circumstances.pay_tables_by_terminal.items()}
        if len(sums) < len(circumstances.pay_tables_by_terminal):
            # Two terminals that only their names tell apart: left to the exact judgement.
            continue
        names = sorted({*sums.values(), *([circumstances.pay_table] if circumstances.pay_table is not None else [])})
        numbers = {name: len(known) + number for number, name in enumerate(names)}
        posted = tuple(circumstances.posted_odds.items())
        known += [
            Terms(place, circumstances, sheet_of(circumstances.rules(name), circumstances.offered, posted))
            for name in names
        ]
        of_round[place] = numbers.get(circumstances.pay_table or "", NO_TERMS)
        terminals |= {place << 32 | each: numbers[pay_table] for each, pay_table in sums.items()}
    return KnownTerms(tuple(known), of_round, terminals)


def _by_terminal(
    among: KnownTerms, asked: NDArray[np.bool_], governed_by: Places, sums: Places
) -> tuple[Places, Places]:  # fmt: skip
    """Those of the wagers asked about whose terminal's layout decides, and on which terms; a wager from no known
    terminal keeps its table's own pay table."""
    keys, values = among.by_terminal
    some = np.flatnonzero(asked)
    wanted = governed_by[some] << 32 | sums[some]
    place = np.searchsorted(keys, wanted).clip(max=len(keys) - 1)
    is_known = keys[place] == wanted
    return some[is_known], values[place[is_known]]
