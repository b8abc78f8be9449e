"""What hangs on each reading: wagers that another choice would settle otherwise, and the money on either side.

Plain wagers are weighed together, alike with alike; the wagers of rounds that are judged exactly, one by one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

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
from rounds.engine.settlement import WagerAsked

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

    def add(self, version: int, rules: Rules, asked: WagerAsked, times: int = 1) -> None:
        try:
            adopted = settle_under(rules, asked)
        except EngineError:
            return
        for other in alternatives(rules, asked, adopted):
            weight = self.weights.setdefault((version, other.reading, other.choice), Weight())
            weight.wagers += times
            weight.adopted_cents += times * (adopted.returned_cents or 0)
            weight.other_cents += times * (other.returned_cents or 0)


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
                scales.add(version, *question)
    for rules, asked in settled_streaks(seen, book):
        scales.add(version, rules, asked)


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
    chosen = np.stack((outcomes[candidates], wagers["bet"][candidates], wagers["stake"][candidates]), axis=1)
    kinds, counts = np.unique(chosen, axis=0, return_counts=True)
    for (outcome, bet, stake), times in zip(kinds.tolist(), counts.tolist(), strict=True):
        code = BET_CODES[bet]
        asked = WagerAsked(
            bet=BETS[code], stake_cents=stake, outcome=OUTCOMES[outcome], limits=circumstances.limits,
            posted_odds=circumstances.posted_odds.get(code), offered=circumstances.offered,
        )  # fmt: skip
        scales.add(circumstances.version.id, rules, asked, times)


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
