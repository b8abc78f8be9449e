"""Wagers outside the table's limits, computed over the columns of a range."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from compliance.audit.context.rules_in_force import Indexes
from rounds.engine import BET_CODES
from rounds.intake.columns.round_encoding import NO_TIME, Flags

if TYPE_CHECKING:
    from compliance.audit.context.round_columns import RoundColumns


def outside_limits(columns: RoundColumns, counted: Flags) -> Flags:
    """For each counted wager: whether it is below the minimum, or its player's total on the box above the maximum."""
    limits = [used.limits for used in columns.rules_used]
    low = np.array([*(each.minimum_cents or 0 for each in limits), 0])[columns.governed_by]
    high = np.array([*(NO_TIME if each.maximum_cents is None else each.maximum_cents for each in limits), NO_TIME])
    high = high[columns.governed_by]
    found: Flags = (columns.stakes < columns.repeat_per_wager(low)) | (columns.stakes > columns.repeat_per_wager(high))
    several = _in_boxes_with_several_wagers(columns, counted, high)
    if len(several):
        found[several] |= _holding_totals(columns, several) > high[columns.round_indexes[several]]
    return found & counted


def _in_boxes_with_several_wagers(columns: RoundColumns, counted: Flags, high: Indexes) -> Indexes:
    """Wagers on boxes whose total exceeds one player's maximum. Only those can belong to a player above the maximum."""
    crowded = columns.reduce_per_round(np.add, columns.stakes) > high
    wagers = np.flatnonzero(columns.repeat_per_wager(crowded) & counted)
    if not len(wagers) or columns.has_large_amounts:
        return wagers
    boxes = (np.cumsum(crowded) * len(BET_CODES))[columns.round_indexes[wagers]] + columns.bets[wagers]
    staked = np.bincount(boxes, columns.stakes[wagers])
    found: Indexes = wagers[staked[boxes] > high[columns.round_indexes[wagers]]]
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
