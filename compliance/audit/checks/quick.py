"""The quick look: over the columns of a stretch, which rounds may have something wrong in them.

It may suspect in vain, never trust in vain. Plain settlements are worked out by matrix, everything else is suspected.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from compliance.audit.checks.conduct import CUT_OFF, MAY_GO_UNSAID, PAYING
from compliance.audit.circumstances import Places
from compliance.audit.columns import UNGOVERNED, Columns, Flags
from compliance.audit.packing import (
    EVENT_PLACE,
    FIGURES,
    NEVER,
    NOT_PLAIN,
    TENDERS,
    UNSAID,
    VERDICT_PLACE,
    Instants,
    Records,
    areas_checksum,
    checksum,
)
from compliance.audit.seen import Circumstances
from rounds.engine.bets import BET_CODES, BET_INDEX
from rounds.engine.lights import winning_under
from rounds.engine.matrix import matrix_of
from rounds.engine.outcomes import OUTCOMES
from rounds.engine.rules import Rules
from rounds.engine.settlement import Posted

WIN, LOSE, WITHDRAWN = (VERDICT_PLACE[word] for word in ("win", "lose", "withdrawn"))


def suspects(columns: Columns) -> list[int]:
    """The entry indexes of rounds that must be judged exactly."""
    rounds = ~columns.are_plain | (columns.governed_by == UNGOVERNED)
    for place, circumstances in enumerate(columns.used):
        governed = columns.governed_by == place
        rounds |= governed & _should_be_void(columns, circumstances)
        rounds |= governed & (_out_of_order(columns, circumstances) | _told_otherwise(columns, circumstances))
        # What is suspected already need not be looked at again.
        looked_at = (governed & ~rounds)[columns.round_of]
        wagers, round_of = columns.wagers[looked_at], columns.round_of[looked_at]
        rounds[round_of[_wager_suspects(columns, circumstances, wagers, round_of)]] = True
    found: list[int] = columns.indexes[rounds].tolist()
    return found


def _cut_off(columns: Columns, circumstances: Circumstances) -> Instants:
    closing = [EVENT_PLACE[name] for name in circumstances.pack.conduct.no_more_bets.events if name in EVENT_PLACE]
    times: Instants = columns.events[:, closing].min(axis=1) if closing else np.full(len(columns.events), NEVER)
    return times


def _should_be_void(columns: Columns, circumstances: Circumstances) -> Flags:
    """Too few tumbles, a result in sight too early, a button not pressed: the same grounds as in voids.py."""
    known, events = frozenset(map(str, circumstances.pack.law.void)), columns.events
    found = np.zeros(len(columns.indexes), np.bool_)
    rule = circumstances.pack.conduct.agitation
    if rule is not None and circumstances.equipment.has(rule.only_with):
        found |= (columns.tumbles >= 0) & (columns.tumbles < rule.at_least)
    uncovered = events[:, EVENT_PLACE["uncovered"]]
    if "exposed-early" in known:
        shown, cut_off = np.minimum(uncovered, events[:, EVENT_PLACE["drawn"]]), _cut_off(columns, circumstances)
        found |= (shown < cut_off) & (cut_off != NEVER)
    if "nmb-not-pressed" in known and circumstances.equipment.has_touch_screen:
        found |= (uncovered != NEVER) & (events[:, EVENT_PLACE["no-more-bets-pressed"]] > uncovered)
    return found


def _out_of_order(columns: Columns, circumstances: Circumstances) -> Flags:
    """An event before one that must come first, or without it; whatever conduct.py then makes of it."""
    found, cut_off = np.zeros(len(columns.indexes), np.bool_), _cut_off(columns, circumstances)

    def times(event: str) -> Instants:
        if event == CUT_OFF:
            return cut_off
        return columns.events[:, EVENT_PLACE[event]] if event in EVENT_PLACE else np.full(len(found), NEVER)

    for rule in circumstances.pack.conduct.order:
        if circumstances.equipment.has(rule.only_with):
            first, then = times(rule.first), times(rule.then)
            is_missing = (first == NEVER) & (rule.first not in MAY_GO_UNSAID)
            found |= (then != NEVER) & ((first > then) & ((first != NEVER) | is_missing))
    shown = np.minimum(times("uncovered"), times("drawn"))
    found |= (shown < cut_off) & (cut_off != NEVER)
    if circumstances.pack.duties.pay_order is not None:
        collected, paid = (times(event) for event in PAYING)
        found |= (paid < collected) & (collected != NEVER)
    return found


def _told_otherwise(columns: Columns, circumstances: Circumstances) -> Flags:
    """Areas lit that did not win, or a sign with other limits than those on record."""
    lit, low, high, _ = (columns.figures[:, place] for place in range(len(FIGURES)))
    found = np.zeros(len(columns.indexes), np.bool_)
    entry, limits = circumstances.pack.conduct.entry, circumstances.limits
    pay_table, is_lit = circumstances.pay_table_of(None), lit != UNSAID
    if entry is not None and entry.lights_winners and pay_table is not None and is_lit.any():
        winning = _winning_checksums(circumstances.rules(pay_table), circumstances.offered)
        found |= is_lit & (lit != winning[columns.outcomes])
    if circumstances.pack.duties.limits_shown is not None and limits.minimum_cents is not None:
        found |= (low != UNSAID) & ((low != limits.minimum_cents) | (high != (limits.maximum_cents or UNSAID)))
    return found


@lru_cache(maxsize=64)
def _winning_checksums(rules: Rules, offered: frozenset[str]) -> Places:
    """What should light up for each outcome."""
    return np.array([areas_checksum(winning_under(rules, offered, outcome)) for outcome in OUTCOMES])


def _wager_suspects(columns: Columns, circumstances: Circumstances, wagers: Records, round_of: Places) -> Flags:
    found: Flags = wagers["laid_on"] == NOT_PLAIN
    found |= ~_accepted(circumstances)[wagers["tender"]]
    found |= wagers["placed"] > _cut_off(columns, circumstances)[round_of]
    lay = wagers["verdict"] != WITHDRAWN
    found[lay] |= outside_limits(circumstances, wagers[lay], round_of[lay])
    outcomes = columns.outcomes[round_of]
    for pay_table, own in by_pay_table(circumstances, wagers):
        if pay_table is None:
            found |= own
        elif own.all():
            found |= _wrongly_settled(circumstances, pay_table, wagers, outcomes)
        else:
            found[own] |= _wrongly_settled(circumstances, pay_table, wagers[own], outcomes[own])
    return found


def _accepted(circumstances: Circumstances) -> Flags:
    """By the tender's place. Tokens are settled in a way of their own, so they are always looked at."""
    rule = circumstances.pack.conduct.tenders
    return np.array([word != "promotional-token" and (rule is None or word in rule.accepted) for word in TENDERS])


