"""Rounds under the same rules as columns, and what the columns can tell about how they were conducted.

Conservative: each function selects every round to which the exact property applies, and may select others.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from compliance.audit.context.rules_in_force import Indexes
from rounds.engine import OUTCOMES, Rules, RulesInForce, settle
from rounds.intake.columns.round_encoding import (
    EVENT_INDEX,
    FIGURE_NAMES,
    NO_TIME,
    NOT_REPORTED,
    Flags,
    Instants,
    areas_checksum,
)

LIT_FIGURE = FIGURE_NAMES.index("lit")


class RoundGroup(NamedTuple):
    """Rounds under the same rules. `events[event]` and `figures[figure]` are arrays with one value per round."""

    events: Instants
    figures: Instants
    tumbles: Indexes
    outcomes: Indexes
    cut_off: Instants


def build_round_group(
    events: Instants, figures: Instants, tumbles: Indexes, outcomes: Indexes, rules_in_force: RulesInForce
) -> RoundGroup:
    """From arrays with one row per round."""
    by_event = np.ascontiguousarray(events.T)
    closing = [EVENT_INDEX[name] for name in rules_in_force.pack.conduct.no_more_bets.events if name in EVENT_INDEX]
    cut_off: Instants = by_event[closing].min(axis=0) if closing else np.full(len(events), NO_TIME)
    return RoundGroup(by_event, figures.T, tumbles, outcomes, cut_off)


def may_be_void(group: RoundGroup, rules_in_force: RulesInForce) -> Flags:
    """Too few tumbles, early exposure or a button not pressed: a superset of ConductedRound.conduct_void_grounds."""
    known, events = frozenset(map(str, rules_in_force.pack.law.void)), group.events
    found = np.zeros(len(group.tumbles), np.bool_)
    rule = rules_in_force.pack.conduct.agitation
    if rule is not None and rules_in_force.equipment.has_item(rule.only_with):
        found |= (group.tumbles >= 0) & (group.tumbles < rule.at_least)
        found |= (events[EVENT_INDEX["tumbled"]] == NO_TIME) & has_procedure(group)
    uncovered = events[EVENT_INDEX["uncovered"]]
    if "exposed-early" in known:
        found |= is_exposed_early(group)
    if "nmb-not-pressed" in known and rules_in_force.equipment.has_touch_screen:
        found |= (uncovered != NO_TIME) & (events[EVENT_INDEX["no-more-bets-pressed"]] > uncovered)
    return found


def is_exposed_early(group: RoundGroup) -> Flags:
    """The result was in sight before betting closed, or betting never closed."""
    shown = np.minimum(group.events[EVENT_INDEX["uncovered"]], group.events[EVENT_INDEX["drawn"]])
    early: Flags = (shown < group.cut_off) & has_procedure(group)
    return early


def has_procedure(group: RoundGroup) -> Flags:
    """More than the result was reported: the same as ConductedRound.has_procedure."""
    others = [place for name, place in EVENT_INDEX.items() if name not in settle.REVEAL_EVENTS]
    reported: Flags = (group.events[others] != NO_TIME).any(axis=0)
    return reported


def are_lights_wrong(group: RoundGroup, rules_in_force: RulesInForce) -> Flags:
    """Areas lit that are not those that won, or none."""
    return lights_differ(group.figures[LIT_FIGURE], group.outcomes, rules_in_force)


def lights_differ(lit: Instants, outcomes: Indexes, rules_in_force: RulesInForce) -> Flags:
    """Whether other areas lit up than those that won, by the checksums of the areas."""
    entry, pay_table = rules_in_force.pack.conduct.entry, rules_in_force.pay_table_for(None)
    is_lit: Flags = lit != NOT_REPORTED
    if entry is None or not entry.lights_winners or pay_table is None or not is_lit.any():
        return np.zeros(len(lit), np.bool_)
    winning = _winning_area_checksums(rules_in_force.rules_for_pay_table(pay_table), rules_in_force.offered)
    wrong: Flags = is_lit & (lit != winning[outcomes])
    return wrong


@lru_cache(maxsize=64)
def _winning_area_checksums(rules: Rules, offered: frozenset[str]) -> Indexes:
    """By outcome, the checksum of the areas that must light up."""
    return np.array([areas_checksum(settle.find_winning_areas(rules, offered, outcome)) for outcome in OUTCOMES])
