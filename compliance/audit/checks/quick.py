"""The quick look: over the columns of a stretch, which rounds may have something wrong in them.

It may suspect in vain, never trust in vain. Plain settlements are looked up for all wagers at once, everything else is
suspected.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from compliance.audit.checks.conduct import CUT_OFF, MAY_GO_UNSAID, PAYING
from compliance.audit.circumstances import Places
from compliance.audit.columns import MOST_BITS, UNGOVERNED, Columns
from compliance.audit.packing import (
    EVENT_PLACE,
    NEVER,
    NOT_PLAIN,
    TENDERS,
    UNSAID,
    WITHDRAWN,
    Flags,
    Instants,
    areas_checksum,
)
from compliance.audit.seen import Circumstances
from compliance.audit.terms import UNSETTLED, WIN, Sheet, Terms
from rounds.engine.bets import BET_CODES
from rounds.engine.lights import winning_under
from rounds.engine.outcomes import OUTCOMES
from rounds.engine.rules import Rules


class Conducted(NamedTuple):
    """Rounds in the same circumstances: `events[event]` and `figures[figure]` have one value for each of them."""

    events: Instants
    figures: Instants
    tumbles: Places
    outcomes: Places
    cut_off: Instants


def suspects(columns: Columns) -> list[int]:
    """The entry indexes of rounds that must be judged exactly."""
    rounds = ~columns.are_plain | (columns.governed_by == UNGOVERNED)
    cut_off = np.full(len(columns.indexes), NEVER)
    for place, circumstances in enumerate(columns.used):
        own = np.flatnonzero(columns.governed_by == place)
        conducted = conducted_in(columns, own, circumstances)
        cut_off[own] = conducted.cut_off
        rounds[own] |= should_be_void(conducted, circumstances)
        rounds[own] |= _out_of_order(conducted, circumstances) | _told_otherwise(conducted, circumstances)
    for part in columns.parts:
        wagers = np.flatnonzero(_wager_suspects(part, cut_off[part.rounds]))
        rounds[part.rounds.start + part.round_of[wagers]] = True
    found: list[int] = columns.indexes[rounds].tolist()
    return found


def conducted_in(columns: Columns, own: Places, circumstances: Circumstances) -> Conducted:
    events = np.ascontiguousarray(columns.events[own].T)
    closing = [EVENT_PLACE[name] for name in circumstances.pack.conduct.no_more_bets.events if name in EVENT_PLACE]
    cut_off: Instants = events[closing].min(axis=0) if closing else np.full(len(own), NEVER)
    return Conducted(events, columns.figures[own].T, columns.tumbles[own], columns.outcomes[own], cut_off)


def should_be_void(conducted: Conducted, circumstances: Circumstances) -> Flags:
    """Too few tumbles, a result in sight too early, a button not pressed: the same grounds as in voids.py."""
    known, events = frozenset(map(str, circumstances.pack.law.void)), conducted.events
    found = np.zeros(len(conducted.tumbles), np.bool_)
    rule = circumstances.pack.conduct.agitation
    if rule is not None and circumstances.equipment.has(rule.only_with):
        found |= (conducted.tumbles >= 0) & (conducted.tumbles < rule.at_least)
    uncovered = events[EVENT_PLACE["uncovered"]]
    if "exposed-early" in known:
        found |= _shown_early(conducted)
    if "nmb-not-pressed" in known and circumstances.equipment.has_touch_screen:
        found |= (uncovered != NEVER) & (events[EVENT_PLACE["no-more-bets-pressed"]] > uncovered)
    return found


def _shown_early(conducted: Conducted) -> Flags:
    shown = np.minimum(conducted.events[EVENT_PLACE["uncovered"]], conducted.events[EVENT_PLACE["drawn"]])
    early: Flags = (shown < conducted.cut_off) & (conducted.cut_off != NEVER)
    return early


def _out_of_order(conducted: Conducted, circumstances: Circumstances) -> Flags:
    """An event before one that must come first, or without it; whatever conduct.py then makes of it."""
    found = _shown_early(conducted)

    def times(event: str) -> Instants:
        if event == CUT_OFF:
            return conducted.cut_off
        return conducted.events[EVENT_PLACE[event]] if event in EVENT_PLACE else np.full(len(found), NEVER)

    for rule in circumstances.pack.conduct.order:
        if circumstances.equipment.has(rule.only_with):
            first, then = times(rule.first), times(rule.then)
            is_missing = (first == NEVER) & (rule.first not in MAY_GO_UNSAID)
            found |= (then != NEVER) & ((first > then) & ((first != NEVER) | is_missing))
    if circumstances.pack.duties.pay_order is not None:
        collected, paid = (times(event) for event in PAYING)
        found |= (paid < collected) & (collected != NEVER)
    return found


def _told_otherwise(conducted: Conducted, circumstances: Circumstances) -> Flags:
    """Areas lit that did not win, or a sign with other limits than those on record."""
    lit, low, high, _ = conducted.figures
    found = np.zeros(len(lit), np.bool_)
    entry, limits = circumstances.pack.conduct.entry, circumstances.limits
    pay_table, is_lit = circumstances.pay_table_of(None), lit != UNSAID
    if entry is not None and entry.lights_winners and pay_table is not None and is_lit.any():
        winning = _winning_checksums(circumstances.rules(pay_table), circumstances.offered)
        found |= is_lit & (lit != winning[conducted.outcomes])
    if circumstances.pack.duties.limits_shown is not None and limits.minimum_cents is not None:
        found |= (low != UNSAID) & ((low != limits.minimum_cents) | (high != (limits.maximum_cents or UNSAID)))
    return found


@lru_cache(maxsize=64)
def _winning_checksums(rules: Rules, offered: frozenset[str]) -> Places:
    """What should light up for each outcome."""
    return np.array([areas_checksum(winning_under(rules, offered, outcome)) for outcome in OUTCOMES])


def _wager_suspects(columns: Columns, cut_off: Instants) -> Flags:
    found = _wrongly_settled(columns)
    accepted = np.array([_accepted(used) for used in columns.used] + [[False] * len(TENDERS)]).ravel()
    found |= ~accepted[columns.spread(columns.governed_by * len(TENDERS)) + columns.wagers["tender"]]
    found |= columns.wagers["placed"] > columns.spread(cut_off)
    found |= columns.outside
    return found


def _accepted(circumstances: Circumstances) -> list[bool]:
    """By the tender's place. Tokens are settled in a way of their own, so they are always looked at."""
    rule = circumstances.pack.conduct.tenders
    return [word != "promotional-token" and (rule is None or word in rule.accepted) for word in TENDERS]