def outside_limits(circumstances: Circumstances, wagers: Records, round_of: Places) -> Flags:
    low, high = circumstances.limits.minimum_cents, circumstances.limits.maximum_cents
    stakes = wagers["stake"]
    found = np.zeros(len(wagers), np.bool_)
    if low is not None:
        found |= stakes < low
    if high is not None and len(wagers):
        found |= _held_together(wagers, round_of) > high
    return found


def _held_together(wagers: Records, round_of: Places) -> Places:
    """For each wager, what its player has on its box in its round."""
    key = ((round_of << 7 | wagers["bet"]) << 32) | wagers["holder"]
    _, place, times = np.unique(key, return_inverse=True, return_counts=True)
    if len(times) == len(wagers):
        single: Places = wagers["stake"]
        return single
    totals = np.zeros(len(times), np.int64)
    np.add.at(totals, place, wagers["stake"])
    together: Places = totals[place]
    return together


def by_pay_table(circumstances: Circumstances, wagers: Records) -> list[tuple[str | None, Flags]]:
    """Which wagers each pay table governs; None for those that none is known for."""
    terminals, everything = circumstances.pay_tables_by_terminal, np.ones(len(wagers), np.bool_)
    if not terminals:
        return [(circumstances.pay_table, everything)]
    sums = {checksum(name): pay_table for name, pay_table in terminals.items()}
    if len(sums) < len(terminals):
        # Two terminals that only their names tell apart: left to the exact judgement.
        return [(None, everything)]
    known = np.array(sorted(sums), np.uint32)
    place = np.searchsorted(known, wagers["terminal"]).clip(max=len(known) - 1)
    is_known = known[place] == wagers["terminal"]
    names = sorted(set(sums.values()))
    table_of = np.array([names.index(sums[int(each)]) for each in known])[place]
    found: list[tuple[str | None, Flags]] = [
        (name, is_known & (table_of == number)) for number, name in enumerate(names)
    ]
    return [*found, (circumstances.pay_table, ~is_known)]


def _wrongly_settled(circumstances: Circumstances, pay_table: str, wagers: Records, outcomes: Places) -> Flags:
    """Whether it was handed back anything but what its odds say, or its odds cannot be paid exactly."""
    rules = circumstances.rules(pay_table)
    numerator, denominator, settles = odds_under(circumstances, rules)
    bets, stakes = wagers["bet"], wagers["stake"]
    won, below = numerator[outcomes, bets], denominator[outcomes, bets]
    winnings, left_over = np.divmod(stakes * won, below)
    is_win = won > 0
    right = np.where(is_win, stakes + winnings, 0) == wagers["returned"]
    right &= np.where(is_win, WIN, LOSE) == wagers["verdict"]
    right &= (left_over == 0) & settles[bets]
    payable = rules.law.settlement.payable
    if payable is not None:
        right &= winnings % (circumstances.limits.payable_unit_cents or payable.smallest_unit_cents) == 0
    right |= wagers["verdict"] == WITHDRAWN
    # Wherever a wager was moved to, the box that it was first laid on is one of the table's too.
    wrong: Flags = ~(right & settles[np.minimum(wagers["laid_on"], len(settles) - 1)])
    return wrong


def odds_under(circumstances: Circumstances, rules: Rules) -> tuple[Places, Places, Flags]:
    """Numerators, denominators, and which bets they settle: approved, offered, decided in one round."""
    return odds_of(rules, circumstances.offered, tuple(circumstances.posted_odds.items()))


@lru_cache(maxsize=256)
def odds_of(
    rules: Rules, offered: frozenset[str], posted_odds: tuple[tuple[str, Posted], ...]
) -> tuple[Places, Places, Flags]:
    """Worked out once for all blocks in which nothing of this changes."""
    matrix = matrix_of(rules)
    settles = matrix.settles_in_a_round & np.array([code in offered for code in BET_CODES])
    if rules.law.settlement.posted_odds_clause is None or not posted_odds:
        return matrix.numerator, matrix.denominator, settles
    numerator, denominator = matrix.numerator.copy(), matrix.denominator.copy()
    for code, posted in posted_odds:
        levels, column = posted if isinstance(posted, tuple) else (posted,), BET_INDEX[code]
        for row, pay in enumerate(rules.bets[code].by_outcome):
            if pay is not None and pay.is_minimum:
                odds = levels[pay.level_index]
                numerator[row, column], denominator[row, column] = odds.numerator, odds.denominator
    return numerator, denominator, settles
