"""Screening: selects, over the columns of a range, the rounds that may have a finding.

A conservative filter: false positives are allowed, false negatives never. Plain settlements are compared with a pay
sheet for all wagers at once; everything that the columns cannot decide is selected.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from compliance.audit.checks.round.procedure import OPTIONAL_EVENTS
from compliance.audit.context.pay_sheets import UNSETTLED_VERDICT, WIN, PaySheet, PayTerms
from compliance.audit.context.round_columns import MAX_AMOUNT_BITS, NO_RULES_INDEX, RoundColumns
from compliance.audit.context.round_groups import (
    RoundGroup,
    are_lights_wrong,
    build_round_group,
    is_exposed_early,
    may_be_void,
)
from compliance.audit.context.rules_in_force import Indexes
from rounds.engine import BET_CODES, RulesInForce, pack
from rounds.engine.settle import CUT_OFF_EVENT
from rounds.intake.columns.round_encoding import (
    EVENT_INDEX,
    NEEDS_EXACT_CHECK,
    NO_TIME,
    NOT_REPORTED,
    TENDERS,
    WITHDRAWN_INDEX,
    Flags,
    Instants,
)


def rounds_to_check(columns: RoundColumns) -> list[int]:
    """The entry indexes of rounds that must be checked exactly."""
    rounds = ~columns.are_plain | (columns.governed_by == NO_RULES_INDEX)
    cut_off, opened = np.full(len(columns.indexes), NO_TIME), np.zeros(len(columns.indexes), np.int64)
    for place, rules_in_force in enumerate(columns.rules_used):
        own = np.flatnonzero(columns.governed_by == place)
        group = select_round_group(columns, own, rules_in_force)
        cut_off[own] = group.cut_off
        rounds[own] |= may_be_void(group, rules_in_force)
        rounds[own] |= is_out_of_order(group, rules_in_force) | is_display_wrong(group, rules_in_force)
        opened[own] = _betting_opened(group, rules_in_force)
    for part in columns.parts:
        wagers = np.flatnonzero(wagers_to_check(part, cut_off[part.round_slice], opened[part.round_slice]))
        rounds[part.round_slice.start + part.round_indexes[wagers]] = True
    found: list[int] = columns.indexes[rounds].tolist()
    return found


def select_round_group(columns: RoundColumns, rounds: Indexes, rules_in_force: RulesInForce) -> RoundGroup:
    return build_round_group(
        columns.events[rounds],
        columns.figures[rounds],
        columns.tumbles[rounds],
        columns.outcomes[rounds],
        rules_in_force,
    )


def is_out_of_order(group: RoundGroup, rules_in_force: RulesInForce) -> Flags:
    """An event before another that must precede it, or without it. A superset of what checks/round/procedure.py
    reports."""
    found = is_exposed_early(group)

    def event_times(event: str) -> Instants:
        if event == CUT_OFF_EVENT:
            return group.cut_off
        return group.events[EVENT_INDEX[event]] if event in EVENT_INDEX else np.full(len(found), NO_TIME)

    for rule in rules_in_force.pack.conduct.order:
        if rules_in_force.equipment.has_item(rule.only_with):
            first, then = event_times(rule.first), event_times(rule.then)
            is_missing = (first == NO_TIME) & (rule.first not in OPTIONAL_EVENTS)
            found |= (then != NO_TIME) & ((first > then) & ((first != NO_TIME) | is_missing))
    for required in rules_in_force.pack.conduct.required_events:
        if rules_in_force.equipment.has_item(required.only_with):
            found |= np.all([event_times(event) == NO_TIME for event in required.any_of], axis=0)
    for forbidden in rules_in_force.pack.conduct.forbidden_events:
        if rules_in_force.equipment.has_item(forbidden.only_with):
            found |= event_times(forbidden.event) != NO_TIME
    if rules_in_force.pack.duties.pay_order is not None:
        collected, paid = (event_times(event) for event in pack.PAYOUT_EVENTS)
        found |= (paid < collected) & (collected != NO_TIME)
    return found


def is_display_wrong(group: RoundGroup, rules_in_force: RulesInForce) -> Flags:
    """Areas lit that did not win, or a sign with other limits than those on record."""
    _, low, high, _ = group.figures
    found, limits = are_lights_wrong(group, rules_in_force), rules_in_force.limits
    duty = rules_in_force.pack.duties.limits_shown
    if duty is not None and limits.minimum_cents is not None:
        is_other = (low != limits.minimum_cents) | (high != (limits.maximum_cents or NOT_REPORTED))
        # Columns do not hold whether the sign states multiples, nor limits by type of wager.
        is_untold = bool(rules_in_force.limits_by_bet) or (duty.multiples_only_if_stated and limits.needs_multiples)
        found |= (low != NOT_REPORTED) & (is_other | is_untold)
    return found


def _betting_opened(group: RoundGroup, rules_in_force: RulesInForce) -> Instants:
    """When wagers may first be placed; 0 where the rules do not say, or the event was not reported."""
    rule = rules_in_force.pack.conduct.betting_opens
    if rule is None:
        return np.zeros(len(group.tumbles), np.int64)
    at = group.events[EVENT_INDEX[rule.event]]
    return np.where(at == NO_TIME, 0, at)


def wagers_to_check(columns: RoundColumns, cut_off: Instants, opened: Instants) -> Flags:
    found = _is_wrongly_settled(columns)
    accepted = np.array([_accepted_tenders(used) for used in columns.rules_used] + [[False] * len(TENDERS)]).ravel()
    found |= ~accepted[columns.repeat_per_wager(columns.governed_by * len(TENDERS)) + columns.wagers["tender"]]
    found |= columns.wagers["placed"] > columns.repeat_per_wager(cut_off)
    if opened.any():
        found |= columns.wagers["placed"] < columns.repeat_per_wager(opened)
    found |= columns.are_outside_limits
    return found


def _accepted_tenders(rules_in_force: RulesInForce) -> list[bool]:
    """By index of tender. Promotional tokens are settled differently, so they are always checked exactly."""
    rule = rules_in_force.pack.conduct.tenders
    return [word != "promotional-token" and (rule is None or word in rule.accepted) for word in TENDERS]


def _is_wrongly_settled(columns: RoundColumns) -> Flags:
    """Whether the amount returned is not what the odds give. Without division: returned times denominator against stake
    times numerator, so odds that cannot be paid exactly are selected too."""
    terms, stakes, returned, laid_on = columns.wager_terms, columns.stakes, columns.returned, columns.wagers["laid_on"]
    paid, due = terms.lookup_cells(odds_denominator, 1), terms.lookup_cells(payout_numerator, 0)
    paid *= returned
    due *= stakes
    wrong: Flags = paid != due
    wrong |= columns.verdicts != terms.lookup_cells(_expected_verdicts, UNSETTLED_VERDICT)
    if columns.has_large_amounts:
        wrong |= (stakes | returned) >> MAX_AMOUNT_BITS != 0
    if any(payable_unit(each) > 1 for each in terms.known):
        wrong |= _is_unpayable(columns)
    other = np.flatnonzero((laid_on != columns.bets) | (columns.verdicts == WITHDRAWN_INDEX))
    if len(other):
        # Withdrawn or moved wagers: the box of the first placing must be offered too.
        settles = np.array([*(sheet.settles for sheet in terms.terms_table.sheets), np.zeros(len(BET_CODES), np.bool_)])
        sheet_of = terms.terms_table.sheet_numbers[terms.of_wager[other]]
        offered = settles[sheet_of, np.minimum(laid_on[other], len(BET_CODES) - 1)]
        wrong[other] = (wrong[other] & (columns.verdicts[other] != WITHDRAWN_INDEX)) | ~offered
        wrong[other] |= laid_on[other] == NEEDS_EXACT_CHECK
    return wrong


def odds_denominator(sheet: PaySheet) -> Indexes:
    return sheet.denominator


def payout_numerator(sheet: PaySheet) -> Indexes:
    return sheet.payout_numerator


def _expected_verdicts(sheet: PaySheet) -> NDArray[np.uint8]:
    return sheet.verdicts


def _is_unpayable(columns: RoundColumns) -> Flags:
    """Winnings that are not a multiple of the table's smallest payable unit."""
    found = np.zeros(len(columns.wagers), np.bool_)
    units = columns.wager_terms.lookup_terms(payable_unit, 1)
    some = np.flatnonzero((units > 1) & (columns.verdicts == WIN))
    found[some] = (columns.returned[some] - columns.stakes[some]) % units[some] != 0
    return found


def payable_unit(terms: PayTerms) -> int:
    payable = terms.sheet.rules.law.settlement.payable
    return (terms.rules_in_force.limits.payable_unit_cents or payable.smallest_unit_cents) if payable else 1
