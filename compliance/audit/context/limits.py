"""Wagers outside the table's limits, computed over the columns of a range."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from compliance.audit.context.rules_in_force import Indexes
from rounds.engine import BET_CODES
from rounds.engine.settle import NO_LIMITS
from rounds.intake.columns.round_encoding import NO_TIME, Flags

if TYPE_CHECKING:
    from compliance.audit.context.round_columns import RoundColumns


def outside_limits(columns: RoundColumns, counted: Flags) -> Flags:
    """For each counted wager: whether it is below the minimum, or its player's total on the box above the maximum."""
    low, high = _limits_per_wager(columns)
    found: Flags = (columns.stakes < low) | (columns.stakes > high)
    several = _in_boxes_with_several_wagers(columns, counted, high)
    if len(several):
        found[several] |= _holding_totals(columns, several) > high[several]
    return found & counted


def _limits_per_wager(columns: RoundColumns) -> tuple[Indexes, Indexes]:
    """The minimum and maximum for each wager, by the rules in force for its round and by its box; 0 and NO_TIME where
    there is none."""
    is_by_bet = any(used.limits_by_bet for used in columns.rules_used)
    bets = BET_CODES if is_by_bet else BET_CODES[:1]
    limits = [[used.limits_for(bet) for bet in bets] for used in columns.rules_used] + [[NO_LIMITS] * len(bets)]
    low = np.array([[each.minimum_cents or 0 for each in row] for row in limits])
    high = np.array([[NO_TIME if each.maximum_cents is None else each.maximum_cents for each in row] for row in limits])
    rules, box = columns.repeat_per_wager(columns.governed_by), columns.bets if is_by_bet else 0
    return low[rules, box], high[rules, box]


def _in_boxes_with_several_wagers(columns: RoundColumns, counted: Flags, high: Indexes) -> Indexes:
    """Wagers on boxes whose total exceeds one player's maximum. Only those can belong to a player above the maximum."""
    lowest = columns.reduce_per_round(np.minimum, high)
    crowded = columns.reduce_per_round(np.add, columns.stakes) > lowest
    wagers = np.flatnonzero(columns.repeat_per_wager(crowded) & counted)
    if not len(wagers) or columns.has_large_amounts:
        return wagers
    boxes = (np.cumsum(crowded) * len(BET_CODES))[columns.round_indexes[wagers]] + columns.bets[wagers]
    staked = np.bincount(boxes, columns.stakes[wagers])
    found: Indexes = wagers[staked[boxes] > high[wagers]]
    return found


def _holding_keys(columns: RoundColumns, some: Indexes) -> Indexes:
    """Round, box and player of each wager, packed into one number."""
    keys: Indexes = ((columns.round_indexes[some] << 7 | columns.bets[some]) << 32) | columns.wagers["holder"][some]
    return keys


def _holding_totals(columns: RoundColumns, some: Indexes) -> Indexes:
    """For each of these wagers, the player's total on its box in its round."""
    _, place = np.unique(_holding_keys(columns, some), return_inverse=True)
    totals = np.zeros(len(some), np.int64)
    np.add.at(totals, place, columns.stakes[some])
    together: Indexes = totals[place]
    return together
