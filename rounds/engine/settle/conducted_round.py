"""ConductedRound: a reported round with the rules in force, and what its events show: when betting closed, whether the
round is void by the way it was conducted, whether the lights failed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from rounds.engine.bets.dice_outcomes import Outcome
from rounds.engine.pack.pack_file import Pack
from rounds.engine.pack.payout_law import VoidReason
from rounds.engine.pack.round_conduct import Agitation
from rounds.engine.settle.layout_lights import find_winning_areas
from rounds.engine.settle.reported_round import ReportedRound, first_event_times
from rounds.engine.settle.rules_in_force import RulesInForce
from rounds.engine.utc_clock import format_utc_clock_exact

REVEAL_EVENTS = ("uncovered", "drawn")
CUT_OFF_EVENT = "no-more-bets"


class VoidGrounds(NamedTuple):
    """Why a round that was settled should have been void: a reason of the document, and what shows it."""

    reason: str
    why: str


@dataclass(frozen=True, eq=False, kw_only=True)
class ConductedRound:
    """One reported round, and the rules in force for it."""

    round: ReportedRound
    rules_in_force: RulesInForce

    @property
    def pack(self) -> Pack:
        return self.rules_in_force.pack

    @cached_property
    def events(self) -> Mapping[str, datetime]:
        return first_event_times(self.round)

    @cached_property
    def cut_off_at(self) -> datetime | None:
        """When betting closed: the earliest of the events that close it. None if none was recorded."""
        closing = [self.events[name] for name in self.pack.conduct.no_more_bets.events if name in self.events]
        return min(closing, default=None)

    @property
    def outcome(self) -> Outcome | None:
        return self.round.dice if self.round.dice is not None else self.round.cards

    @property
    def has_procedure(self) -> bool:
        """Whether more than the result was reported. A past round imported from a file may have nothing else, and
        then a missing event shows nothing."""
        return any(name not in REVEAL_EVENTS for name in self.events)

    @cached_property
    def have_lights_failed(self) -> bool:
        """No area lit up although there was a result, or wrong areas did although it was entered rightly. Lights that
        are wrong because of a wrong entry have not failed."""
        lit, lay, entered, entry = self.round.lit, self.outcome, self.round.entered, self.pack.conduct.entry
        if lit is None or lay is None or not lit:
            return lit is not None and lay is not None
        pay_table = self.rules_in_force.pay_table_for(None)
        is_wrong_entry = entered is not None and sorted(entered.faces) != sorted(lay)
        if entry is None or not entry.lights_winners or pay_table is None or is_wrong_entry:
            return False
        rules = self.rules_in_force.rules_for_pay_table(pay_table)
        return frozenset(lit) != find_winning_areas(rules, self.rules_in_force.offered, lay)

    def void_rule(self, reason: str) -> VoidReason | None:
        return next((rule for name, rule in self.pack.law.void.items() if name == reason), None)

    @cached_property
    def conduct_void_grounds(self) -> VoidGrounds | None:
        """Why the events of the round make it void, whatever the table declared. None for a valid round."""
        if self.outcome is None:
            return None
        return next((grounds for grounds in self._known_grounds() if self.void_rule(grounds.reason) is not None), None)

    def _known_grounds(self) -> Iterator[VoidGrounds]:
        rule, tumbles = self.pack.conduct.agitation, self.too_few_tumbles
        if rule is not None and tumbles is not None:
            why = f"{tumbles} {rule.counted} were reported; at least {rule.at_least} are needed [{rule.clause}]."
            # A document without its own reason for too few tumbles covers it as "not-activated".
            yield VoidGrounds("fewer-than-three", why)
            yield VoidGrounds("not-activated", why)
        if self.exposed_at is not None:
            closed = "betting never closed"
            if self.cut_off_at is not None:
                closed = f"betting closed at {format_utc_clock_exact(self.cut_off_at)}"
            yield VoidGrounds(
                "exposed-early", f"The result was in sight at {format_utc_clock_exact(self.exposed_at)}; {closed}."
            )
        if self.is_button_unpressed:
            yield VoidGrounds("nmb-not-pressed", "The button was not pressed before the cover came off.")

    @property
    def too_few_tumbles(self) -> int | None:
        """How often the dice were tumbled, where the document asks for more; else None."""
        rule = self.pack.conduct.agitation
        reported = [event for event in self.round.events if event.name == "tumbled" and event.count is not None]
        is_told = bool(reported) or (self.has_procedure and "tumbled" not in self.events)
        if rule is None or not is_told or not self.rules_in_force.equipment.has_item(rule.only_with):
            return None
        # If all of them are out of place, the order of events is wrong, and that is reported instead.
        counted = [event for event in reported if self._is_in_place(rule, event.at)] or reported
        count = sum(event.count or 0 for event in counted)
        return count if count < rule.at_least else None

    def _is_in_place(self, rule: Agitation, at: datetime) -> bool:
        """Whether a tumble at this time is where the document places it."""
        before, after = (self.event_time(name) if name else None for name in (rule.before, rule.after))
        return (before is None or at <= before) and (after is None or at >= after)

    def event_time(self, event: str) -> datetime | None:
        """Time of an event. For the cut-off: of whichever event closed betting first."""
        return self.cut_off_at if event == CUT_OFF_EVENT else self.events.get(event)

    @property
    def exposed_at(self) -> datetime | None:
        """When the result could be seen, if that was before betting closed or if betting never closed."""
        shown = min((self.events[name] for name in REVEAL_EVENTS if name in self.events), default=None)
        if shown is None or not self.has_procedure:
            return None
        return shown if self.cut_off_at is None or shown < self.cut_off_at else None

    @property
    def is_button_unpressed(self) -> bool:
        """Whether the cover came off before the button was pressed, at a table with a touch screen."""
        shown, pressed = self.events.get("uncovered"), self.events.get("no-more-bets-pressed")
        is_open = shown is not None and (pressed is None or pressed > shown)
        return is_open and self.rules_in_force.equipment.has_touch_screen
