"""Impact of each reading: the wagers that another choice would settle differently, and the money under both.

Plain wagers are computed in groups of equal ones; the wagers of exactly checked rounds one by one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from compliance.audit.checks.round.streaks import settled_streak_questions
from compliance.audit.context.pay_sheets import NO_TERMS_INDEX, SHEET_SHAPE, PaySheet, PayTerms
from compliance.audit.context.round_columns import RoundColumns
from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.rules_in_force import Indexes
from compliance.audit.context.streak_history import StreakHistory
from rounds.engine import (
    BET_CODES,
    BETS,
    OUTCOMES,
    EngineError,
    PostedOdds,
    Rules,
    WagerLimits,
    WagerQuestion,
    compile_rules,
    odds,
    settle,
    settle_wager,
)
from rounds.intake.columns.round_encoding import WITHDRAWN_INDEX, Flags

# Cached wagers per terms: outcome, bet and stake.
MAX_CACHED = 8_192
# A rule version, a reading, and a choice of it that the version does not adopt.
ReadingChoice = tuple[int, str, str]


@dataclass
class Impact:
    """Wagers that the choice would settle differently, what they are due as adopted, and what under the choice."""

    wagers: int = 0
    adopted_cents: int = 0
    other_cents: int = 0


@dataclass
class ImpactSum:
    """Adds up the impacts of a range."""

    impacts: dict[ReadingChoice, Impact] = field(default_factory=dict)

    def add(self, version: int, settled: Iterable[AlternativeResult], times: int = 1) -> None:
        for otherwise in settled:
            impact = self.impacts.setdefault((version, otherwise.reading, otherwise.choice), Impact())
            impact.wagers += times
            impact.adopted_cents += times * otherwise.adopted_cents
            impact.other_cents += times * otherwise.other_cents


class AlternativeResult(NamedTuple):
    """What a choice that is not adopted would give for one wager."""

    reading: str
    choice: str
    adopted_cents: int
    other_cents: int


def _alternative_results(rules: Rules, question: WagerQuestion) -> tuple[AlternativeResult, ...]:
    try:
        adopted = settle_wager(rules, question)
    except EngineError:
        return ()
    return tuple(
        AlternativeResult(other.reading, other.choice, adopted.returned_cents or 0, other.returned_cents or 0)
        for other in settle.alternative_settlements(rules, question, adopted)
    )


def total_impact(
    columns: RoundColumns, exactly: Iterable[RoundContext], streak_history: StreakHistory
) -> Mapping[ReadingChoice, Impact]:
    """Counts every round once: `exactly` one by one, the others from their columns."""
    [impacts] = impact_by_range(columns, [0], exactly, streak_history)
    return impacts


def impact_by_range(
    columns: RoundColumns, firsts: Sequence[int], exactly: Iterable[RoundContext], streak_history: StreakHistory
) -> list[Mapping[ReadingChoice, Impact]]:
    """The impacts of each range that begins at `firsts`."""
    sums, one_by_one = [ImpactSum() for _ in firsts], list(exactly)
    _add_column_impacts(sums, columns, firsts, {context.index for context in one_by_one})
    for context in one_by_one:
        _add_round_impact(sums[bisect_right(firsts, context.index) - 1], context, streak_history)
    return [dict(sorted(each.impacts.items())) for each in sums]


def _add_round_impact(sums: ImpactSum, context: RoundContext, streak_history: StreakHistory) -> None:
    version = context.rules_in_force.version.id
    if context.void_grounds is None:
        for position in context.positions:
            question = settle.question_to_settle(context, position)
            if question is not None:
                sums.add(version, _alternative_results(*question))
    for rules, asked in settled_streak_questions(context, streak_history):
        sums.add(version, _alternative_results(rules, asked))


def _add_column_impacts(
    sums: Sequence[ImpactSum], columns: RoundColumns, firsts: Sequence[int], left_out: Collection[int]
) -> None:
    """Wagers with the same stake, box and result are settled once and multiplied by their number in each range."""
    rounds, known = ~np.isin(columns.indexes, list(left_out)), columns.known_terms.known
    range_of_round = np.searchsorted(firsts, columns.indexes, side="right") - 1
    affected = [
        _affected_wagers(part, rounds[part.round_slice], range_of_round[part.round_slice]) for part in columns.parts
    ]
    places, cell, cents, range_of_wager = np.concatenate(affected, axis=1)
    stakes, stake = np.unique(cents, return_inverse=True)
    shape = (max(1, len(known)), *SHEET_SHAPE, max(1, len(stakes)), len(firsts))
    key = ((places * (SHEET_SHAPE[0] * SHEET_SHAPE[1]) + cell) * shape[3] + stake) * shape[4] + range_of_wager
    found, counts = np.unique(key, return_counts=True)
    kinds, kind = np.unique(found // shape[4], return_inverse=True)
    times = np.zeros((len(kinds), len(firsts)), np.int64)
    times[kind, found % shape[4]] = counts
    cells = zip(*(part.tolist() for part in np.unravel_index(kinds, shape[:4])), strict=True)
    caches, cents = [_cache_for_terms(terms) for terms in known], stakes.tolist()
    versions = [terms.rules_in_force.version.id for terms in known]
    settled = [
        (versions[place], caches[place].results_for(outcome, bet, cents[number]))
        for place, outcome, bet, number in cells
    ]
    _add_counted_results(sums, settled, times)


def _affected_wagers(columns: RoundColumns, rounds: Flags, range_of_round: Indexes) -> Indexes:
    """Of wagers that another choice may settle differently: terms, outcome and bet packed into one number, stake,
    range."""
    terms = columns.wager_terms
    some = terms.lookup_cells(_affected_sheet_cells, False)
    if any(map(_affects_every_box, terms.known)):
        some |= terms.lookup_terms(_affects_every_box, 0) > 0
    some &= columns.verdicts != WITHDRAWN_INDEX
    some &= columns.repeat_per_wager(rounds)
    wagers = np.flatnonzero(some)
    wagers = wagers[terms.of_wager[wagers] != NO_TERMS_INDEX]
    return np.stack(
        [
            terms.of_wager[wagers],
            terms.cells[wagers] % (SHEET_SHAPE[0] * SHEET_SHAPE[1]),
            columns.stakes[wagers],
            range_of_round[columns.round_indexes[wagers]],
        ]
    )


def _add_counted_results(
    sums: Sequence[ImpactSum], settled: Sequence[tuple[int, tuple[AlternativeResult, ...]]], times: Indexes
) -> None:
    """Adds, by version and choice, the results of all kinds of wagers times their number in each range."""
    choices: dict[ReadingChoice, list[tuple[int, int, int]]] = {}
    for kind, (version, otherwise) in enumerate(settled):
        for reading, choice, adopted, other in otherwise:
            choices.setdefault((version, reading, choice), []).append((kind, adopted, other))
    for name, of_kinds in choices.items():
        kinds, adopted, other = np.array(of_kinds, np.int64).T
        own = times[kinds]
        totals = zip(own.sum(axis=0).tolist(), (adopted @ own).tolist(), (other @ own).tolist(), strict=True)
        for each, (wagers, adopted_cents, other_cents) in zip(sums, totals, strict=True):
            if wagers:
                impact = each.impacts.setdefault(name, Impact())
                impact.wagers += wagers
                impact.adopted_cents += adopted_cents
                impact.other_cents += other_cents


def _affects_every_box(terms: PayTerms) -> bool:
    """Whether a reading may change the settlement of a stake on any box."""
    return terms.rules_in_force.limits.needs_multiples and _has_alternative_settlement(terms.sheet.rules)


@dataclass(frozen=True, eq=False)
class AlternativeCache:
    """Results of other choices for wagers under the same terms. Cached, because the same stakes on the same boxes recur
    all day."""

    rules: Rules
    limits: WagerLimits
    limits_by_bet: Mapping[str, WagerLimits]
    posted_odds: Mapping[str, PostedOdds]
    offered: frozenset[str]
    known: dict[tuple[int, int, int], tuple[AlternativeResult, ...]] = field(default_factory=dict)

    def results_for(self, outcome: int, bet: int, stake_cents: int) -> tuple[AlternativeResult, ...]:
        found = self.known.get((outcome, bet, stake_cents))
        if found is None:
            if len(self.known) >= MAX_CACHED:
                self.known.clear()
            found = self.known[outcome, bet, stake_cents] = _alternative_results(
                self.rules,
                WagerQuestion(
                    bet=BETS[BET_CODES[bet]],
                    stake_cents=stake_cents,
                    outcome=OUTCOMES[outcome],
                    limits=self.limits_by_bet.get(BET_CODES[bet], self.limits),
                    posted_odds=self.posted_odds.get(BET_CODES[bet]),
                    offered=self.offered,
                ),
            )
        return found


def _cache_for_terms(terms: PayTerms) -> AlternativeCache:
    rules_in_force = terms.rules_in_force
    by_bet, posted = tuple(rules_in_force.limits_by_bet.items()), tuple(rules_in_force.posted_odds.items())
    return _shared_cache(terms.sheet.rules, rules_in_force.limits, by_bet, posted, rules_in_force.offered)


@lru_cache(maxsize=16)
def _shared_cache(
    rules: Rules,
    limits: WagerLimits,
    limits_by_bet: tuple[tuple[str, WagerLimits], ...],
    posted_odds: tuple[tuple[str, PostedOdds], ...],
    offered: frozenset[str],
) -> AlternativeCache:
    return AlternativeCache(rules, limits, dict(limits_by_bet), dict(posted_odds), offered)


def _affected_sheet_cells(sheet: PaySheet) -> Flags:
    return pay_table_cells_affected(sheet.rules)


@lru_cache(maxsize=256)
def pay_table_cells_affected(rules: Rules) -> Flags:
    """By outcome and bet: whether another choice has different odds there."""
    mine = odds.build_payout_matrix(rules)
    found = np.zeros(mine.numerator.shape, np.bool_)
    for other in map(odds.build_payout_matrix, _alternative_rules(rules)):
        found |= mine.numerator * other.denominator != other.numerator * mine.denominator
        found |= mine.settles_in_a_round != other.settles_in_a_round
        # Minimum odds in one reading and exact odds in the other differ where higher odds are posted.
        found |= mine.has_minimum_odds != other.has_minimum_odds
    return found


@lru_cache(maxsize=256)
def _has_alternative_settlement(rules: Rules) -> bool:
    return any(other.law.settlement != rules.law.settlement for other in _alternative_rules(rules))


def _alternative_rules(rules: Rules) -> list[Rules]:
    adopted = dict(rules.adopted)
    return [
        compile_rules(rules.pack, rules.pay_table, adopted | {name: choice})
        for name, reading in rules.pack.readings.items()
        for choice in reading.choices
        if choice != adopted[name]
    ]
