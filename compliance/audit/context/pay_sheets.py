"""Pay sheets: lookup tables of what each bet pays at each outcome, and which of them applies to each wager.

Which sheet applies depends on the rules in force and the terminal's pay table. A lookup settles a million wagers at
once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compliance.audit.context.rules_in_force import Indexes
from rounds.engine import BET_CODES, BET_INDEX, OUTCOMES, PostedOdds, Rules, RulesInForce
from rounds.engine import odds as engine_odds
from rounds.intake.columns.round_encoding import VERDICT_INDEX, Records, name_checksum

SHEET_SHAPE = (len(OUTCOMES), len(BET_CODES))
WIN, LOSE = VERDICT_INDEX["win"], VERDICT_INDEX["lose"]
# No wager is reported with this verdict.
UNSETTLED_VERDICT = 255
NO_TERMS_INDEX = -1


@dataclass(frozen=True, eq=False)
class PaySheet:
    """What each bet pays at each outcome, under given rules, offered bets and posted odds.

    By outcome and bet: `numerator` / `denominator` is what one cent wins; `payout_numerator` / `denominator` what is
    returned for it, stake included; `verdicts` the verdict due. `settles`: by bet, whether the sheet settles it at all
    (approved, offered, decided in one round).
    """

    rules: Rules
    numerator: Indexes
    denominator: Indexes
    payout_numerator: Indexes
    verdicts: NDArray[np.uint8]
    settles: NDArray[np.bool_]


@lru_cache(maxsize=256)
def pay_sheet_for(rules: Rules, offered: frozenset[str], posted_odds: tuple[tuple[str, PostedOdds], ...]) -> PaySheet:
    """Cached across blocks, because rules, offer and odds rarely change."""
    numerator, denominator = _odds_in_force(rules, posted_odds)
    settles = engine_odds.build_payout_matrix(rules).settles_in_a_round & np.array(
        [code in offered for code in BET_CODES]
    )
    gives = np.where(numerator > 0, numerator + denominator, 0)
    verdicts = np.where(settles, np.where(numerator > 0, WIN, LOSE), UNSETTLED_VERDICT).astype(np.uint8)
    return PaySheet(rules, numerator, denominator, gives, verdicts, settles)


def _odds_in_force(rules: Rules, posted_odds: tuple[tuple[str, PostedOdds], ...]) -> tuple[Indexes, Indexes]:
    """The posted odds where they bind; otherwise the document's."""
    matrix = engine_odds.build_payout_matrix(rules)
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
class PayTerms:
    """One pay table under rules in force. `governed_by` is their index among the rules of the range."""

    governed_by: int
    rules_in_force: RulesInForce
    sheet: PaySheet


@dataclass(frozen=True, eq=False)
class TermsTable:
    """All PayTerms of a range. `of_round`: by index of rules, the terms of wagers without a terminal. `terminals`: the
    terms of terminals, by index of rules and checksum of the terminal packed into one number. The last item of each
    list means none."""

    known: tuple[PayTerms, ...]
    of_round: Indexes
    terminals: Mapping[int, int]

    @cached_property
    def sheets(self) -> tuple[PaySheet, ...]:
        return tuple({id(terms.sheet): terms.sheet for terms in self.known}.values())

    @cached_property
    def sheet_numbers(self) -> Indexes:
        """By index of terms, the index of their sheet."""
        place = {id(sheet): number for number, sheet in enumerate(self.sheets)}
        return np.array([*(place[id(terms.sheet)] for terms in self.known), len(self.sheets)], np.int64)

    @cached_property
    def term_numbers_within_rules(self) -> Indexes:
        """By index of terms, their number among the terms of the same rules."""
        first: dict[int, int] = {}
        numbers = [number - first.setdefault(terms.governed_by, number) for number, terms in enumerate(self.known)]
        return np.array([*numbers, 0], np.int64)

    @cached_property
    def has_terminal_terms(self) -> NDArray[np.bool_]:
        """By index of rules, whether any terminal has its own terms."""
        found = np.zeros(len(self.of_round), np.bool_)
        found[[key >> 32 for key in self.terminals]] = True
        return found

    @cached_property
    def by_terminal(self) -> tuple[Indexes, Indexes]:
        """The keys of `terminals` sorted, and the terms of each, for a binary search."""
        keys = np.array(sorted(self.terminals), np.int64)
        return keys, np.array([self.terminals[key] for key in keys.tolist()], np.int64)


