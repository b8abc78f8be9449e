"""What decides each wager. Wagers decided by their odds alone can be recomputed from columns; for all others the export
names the reason and takes over the audit's verdict."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from compliance.audit.context.pay_sheets import NO_TERMS_INDEX, UNSETTLED_VERDICT, PaySheet
from compliance.audit.context.round_columns import MAX_AMOUNT_BITS, NO_RULES_INDEX, RoundColumns
from compliance.audit.context.round_groups import may_be_void
from compliance.audit.context.rules_in_force import Indexes
from compliance.audit.screening.screen import (
    odds_denominator,
    payable_unit,
    payout_numerator,
    select_round_group,
)
from rounds.engine import BET_CODES
from rounds.intake.columns.round_encoding import (
    NEEDS_EXACT_CHECK,
    NO_TIME,
    STREAK_BET_CODES,
    TENDER_INDEX,
    VERDICT_INDEX,
    WITHDRAWN_INDEX,
    Flags,
    Instants,
)

BY_ODDS = "odds"
# Where several apply, the last one in this order is written.
SETTLEMENT_BASES: dict[str, str] = {
    BY_ODDS: "by its odds alone",
    "rounding": "its odds do not come out in what the table can pay",
    "limits": "outside the table’s limits, alone or with the player’s other wagers on the box",
    "token": "staked with a promotional token",
    "special": "spoken, warned about, not registered, or paid in something else",
    "late": "touched after betting had closed",
    "withdrawn": "taken back",
    "refused": "refused by the table",
    "not offered": "on a box that the table did not offer",
    "streak": "a Super Streak, settled over several rounds",
    "open": "still open",
    "should be void": "in a round that may have to be void",
    "unusual round": "in a round without a result, told in several ways, under a player’s own limits, or judged later",
    "no rules": "no approved rules or pay table on record",
}
_BASIS_INDEX = {way: place for place, way in enumerate(SETTLEMENT_BASES)}
_IS_STREAK = np.array([code in STREAK_BET_CODES for code in BET_CODES])


def settlement_basis_of(columns: RoundColumns) -> NDArray[np.uint8]:
    """For each wager, its index in SETTLEMENT_BASES."""
    cut_off, is_void = _cut_off_time_and_void_reason(columns)
    found = np.zeros(len(columns.wagers), np.uint8)
    terms, verdicts, laid_on = columns.wager_terms, columns.verdicts, columns.wagers["laid_on"]
    is_streak = _IS_STREAK[columns.bets]
    is_odd = (laid_on == NEEDS_EXACT_CHECK) & ~is_streak
    is_offered = terms.lookup_cells(_settles_box, False).astype(np.bool_)
    # A moved wager: the box it was first placed on must be offered too.
    is_offered &= _was_first_box_offered(columns) | is_odd
    for way, holds in (
        ("rounding", _needs_rounding(columns)),
        ("limits", columns.are_outside_limits),
        ("token", columns.wagers["tender"] == TENDER_INDEX["promotional-token"]),
        ("special", is_odd),
        ("late", columns.wagers["placed"] > columns.repeat_per_wager(cut_off)),
        ("withdrawn", verdicts == WITHDRAWN_INDEX),
        ("refused", verdicts == VERDICT_INDEX["refused"]),
        ("not offered", ~is_offered),
        ("streak", is_streak),
        ("open", verdicts == VERDICT_INDEX["open"]),
        ("should be void", columns.repeat_per_wager(is_void)),
        ("unusual round", columns.repeat_per_wager(~columns.are_plain)),
        (
            "no rules",
            (terms.of_wager == NO_TERMS_INDEX) | columns.repeat_per_wager(columns.governed_by == NO_RULES_INDEX),
        ),
    ):
        found[holds] = _BASIS_INDEX[way]
    return found


def _cut_off_time_and_void_reason(columns: RoundColumns) -> tuple[Instants, Flags]:
    """When betting closed in each round, and whether the round may be void."""
    cut_off, is_void = np.full(len(columns.indexes), NO_TIME), np.zeros(len(columns.indexes), np.bool_)
    for place, rules_in_force in enumerate(columns.rules_used):
        own = np.flatnonzero(columns.governed_by == place)
        group = select_round_group(columns, own, rules_in_force)
        cut_off[own], is_void[own] = group.cut_off, may_be_void(group, rules_in_force)
    return cut_off, is_void


def _settles_box(sheet: PaySheet) -> Flags:
    settled: Flags = sheet.verdicts != UNSETTLED_VERDICT
    return settled


def _was_first_box_offered(columns: RoundColumns) -> Flags:
    terms, laid_on = columns.wager_terms, np.minimum(columns.wagers["laid_on"], len(BET_CODES) - 1)
    settles = np.array([*(sheet.settles for sheet in terms.terms_table.sheets), np.zeros(len(BET_CODES), np.bool_)])
    offered: Flags = settles[terms.terms_table.sheet_numbers[terms.of_wager], laid_on]
    return offered


def _needs_rounding(columns: RoundColumns) -> Flags:
    below, given = payout_odds(columns)
    stakes = columns.stakes
    rounded: Flags = (stakes * given) % below != 0
    units = columns.wager_terms.lookup_terms(payable_unit, 1)
    rounded |= (given > 0) & ((stakes * given // below - stakes) % units != 0)
    rounded |= (stakes | columns.returned.clip(min=0)) >> MAX_AMOUNT_BITS != 0
    return rounded


def payout_odds(columns: RoundColumns) -> tuple[Indexes, Indexes]:
    """For each wager: how much staked, and what is returned for that."""
    return columns.wager_terms.lookup_cells(odds_denominator, 1), columns.wager_terms.lookup_cells(payout_numerator, 0)
