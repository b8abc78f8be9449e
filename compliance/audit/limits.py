"""Wagers outside their table's limits, over the columns of a stretch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from compliance.audit.circumstances import Places
from compliance.audit.packing import NEVER, Flags
from rounds.engine.bets import BET_CODES

if TYPE_CHECKING:
    from compliance.audit.columns import Columns


def outside_limits(columns: Columns, counted: Flags) -> Flags:
    """Whether a wager is below the minimum, or what its player has on its box in its round above the maximum; of those
    that are counted."""
    limits = [used.limits for used in columns.used]
    low = np.array([*(each.minimum_cents or 0 for each in limits), 0])[columns.governed_by]
    high = np.array([*(NEVER if each.maximum_cents is None else each.maximum_cents for each in limits), NEVER])
    high = high[columns.governed_by]
    found: Flags = (columns.stakes < columns.spread(low)) | (columns.stakes > columns.spread(high))
    several = _crowded(columns, counted, high)
    if len(several):
        found[several] |= _held_together(columns, several) > high[columns.round_of[several]]
    return found & counted


def _crowded(columns: Columns, counted: Flags, high: Places) -> Places:
    """The wagers that lie on boxes with more on them than one player may have there, in rounds in which that much was
    staked at all: where all that lies on a box is within the maximum, nobody's share of it can be above."""
    crowded = columns.over_rounds(np.add, columns.stakes) > high
    wagers = np.flatnonzero(columns.spread(crowded) & counted)
    if not len(wagers) or columns.are_large:
        return wagers
    boxes = (np.cumsum(crowded) * len(BET_CODES))[columns.round_of[wagers]] + columns.bets[wagers]
    staked = np.bincount(boxes, columns.stakes[wagers])
    found: Places = wagers[staked[boxes] > high[columns.round_of[wagers]]]
    return found


def _holdings(columns: Columns, some: Places) -> Places:
    """Round, box and player of each as one number."""
    keys: Places = ((columns.round_of[some] << 7 | columns.bets[some]) << 32) | columns.wagers["holder"][some]
    return keys


def _held_together(columns: Columns, some: Places) -> Places:
    """For each of these wagers, what its player has on its box in its round."""
    _, place = np.unique(_holdings(columns, some), return_inverse=True)
    totals = np.zeros(len(some), np.int64)
    np.add.at(totals, place, columns.stakes[some])
    together: Places = totals[place]
    return together