@dataclass(frozen=True, eq=False)
class WagerTerms:
    """The terms of each wager. `of_wager` is an index into `known`, or NO_TERMS_INDEX; `cells` packs sheet, outcome and
    bet."""

    terms_table: TermsTable
    of_wager: Indexes
    cells: Indexes

    @property
    def known(self) -> tuple[PayTerms, ...]:
        return self.terms_table.known

    def lookup_cells(self, column: Callable[[PaySheet], NDArray[Any]], otherwise: int) -> NDArray[Any]:
        """For each wager, the value in its cell of the sheet. Cached by `column`, so pass a module-level function."""
        return np.take(_concatenate_cells(self.terms_table.sheets, column, otherwise), self.cells)

    def lookup_terms(self, value: Callable[[PayTerms], int], otherwise: int) -> Indexes:
        """For each wager, a value of its terms, whatever the bet."""
        values: Indexes = np.array([*map(value, self.known), otherwise], np.int64)[self.of_wager]
        return values


@lru_cache(maxsize=16)
def _concatenate_cells(
    sheets: tuple[PaySheet, ...], column: Callable[[PaySheet], NDArray[Any]], otherwise: int
) -> NDArray[Any]:
    """The cells of all sheets in one array, followed by a sheet of `otherwise` for NO_TERMS_INDEX."""
    tables = [np.broadcast_to(column(sheet), SHEET_SHAPE) for sheet in sheets]
    kind = tables[0].dtype if tables else np.asarray(otherwise).dtype
    return np.concatenate([*tables, np.full(SHEET_SHAPE, otherwise, kind)]).ravel()


def assign_terms(
    among: TermsTable, governed_by: Indexes, outcomes: Indexes, counts: Indexes, wagers: Records
) -> WagerTerms:
    """Finds the terms and cell of each wager. A round without an outcome gets any cell; callers must not use it."""
    begins, of_round = among.sheet_numbers * (SHEET_SHAPE[0] * SHEET_SHAPE[1]), among.of_round[governed_by]
    of_wager = np.repeat(of_round, counts)
    cells = np.repeat(begins[of_round] + np.maximum(outcomes, 0) * SHEET_SHAPE[1], counts)
    cells += wagers["bet"]
    own = among.has_terminal_terms[governed_by]
    if own.any():
        some, places = _terms_by_terminal(
            among, np.repeat(own, counts), np.repeat(governed_by, counts), wagers["terminal"]
        )
        cells[some] += begins[places] - begins[of_wager[some]]
        of_wager[some] = places
    return WagerTerms(among, of_wager, cells)


def build_terms_table(used: Sequence[RulesInForce]) -> TermsTable:
    known: list[PayTerms] = []
    of_round = np.full(len(used) + 1, NO_TERMS_INDEX, np.int64)
    terminals: dict[int, int] = {}
    for place, rules_in_force in enumerate(used):
        sums = {name_checksum(name): pay_table for name, pay_table in rules_in_force.pay_tables_by_terminal.items()}
        if len(sums) < len(rules_in_force.pay_tables_by_terminal):
            # Two terminals have the same checksum: without terms, so that screening selects all their rounds.
            continue
        names = sorted({*sums.values(), *([rules_in_force.pay_table] if rules_in_force.pay_table is not None else [])})
        numbers = {name: len(known) + number for number, name in enumerate(names)}
        posted = tuple(rules_in_force.posted_odds.items())
        known += [
            PayTerms(
                place,
                rules_in_force,
                pay_sheet_for(rules_in_force.rules_for_pay_table(name), rules_in_force.offered, posted),
            )
            for name in names
        ]
        of_round[place] = numbers.get(rules_in_force.pay_table or "", NO_TERMS_INDEX)
        terminals |= {place << 32 | each: numbers[pay_table] for each, pay_table in sums.items()}
    return TermsTable(tuple(known), of_round, terminals)


def _terms_by_terminal(
    among: TermsTable, selected: NDArray[np.bool_], governed_by: Indexes, sums: Indexes
) -> tuple[Indexes, Indexes]:
    """The wagers whose terminal has its own terms, and those terms. A wager from an unknown terminal keeps the table's
    pay table."""
    keys, values = among.by_terminal
    some = np.flatnonzero(selected)
    wager_keys = governed_by[some] << 32 | sums[some]
    place = np.searchsorted(keys, wager_keys).clip(max=len(keys) - 1)
    is_known = keys[place] == wager_keys
    return some[is_known], values[place[is_known]]
