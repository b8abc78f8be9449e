"""One round beside all that governs its money: rules, limits, what was determined about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from rounds.engine.law import VoidReason
from rounds.engine.outcomes import Outcome
from rounds.engine.packs import Pack
from rounds.engine.rules import Rules, rules_for
from rounds.engine.settlement import Limits
from rounds.intake.kinds.round import Round, Wager
from rounds.witness.circumstances import Version
from rounds.witness.determined import INVALIDATED, Act, Body, Determined, found_over, was_warned

PAYING = ("losers-collected", "winners-paid")


@dataclass(frozen=True, eq=False)
class Governing:
    """What governed a table between two changes of it."""

    version: Version
    pack: Pack
    facts: Mapping[str, Body]
    offered: frozenset[str]
    limits: Limits

    def rules(self, pay_table: str) -> Rules:
        return rules_for(self.pack, pay_table, self.version.readings)


@dataclass(frozen=True, eq=False)
class Seen:
    index: int
    table: str
    round: Round
    at: datetime
    governing: Governing
    determined: Determined
    acts: list[Act] = field(default_factory=list)

    @property
    def pack(self) -> Pack:
        return self.governing.pack

    @cached_property
    def events(self) -> Mapping[str, datetime]:
        return first_events(self.round)

    @cached_property
    def cut_off(self) -> datetime | None:
        """The earliest of the events that close the betting; None if none was recorded."""
        closing = [self.events[name] for name in self.pack.conduct.no_more_bets.events if name in self.events]
        return min(closing, default=None)

    @property
    def outcome(self) -> Outcome | None:
        return result_of(self.round)

    @cached_property
    def ended_at(self) -> datetime:
        return max((*self.events.values(), *(wager.placed_at for wager in self.round.wagers)))

    @cached_property
    def void_reason(self) -> str | None:
        """As the table reported it, or by a later determination that may reach back to the round."""
        if self.round.no_result is not None:
            return None if self._is_concluded else self.round.no_result.reason
        return self.determined.reason if self.is_voided_later else None

    @property
    def _is_concluded(self) -> bool:
        """Interrupted when the whole result could be read already: where the rules know interruptions, it counts."""
        reason = self.round.no_result.reason if self.round.no_result else None
        return reason == "interrupted" and self.outcome is not None and self.pack.duties.interruption is not None

    @cached_property
    def is_voided_later(self) -> bool:
        reason, duties = self.determined.reason, self.pack.duties
        if not reason:
            return False
        rule = self._void_rule(reason)
        is_invalidated = reason == INVALIDATED and duties.invalidation is not None
        if rule is not None and (rule.covers == "all-affected-rounds" or is_invalidated):
            return True
        return bool(duties.disputes and duties.disputes.uncovered_clause) and self._is_decider

    @property
    def _is_decider(self) -> bool:
        """Whether whoever determined it is of a position that decides what the document leaves open."""
        steps = self.pack.duties.disputes.steps if self.pack.duties.disputes else ()
        deciders = (self.pack.roles[step.decided_by] for step in steps if step.decided_by in self.pack.roles)
        return any(self.determined.decided_as in role.means for role in deciders)

    @property
    def is_invalidated(self) -> bool:
        """For streaks too it then has no result."""
        return self.determined.reason == INVALIDATED

    @property
    def is_known_too_late(self) -> bool:
        """Determined when the round was over: what had been paid is not taken back by itself."""
        at = self.determined.at
        return self.is_voided_later and (at is None or at > self.ended_at)

    def may_forfeit(self, reason: str) -> bool:
        rule = self._void_rule(reason)
        return rule is not None and rule.may_forfeit

    def _void_rule(self, reason: str) -> VoidReason | None:
        return next((rule for name, rule in self.pack.law.void.items() if name == reason), None)

    def limits_for(self, wager: Wager) -> Limits:
        """The table's, or the player's own where the rules know such limits and the round reports them."""
        limits = self.governing.limits
        if self.pack.duties.player_limits is None:
            return limits
        for own in self.round.player_limits:
            if (own.player, own.seat) in ((wager.player, None), (None, wager.seat), (wager.player, wager.seat)):
                return Limits(own.min, own.max, limits.needs_multiples, limits.payable_unit_cents)
        return limits

    def was_warned(self, wager: Wager) -> bool:
        rule = self.pack.law.settlement.under_minimum
        if wager.warned or rule is None or rule.settled != "once-then-returned":
            return wager.warned
        return was_warned(wager, self.round, self.acts)

    @cached_property
    def found_over(self) -> frozenset[str]:
        settled_at = min((self.events[name] for name in PAYING if name in self.events), default=self.ended_at)
        return found_over(self.index, min(self.events.values()), settled_at, self.acts)

    def handed_back(self, wager: Wager) -> int:
        """With the round, and later."""
        return (wager.returned or 0) + self.determined.paid_later.get(wager.id, 0)


def first_events(played: Round) -> dict[str, datetime]:
    """The first time of each event; the same event may be reported more than once."""
    events: dict[str, datetime] = {}
    for event in played.events:
        events[event.name] = min(event.at, events.get(event.name, event.at))
    return events


def result_of(played: Round) -> Outcome | None:
    return played.dice if played.dice is not None else played.cards


def have_lights_failed(played: Round) -> bool:
    """Nothing lit up although there was a result."""
    return played.lit == () and result_of(played) is not None
