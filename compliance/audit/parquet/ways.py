"""By what each wager is settled. What its odds alone decide can be recomputed from columns; of everything else it is
said what decides, and the audit's verdict stands for it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from compliance.audit.checks.quick import conducted_in, denominator, gives, should_be_void, unit_of
from compliance.audit.circumstances import Places
from compliance.audit.columns import MOST_BITS, UNGOVERNED, Columns
from compliance.audit.packing import NEVER, NOT_PLAIN, STREAKS, TENDER_PLACE, VERDICT_PLACE, WITHDRAWN, Flags, Instants
from compliance.audit.terms import NO_TERMS, UNSETTLED, Sheet
from rounds.engine.bets import BET_CODES

ODDS = "odds"
# Where several hold, the later one is said.
WAYS: dict[str, str] = {
    ODDS: "by its odds alone",
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
_PLACE = {way: place for place, way in enumerate(WAYS)}
_IS_STREAK = np.array([code in STREAKS for code in BET_CODES])


def ways_of(columns: Columns) -> NDArray[np.uint8]:
    """For each wager its place among WAYS."""
    cut_off, is_void = _rounds(columns)
    found = np.zeros(len(columns.wagers), np.uint8)
    terms, verdicts, laid_on = columns.terms, columns.verdicts, columns.wagers["laid_on"]
    is_streak = _IS_STREAK[columns.bets]
    is_odd = (laid_on == NOT_PLAIN) & ~is_streak
    is_offered = terms.look_up(_is_settled, False).astype(np.bool_)
    # Wherever it was moved to, the box that it was first laid on must be one of the table's too.
    is_offered &= _is_offered_at_first(columns) | is_odd
    for way, holds in (
        ("rounding", _is_rounded(columns)),
        ("limits", columns.outside),
        ("token", columns.wagers["tender"] == TENDER_PLACE["promotional-token"]),
        ("special", is_odd),
        ("late", columns.wagers["placed"] > columns.spread(cut_off)),
        ("withdrawn", verdicts == WITHDRAWN),
        ("refused", verdicts == VERDICT_PLACE["refused"]),
        ("not offered", ~is_offered),
        ("streak", is_streak),
        ("open", verdicts == VERDICT_PLACE["open"]),
        ("should be void", columns.spread(is_void)),
        ("unusual round", columns.spread(~columns.are_plain)),
        ("no rules", (terms.of_wager == NO_TERMS) | columns.spread(columns.governed_by == UNGOVERNED)),
    ):
        found[holds] = _PLACE[way]
    return found


def _rounds(columns: Columns) -> tuple[Instants, Flags]:
    """When betting closed in each round, and whether what happened in it may make it void."""
    cut_off, is_void = np.full(len(columns.indexes), NEVER), np.zeros(len(columns.indexes), np.bool_)
    for place, circumstances in enumerate(columns.used):
        own = np.flatnonzero(columns.governed_by == place)
        conducted = conducted_in(columns, own, circumstances)
        cut_off[own], is_void[own] = conducted.cut_off, should_be_void(conducted, circumstances)
    return cut_off, is_void


def _is_settled(sheet: Sheet) -> Flags:
    settled: Flags = sheet.verdicts != UNSETTLED
    return settled


def _is_offered_at_first(columns: Columns) -> Flags:
    terms, laid_on = columns.terms, np.minimum(columns.wagers["laid_on"], len(BET_CODES) - 1)
    settles = np.array([*(sheet.settles for sheet in terms.among.sheets), np.zeros(len(BET_CODES), np.bool_)])
    offered: Flags = settles[terms.among.sheet_numbers[terms.of_wager], laid_on]
    return offered


def _is_rounded(columns: Columns) -> Flags:
    below, given = odds_of(columns)
    stakes = columns.stakes
    rounded: Flags = (stakes * given) % below != 0
    units = columns.terms.by_terms(unit_of, 1)
    rounded |= (given > 0) & ((stakes * given // below - stakes) % units != 0)
    rounded |= (stakes | columns.returned.clip(min=0)) >> MOST_BITS != 0
    return rounded


def odds_of(columns: Columns) -> tuple[Places, Places]:
    """For each wager: for how much staked, what comes back for that."""
    return columns.terms.look_up(denominator, 1), columns.terms.look_up(gives, 0)