def _wrongly_settled(columns: Columns) -> Flags:
    """Whether it was handed back anything but what its odds say, or its odds cannot be paid exactly: what comes back
    times the odds' denominator is the stake times what they give."""
    terms, stakes, returned, laid_on = columns.terms, columns.stakes, columns.returned, columns.wagers["laid_on"]
    paid, due = terms.look_up(denominator, 1), terms.look_up(gives, 0)
    paid *= returned
    due *= stakes
    wrong: Flags = paid != due
    wrong |= columns.verdicts != terms.look_up(_verdicts, UNSETTLED)
    if columns.are_large:
        wrong |= (stakes | returned) >> MOST_BITS != 0
    if any(unit_of(each) > 1 for each in terms.known):
        wrong |= _unpayable(columns)
    other = np.flatnonzero((laid_on != columns.bets) | (columns.verdicts == WITHDRAWN))
    if len(other):
        # Taken back, or moved: wherever it went, the box that it was first laid on is one of the table's too.
        settles = np.array([*(sheet.settles for sheet in terms.among.sheets), np.zeros(len(BET_CODES), np.bool_)])
        sheet_of = terms.among.sheet_numbers[terms.of_wager[other]]
        offered = settles[sheet_of, np.minimum(laid_on[other], len(BET_CODES) - 1)]
        wrong[other] = (wrong[other] & (columns.verdicts[other] != WITHDRAWN)) | ~offered
        wrong[other] |= laid_on[other] == NOT_PLAIN
    return wrong


def denominator(sheet: Sheet) -> Places:
    return sheet.denominator


def gives(sheet: Sheet) -> Places:
    return sheet.gives


def _verdicts(sheet: Sheet) -> NDArray[np.uint8]:
    return sheet.verdicts


def _unpayable(columns: Columns) -> Flags:
    """Winnings that the table's chips cannot pay."""
    found = np.zeros(len(columns.wagers), np.bool_)
    units = columns.terms.by_terms(unit_of, 1)
    some = np.flatnonzero((units > 1) & (columns.verdicts == WIN))
    found[some] = (columns.returned[some] - columns.stakes[some]) % units[some] != 0
    return found


def unit_of(terms: Terms) -> int:
    payable = terms.sheet.rules.law.settlement.payable
    return (terms.circumstances.limits.payable_unit_cents or payable.smallest_unit_cents) if payable else 1
