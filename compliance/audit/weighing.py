"""What hangs on each reading: wagers that another choice would settle otherwise, and the money on either side.

Plain wagers are weighed together, alike with alike; the wagers of rounds that are judged exactly, one by one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from compliance.audit.checks.mistakes import asked_of, is_set_aside
from compliance.audit.checks.positions import Held, Position, held_together, positions_of
from compliance.audit.checks.streaks import settled_streaks
from compliance.audit.checks.voids import void_grounds
from compliance.audit.circumstances import Places
from compliance.audit.columns import Columns
from compliance.audit.packing import WITHDRAWN, Flags
from compliance.audit.seen import RoundSeen
from compliance.audit.streaks import StreakBook
from compliance.audit.terms import NO_TERMS, SHAPE, Sheet, Terms
from rounds.engine.alternatives import alternatives
from rounds.engine.bets import BET_CODES, BETS
from rounds.engine.errors import EngineError
from rounds.engine.matrix import matrix_of
from rounds.engine.outcomes import OUTCOMES
from rounds.engine.rules import Rules, rules_for
from rounds.engine.settle import settle_under
from rounds.engine.settlement import Limits, Posted, WagerAsked

# Of one kind of wager a stake; so many are kept for the same terms.
MOST_KNOWN = 8_192
# A rule version, a reading, and a choice of it that the version does not adopt.
Choice = tuple[int, str, str]


@dataclass
class Weight:
    """Wagers that the choice would settle otherwise; what they are due as adopted, and what under the choice."""

    wagers: int = 0
    adopted_cents: int = 0
    other_cents: int = 0


@dataclass
class Scales:
    """Adds up a stretch, wager by wager or many alike at once."""

    weights: dict[Choice, Weight] = field(default_factory=dict)

    def add(self, version: int, settled: Iterable[Otherwise], times: int = 1) -> None:
        for otherwise in settled:
            weight = self.weights.setdefault((version, otherwise.reading, otherwise.choice), Weight())
            weight.wagers += times
            weight.adopted_cents += times * otherwise.adopted_cents
            weight.other_cents += times * otherwise.other_cents


class Otherwise(NamedTuple):
    """What one choice that is not adopted would make of a wager."""

    reading: str
    choice: str
    adopted_cents: int
    other_cents: int


def _otherwise(rules: Rules, asked: WagerAsked) -> tuple[Otherwise, ...]:
    try:
        adopted = settle_under(rules, asked)
    except EngineError:
        return ()
    return tuple(
        Otherwise(other.reading, other.choice, adopted.returned_cents or 0, other.returned_cents or 0)
        for other in alternatives(rules, asked, adopted)
    )


def weigh(columns: Columns, exactly: Iterable[RoundSeen], book: StreakBook) -> Mapping[Choice, Weight]:
    """Every round of the columns once: those given one by one, the others by their columns."""
    [weights] = weigh_stretches(columns, [0], exactly, book)
    return weights


def weigh_stretches(
    columns: Columns, firsts: Sequence[int], exactly: Iterable[RoundSeen], book: StreakBook
) -> list[Mapping[Choice, Weight]]:
    """Of each of the stretches that begin there."""
    scales, one_by_one = [Scales() for _ in firsts], list(exactly)
    _weigh_columns(scales, columns, firsts, {seen.index for seen in one_by_one})
    for seen in one_by_one:
        _weigh_round(scales[bisect_right(firsts, seen.index) - 1], seen, book)
    return [dict(sorted(each.weights.items())) for each in scales]


def _weigh_round(scales: Scales, seen: RoundSeen, book: StreakBook) -> None:
    version = seen.circumstances.version.id
    if void_grounds(seen) is None:
        positions = positions_of(seen)
        held = held_together(seen, positions)
        for position in positions:
            question = _question(seen, position, held.get(position.wager.id))
            if question is not None:
                scales.add(version, _otherwise(*question))
    for rules, asked in settled_streaks(seen, book):
        scales.add(version, _otherwise(rules, asked))


def _question(seen: RoundSeen, position: Position, held: Held | None) -> tuple[Rules, WagerAsked] | None:
    """None where the wager's money does not depend on what its box pays."""
    pay_table = seen.circumstances.pay_table_of(position.wager.terminal)
    if pay_table is None or position.wager.verdict == "open" or is_set_aside(seen, position):
        return None
    if position.was_placed_late or position.was_withdrawn:
        return None
    if seen.voided is not None and position.wager.id in seen.voided.wagers:
        return None
    return seen.circumstances.rules(pay_table), asked_of(seen, position, held)


