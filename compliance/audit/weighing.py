"""What hangs on each reading: wagers that another choice would settle otherwise, and the money on either side.

Plain wagers are weighed together, alike with alike; the wagers of rounds that are judged exactly, one by one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from compliance.audit.checks.mistakes import asked_of, is_set_aside
from compliance.audit.checks.positions import Held, Position, held_together, positions_of
from compliance.audit.checks.quick import WITHDRAWN, by_pay_table
from compliance.audit.checks.streaks import settled_streaks
from compliance.audit.checks.voids import void_grounds
from compliance.audit.circumstances import Places
from compliance.audit.columns import Columns, Flags
from compliance.audit.packing import Records
from compliance.audit.seen import Circumstances, RoundSeen
from compliance.audit.streaks import StreakBook
from rounds.engine.alternatives import alternatives
from rounds.engine.bets import BET_CODES, BETS
from rounds.engine.errors import EngineError
from rounds.engine.matrix import matrix_of
from rounds.engine.outcomes import OUTCOMES
from rounds.engine.rules import Rules, rules_for
from rounds.engine.settle import settle_under
from rounds.engine.settlement import Limits, Posted, WagerAsked

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
    scales, one_by_one = Scales(), list(exactly)
    _weigh_columns(scales, columns, {seen.index for seen in one_by_one})
    for seen in one_by_one:
        _weigh_round(scales, seen, book)
    return dict(sorted(scales.weights.items()))


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


def _weigh_columns(scales: Scales, columns: Columns, left_out: Collection[int]) -> None:
    rounds = ~np.isin(columns.indexes, list(left_out))
    for place, circumstances in enumerate(columns.used):
        looked_at = (rounds & (columns.governed_by == place))[columns.round_of]
        looked_at &= columns.wagers["verdict"] != WITHDRAWN
        wagers, outcomes = columns.wagers[looked_at], columns.outcomes[columns.round_of[looked_at]]
        for pay_table, own in by_pay_table(circumstances, wagers):
            if pay_table is not None:
                _weigh_alike(scales, circumstances, circumstances.rules(pay_table), wagers[own], outcomes[own])


def _weigh_alike(scales: Scales, circumstances: Circumstances, rules: Rules, wagers: Records, outcomes: Places) -> None:
    """Wagers of one stake on one box at one result are weighed once and counted."""
    needs_every = circumstances.limits.needs_multiples and _has_rival_settlement(rules)
    candidates = np.ones(len(wagers), np.bool_) if needs_every else _cells_in_question(rules)[outcomes, wagers["bet"]]
    stakes, stake = np.unique(wagers["stake"][candidates], return_inverse=True)
    shape = (len(OUTCOMES), len(BET_CODES), max(1, len(stakes)))
    chosen = np.ravel_multi_index((outcomes[candidates], wagers["bet"][candidates], stake), shape)
    kinds, counts = np.unique(chosen, return_counts=True)
    places = zip(*(part.tolist() for part in np.unravel_index(kinds, shape)), counts.tolist(), strict=True)
    cents: list[int] = stakes.tolist()
    for outcome, bet, place, times in places:
        posted = circumstances.posted_odds.get(BET_CODES[bet])
        settled = _settled_otherwise(
            rules, outcome, bet, cents[place], circumstances.limits, posted, circumstances.offered
        )
        scales.add(circumstances.version.id, settled, times)


@lru_cache(maxsize=65536)
def _settled_otherwise(
    rules: Rules, outcome: int, bet: int, stake_cents: int, limits: Limits, posted: Posted | None,
    offered: frozenset[str],
) -> tuple[Otherwise, ...]:  # fmt: skip
    """Kept, because people put down the same stakes on the same boxes all day."""
    return _otherwise(
        rules,
        WagerAsked(
            bet=BETS[BET_CODES[bet]], stake_cents=stake_cents, outcome=OUTCOMES[outcome], limits=limits,
            posted_odds=posted, offered=offered,
        ),
    )  # fmt: skip


@lru_cache(maxsize=256)
def _cells_in_question(rules: Rules) -> Flags:
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
