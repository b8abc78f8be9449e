"""RoundContext: what a check of a round is given, that is the round as reported and the rules in force for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Literal

from compliance.audit.projections.later_decisions import LaterDecisions
from rounds.engine import Outcome, Pack, PostedOdds, Rules, WagerLimits, compile_rules
from rounds.engine import pack as engine_pack
from rounds.intake.protocol.round import Round, first_event_times, round_ended_at

Screen = Literal["none", "plasma", "lcd"]


@dataclass(frozen=True)
class Equipment:
    """The table's equipment, as far as it is on record."""

    layout: str = ""
    screen: Screen = "none"
    has_touch_screen: bool = False
    shaker: Literal["none", "manual", "automated"] = "none"

    def has_item(self, needed: str) -> bool:
        """Whether the table has the equipment a pack's rule is limited to. An empty string means every table."""
        return needed in ("", f"{self.shaker}-shaker") or (needed == "touch-screen" and self.has_touch_screen)


@dataclass(frozen=True)
class RuleVersionRef:
    """Reference to a rule version. `entry_index` is the entry of its approval in the casino's log."""

    id: int
    rules: str
    number: int
    entry_index: int

    def __str__(self) -> str:
        return f"{self.rules}, version {self.number}"


@dataclass(frozen=True, eq=False)
class RulesInForce:
    """Everything that governs a table's rounds during a period in which nothing changes: rules, readings, the table's
    facts."""

    version: RuleVersionRef
    pack: Pack
    readings: Mapping[str, str]
    offered: frozenset[str]
    limits: WagerLimits = field(default_factory=WagerLimits)
    posted_odds: Mapping[str, PostedOdds] = field(default_factory=dict)
    equipment: Equipment = field(default_factory=Equipment)
    streak_amount_cents: int | None = None
    pay_table: str | None = None
    pay_tables_by_terminal: Mapping[str, str] = field(default_factory=dict)

    def pay_table_for(self, terminal: str | None) -> str | None:
        """The terminal's pay table; the table's own for a wager without a known terminal."""
        return self.pay_tables_by_terminal.get(terminal or "", self.pay_table)

    def rules_for_pay_table(self, pay_table: str) -> Rules:
        return compile_rules(self.pack, pay_table, self.readings)

    def commenced_at(self, events: Mapping[str, datetime]) -> datetime:
        """The instant whose rules govern the round: the event that the document names, or the first event."""
        rule = self.pack.conduct.commencement
        return events.get(rule.event, min(events.values())) if rule else min(events.values())


@dataclass(frozen=True)
class NoRules:
    """Why no rules were in force at a table."""

    reason: str


@dataclass(frozen=True, eq=False)
class RoundContext:
    """One round to be checked. `index` is its entry in the casino's log `log`. Never changes; the `with_*` functions
    copy it."""

    index: int
    table: str
    round: Round
    rules_in_force: RulesInForce
    later_decisions: LaterDecisions | None = None
    log: str = ""
    # By wager above the maximum that was found while the round was on: the entry that records it.
    over_limit_reports: Mapping[str, int] = field(default_factory=dict)

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
    def have_lights_failed(self) -> bool:
        """No area lit up although there was a result."""
        return self.round.lit == () and self.outcome is not None

    @property
    def void_reason(self) -> str | None:
        """Why the round is void: as the table reported, or by a later decision that may apply to it."""
        if self.round.no_result is not None:
            return None if self.has_readable_result else self.round.no_result.reason
        return self.later_decisions.reason if self.later_decisions is not None and self.is_voided_later else None

    @property
    def has_readable_result(self) -> bool:
        """Interrupted, but the whole result could be read: it counts, where the rules provide for interruptions."""
        reason = self.round.no_result.reason if self.round.no_result else None
        return reason == "interrupted" and self.outcome is not None and self.pack.duties.interruption is not None

    @property
    def is_voided_later(self) -> bool:
        """Whether a later decision voided the round: for a reason the document names, or by the authority where it
        names none."""
        if self.later_decisions is None or not self.later_decisions.reason:
            return False
        rule, duties = self.void_rule(self.later_decisions.reason), self.pack.duties
        if rule is not None and (rule.covers == "all-affected-rounds" or self._is_invalidated):
            return True
        disputes = duties.disputes
        return bool(disputes and disputes.uncovered_clause) and self.is_decider(self.later_decisions.decided_as)

    @property
    def _is_invalidated(self) -> bool:
        """Invalidation: the only decision on a single outcome that applies after the round was settled."""
        return (
            self.later_decisions is not None
            and self.later_decisions.reason == "invalidated"
            and bool(self.pack.duties.invalidation)
        )

    def is_decider(self, position: str) -> bool:
        """Whether this position decides cases that the document does not cover."""
        steps = self.pack.duties.disputes.steps if self.pack.duties.disputes else ()
        deciders = (self.pack.roles[step.decided_by] for step in steps if step.decided_by in self.pack.roles)
        return any(position in role.means for role in deciders)

    @property
    def is_voided_after_end(self) -> bool:
        """Voided only after the round had ended, so that money already paid is not recovered automatically."""
        at = self.later_decisions.at if self.later_decisions is not None else None
        return self.is_voided_later and (at is None or at > self.ended_at)

    def void_rule(self, reason: str) -> engine_pack.VoidReason | None:
        return next((rule for name, rule in self.pack.law.void.items() if name == reason), None)

    @property
    def ended_at(self) -> datetime:
        return round_ended_at(self.round)

    @property
    def round_label(self) -> str:
        return f"Round {self.round.round} at table {self.table}"