def _weigh_columns(
    scales: Sequence[Scales], columns: Columns, firsts: Sequence[int], left_out: Collection[int]
) -> None:  # fmt: skip
    """Wagers of one stake on one box at one result are weighed once and counted, for each stretch."""
    rounds, known = ~np.isin(columns.indexes, list(left_out)), columns.known_terms.known
    stretches = np.searchsorted(firsts, columns.indexes, side="right") - 1
    asked_about = [_in_question(part, rounds[part.rounds], stretches[part.rounds]) for part in columns.parts]
    places, cell, cents, stretch = np.concatenate(asked_about, axis=1)
    stakes, stake = np.unique(cents, return_inverse=True)
    shape = (max(1, len(known)), *SHAPE, max(1, len(stakes)), len(firsts))
    key = ((places * (SHAPE[0] * SHAPE[1]) + cell) * shape[3] + stake) * shape[4] + stretch
    found, counts = np.unique(key, return_counts=True)
    kinds, kind = np.unique(found // shape[4], return_inverse=True)
    times = np.zeros((len(kinds), len(firsts)), np.int64)
    times[kind, found % shape[4]] = counts
    asked = zip(*(part.tolist() for part in np.unravel_index(kinds, shape[:4])), strict=True)
    weighed, cents = [_weighed(terms) for terms in known], stakes.tolist()
    versions = [terms.circumstances.version.id for terms in known]
    settled = [
        (versions[place], weighed[place].of(outcome, bet, cents[number])) for place, outcome, bet, number in asked
    ]
    _count(scales, settled, times)


def _in_question(columns: Columns, rounds: Flags, stretches: Places) -> Places:
    """Of the wagers that another choice may settle otherwise: terms, outcome and bet as one number, stake, stretch."""
    terms = columns.terms
    some = terms.look_up(_sheet_in_question, False)
    if any(map(_needs_every, terms.known)):
        some |= terms.by_terms(_needs_every, 0) > 0
    some &= columns.verdicts != WITHDRAWN
    some &= columns.spread(rounds)
    wagers = np.flatnonzero(some)
    wagers = wagers[terms.of_wager[wagers] != NO_TERMS]
    return np.stack(
        [
            terms.of_wager[wagers], terms.cells[wagers] % (SHAPE[0] * SHAPE[1]), columns.stakes[wagers],
            stretches[columns.round_of[wagers]],
        ]
    )  # fmt: skip


def _count(scales: Sequence[Scales], settled: Sequence[tuple[int, tuple[Otherwise, ...]]], times: Places) -> None:
    """Many alike: by version and choice, the sums over all kinds of wagers, so many times in each stretch."""
    choices: dict[Choice, list[tuple[int, int, int]]] = {}
    for kind, (version, otherwise) in enumerate(settled):
        for reading, choice, adopted, other in otherwise:
            choices.setdefault((version, reading, choice), []).append((kind, adopted, other))
    for name, of_kinds in choices.items():
        kinds, adopted, other = np.array(of_kinds, np.int64).T
        own = times[kinds]
        sums = zip(own.sum(axis=0).tolist(), (adopted @ own).tolist(), (other @ own).tolist(), strict=True)
        for each, (wagers, adopted_cents, other_cents) in zip(scales, sums, strict=True):
            if wagers:
                weight = each.weights.setdefault(name, Weight())
                weight.wagers += wagers
                weight.adopted_cents += adopted_cents
                weight.other_cents += other_cents


def _needs_every(terms: Terms) -> bool:
    """Whether what a stake comes to may hang on a reading wherever it lies."""
    return terms.circumstances.limits.needs_multiples and _has_rival_settlement(terms.sheet.rules)


@dataclass(frozen=True, eq=False)
class Weighed:
    """What other choices make of wagers under the same terms. Kept, because people put down the same stakes on the same
    boxes all day."""

    rules: Rules
    limits: Limits
    posted_odds: Mapping[str, Posted]
    offered: frozenset[str]
    known: dict[tuple[int, int, int], tuple[Otherwise, ...]] = field(default_factory=dict)

    def of(self, outcome: int, bet: int, stake_cents: int) -> tuple[Otherwise, ...]:
        found = self.known.get((outcome, bet, stake_cents))
        if found is None:
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            found = self.known[outcome, bet, stake_cents] = _otherwise(
                self.rules,
                WagerAsked(
                    bet=BETS[BET_CODES[bet]], stake_cents=stake_cents, outcome=OUTCOMES[outcome], limits=self.limits,
                    posted_odds=self.posted_odds.get(BET_CODES[bet]), offered=self.offered,
                ),
            )  # fmt: skip
        return found


def _weighed(terms: Terms) -> Weighed:
    circumstances = terms.circumstances
    posted = tuple(circumstances.posted_odds.items())
    return _weighed_alike(terms.sheet.rules, circumstances.limits, posted, circumstances.offered)


@lru_cache(maxsize=16)
def _weighed_alike(
    rules: Rules, limits: Limits, posted_odds: tuple[tuple[str, Posted], ...], offered: frozenset[str]
) -> Weighed:
    return Weighed(rules, limits, dict(posted_odds), offered)


def _sheet_in_question(sheet: Sheet) -> Flags:
    return cells_in_question(sheet.rules)


@lru_cache(maxsize=256)
def cells_in_question(rules: Rules) -> Flags:
    """By outcome and bet: whether any other choice has odds there that the adopted readings do not have."""
    mine = matrix_of(rules)
    found = np.zeros(mine.numerator.shape, np.bool_)
    for other in map(matrix_of, _rivals(rules)):
        found |= mine.numerator * other.denominator != other.numerator * mine.denominator
        found |= mine.settles_in_a_round != other.settles_in_a_round
        # Odds that are floors in one reading and exact in the other differ where higher ones are posted.
        found |= mine.has_minimum_odds != other.has_minimum_odds
    return found


@lru_cache(maxsize=256)
def _has_rival_settlement(rules: Rules) -> bool:
    return any(other.law.settlement != rules.law.settlement for other in _rivals(rules))


def _rivals(rules: Rules) -> list[Rules]:
    adopted = dict(rules.adopted)
    return [
        rules_for(rules.pack, rules.pay_table, adopted | {name: choice})
        for name, reading in rules.pack.readings.items()
        for choice in reading.choices
        if choice != adopted[name]
    ]
