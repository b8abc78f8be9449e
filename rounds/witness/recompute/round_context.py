"""One round with everything that determines its amounts: rules, limits, decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from itertools import permutations

from rounds.engine import OUTCOMES, Outcome, Pack, Rules, WagerLimits, compile_rules, settle
from rounds.engine import pack as engine_pack
from rounds.intake.protocol.round import Round, Wager
from rounds.witness.recompute.decisions import (
    INVALIDATED,
    Decision,
    EntryBody,
    RoundDecisions,
    interruptions_of_round,
    player_limits_on_record,
    recorded_refusal,
    wagers_found_over_limit,
    was_warned,
)
from rounds.witness.recompute.positions import WagerPosition
from rounds.witness.recompute.rules_in_force import RuleVersion, table_limits

PAYOUT_EVENTS = ("losers-collected", "winners-paid")
REVEALS = ("uncovered", "drawn")
INTERRUPTED: engine_pack.VoidReasonName = "interrupted"


@dataclass(frozen=True, eq=False)
class GoverningRules:
    """The rules of a table between two changes."""

    version: RuleVersion
    pack: Pack
    facts: Mapping[str, EntryBody]
    offered: frozenset[str]

    def rules_for_pay_table(self, pay_table: str) -> Rules:
        return compile_rules(self.pack, pay_table, self.version.readings)


@dataclass(frozen=True, eq=False)
class RoundContext:
    """A round with its rules, limits and decisions."""

    index: int
    table: str
    round: Round
    at: datetime
    governing: GoverningRules
    decisions: RoundDecisions
    table_decisions: list[Decision] = field(default_factory=list)

    @property
    def pack(self) -> Pack:
        return self.governing.pack

    @cached_property
    def events(self) -> Mapping[str, datetime]:
        return first_event_times(self.round)

    @cached_property
    def cut_off(self) -> datetime | None:
        """The earliest event that closes betting; None if none was recorded."""
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
        """The reason the table reported, or that of a later decision which may apply to the round."""
        if self.round.no_result is not None:
            return None if self.had_outcome else self.round.no_result.reason
        return self.decisions.reason if self.is_voided_later else None

    @cached_property
    def had_outcome(self) -> bool:
        """An interrupted round counts if its outcome was established by then and the rules provide for interruptions:
        all dice were read or, as most rule versions have it, some available bet was decided."""
        if self.pack.duties.interruption is None or not self.was_interrupted:
            return False
        layouts = [self.governing.rules_for_pay_table(name) for name in self.pack.law.pay_table]
        if layouts[0].law.void[INTERRUPTED].established_by == "all-dice-read":
            return len(self.dice_in_sight) == 3
        rolls = possible_rolls(self.dice_in_sight)
        decided = (
            all(rule.by_outcome[roll] for roll in rolls) or not any(rule.by_outcome[roll] for roll in rolls)
            for rules in layouts
            for code, rule in rules.bets.items()
            if code in self.governing.offered
        )
        return self.is_outcome_reported or any(decided)

    @cached_property
    def dice_in_sight(self) -> tuple[int, ...]:
        """The dice read when the round was interrupted; none if the table reported that no bet was decided by then and
        the cover was still on."""
        if self.round.no_result is None or not self.was_interrupted:
            return ()
        undecided_at = [at for at, is_decided in self._interruptions if not is_decided]
        if undecided_at and self.events.get("uncovered", datetime.max.replace(tzinfo=UTC)) > max(undecided_at):
            return ()
        return self.outcome or self.round.no_result.faces_read

    @property
    def was_interrupted(self) -> bool:
        return self.round.no_result is not None and self.round.no_result.reason == INTERRUPTED

    @property
    def is_outcome_reported(self) -> bool:
        return any(is_decided for _, is_decided in self._interruptions)

    @cached_property
    def _interruptions(self) -> list[tuple[datetime, bool]]:
        return interruptions_of_round(self.round.round, self.index, self.table_decisions)

    @cached_property
    def is_voided_later(self) -> bool:
        reason, duties = self.decisions.reason, self.pack.duties
        if not reason:
            return False
        rule = self._void_rule_for(reason)
        is_invalidated = reason == INVALIDATED and duties.invalidation is not None
        if rule is not None and (rule.covers == "all-affected-rounds" or is_invalidated):
            return True
        return bool(duties.disputes and duties.disputes.uncovered_clause) and self._was_decided_by_authority

    @property
    def _was_decided_by_authority(self) -> bool:
        """Whether the person who decided has a role that decides what the document leaves open."""
        steps = self.pack.duties.disputes.steps if self.pack.duties.disputes else ()
        deciders = (self.pack.roles[step.decided_by] for step in steps if step.decided_by in self.pack.roles)
        return any(self.decisions.decided_as in role.means for role in deciders)

    @property
    def is_invalidated(self) -> bool:
        """An invalidated round has no result for streaks either."""
        return self.decisions.reason == INVALIDATED

    @property
    def was_voided_after_end(self) -> bool:
        """Decided after the round ended: payments already made are not taken back automatically."""
        at = self.decisions.at
        return self.is_voided_later and (at is None or at > self.ended_at)

    @cached_property
    def have_lights_failed(self) -> bool:
        """Nothing was lit although there was a result, or not what won although the result was entered rightly."""
        lit, lay, entry = self.round.lit, self.outcome, self.pack.conduct.entry
        if lit is None or lay is None:
            return False
        if lit == ():
            return True
        if entry is None or not entry.lights_winners or len(self.pack.law.pay_table) != 1:
            return False
        if self.round.entered is not None and sorted(self.round.entered.faces) != sorted(lay):
            return False
        rules = self.governing.rules_for_pay_table(next(iter(self.pack.law.pay_table)))
        return set(lit) != settle.find_winning_areas(rules, self.governing.offered, lay)

    @cached_property
    def is_void_by_conduct(self) -> bool:
        """Whether the document makes the round void because of what was done at the table, whatever was declared: too
        few tumbles, the result in sight while bets could be placed, or the button not pressed."""
        void, shown = set(map(str, self.pack.law.void)), [self.events[name] for name in REVEALS if name in self.events]
        if self.events.keys() <= set(REVEALS):
            return False
        if {"fewer-than-three", "not-activated"} & void and self._had_too_few_tumbles:
            return True
        if "exposed-early" in void and shown and (self.cut_off is None or min(shown) < self.cut_off):
            return True
        uncovered, pressed = self.events.get("uncovered"), self.events.get("no-more-bets-pressed")
        has_button = self.governing.facts.get("equipment", {}).get("touch_screen", False)
        is_open = uncovered is not None and (pressed is None or pressed > uncovered)
        return "nmb-not-pressed" in void and has_button and is_open

    @property
    def _had_too_few_tumbles(self) -> bool:
        """An event without a count says nothing; no event at all says that there was no tumble. Tumbles count where the
        document places them, unless all of them are elsewhere."""
        rule, shaker = self.pack.conduct.agitation, self.governing.facts.get("equipment", {}).get("shaker", "none")
        if rule is None or rule.only_with not in ("", f"{shaker}-shaker"):
            return False
        tumbled = [(event.at, event.count) for event in self.round.events if event.name == "tumbled"]
        counted = [(at, count) for at, count in tumbled if count is not None]
        first, last = self._instant_of(rule.after), self._instant_of(rule.before)
        in_place = [count for at, count in counted if (first or at) <= at <= (last or at)]
        return not tumbled or (bool(counted) and sum(in_place or (count for _, count in counted)) < rule.at_least)

    def _instant_of(self, event: str | None) -> datetime | None:
        return self.cut_off if event == "no-more-bets" else self.events.get(event or "")

    def may_forfeit(self, reason: str) -> bool:
        rule = self._void_rule_for(reason)
        return rule is not None and rule.may_forfeit

    def _void_rule_for(self, reason: str) -> engine_pack.VoidReason | None:
        return next((rule for name, rule in self.pack.law.void.items() if name == reason), None)

    def limits_for(self, position: WagerPosition) -> WagerLimits:
        """The player's own limits if the rules provide for them and they are reported or on record; otherwise the
        table's for the box."""
        wager, limits = position.wager, table_limits(self.governing.facts, position.bet)
        if self.pack.duties.player_limits is None:
            return limits
        reported = [(own.player, own.seat, own.min, own.max) for own in self.round.player_limits]
        for player, seat, low, high in (*reported, *self._recorded_limits):
            if (player, seat) in ((wager.player, None), (None, wager.seat), (wager.player, wager.seat)):
                return WagerLimits(low, high, limits.needs_multiples, limits.payable_unit_cents)
        return limits

    @cached_property
    def _recorded_limits(self) -> list[tuple[str | None, int | None, int, int]]:
        """Player, seat, minimum and maximum of each limit of one player on record when betting closed."""
        found = player_limits_on_record(self.cut_off or self.ended_at, self.ended_at, self.table_decisions)
        return [(one["player"], one["seat"], one["min"], one["max"]) for one in found]

    def was_warned(self, wager: Wager) -> bool:
        rule = self.pack.law.settlement.under_minimum
        if wager.warned or rule is None or rule.settled != "once-then-returned":
            return wager.warned
        return was_warned(wager, self.round, self.table_decisions)

    def was_rightly_refused(self, position: WagerPosition) -> bool:
        """Handed back whole, and refused as the rules allow, or as nothing contradicts. What the rules do not accept
        at all may be refused at any time."""
        wager, duty = position.wager, self.pack.duties.wager_refusal
        if wager.verdict != "refused" or wager.returned != position.total_stake_cents:
            return False
        if not self._accepts_tender(wager):
            return True
        if duty is None:
            return False
        if duty.reaches == "silent" or position.was_placed_late or position.was_withdrawn:
            return True
        if position.bet not in self.governing.offered:
            return True
        at, grounds = self._refused_when_and_why(wager)
        if at is not None and self.cut_off is not None and at > self.cut_off:
            return False
        return duty.reaches == "before-no-more-bets" or grounds in (None, "touching")

    def _refused_when_and_why(self, wager: Wager) -> tuple[datetime | None, str | None]:
        began_at, said = min(self.events.values()), wager.refusal
        recorded = recorded_refusal(wager.id, self.index, began_at, self.ended_at, self.table_decisions)
        at, grounds = recorded if recorded is not None else (None, None)
        return (said.at or at, said.grounds or grounds) if said is not None else (at, grounds)

    def _accepts_tender(self, wager: Wager) -> bool:
        tenders, spoken = self.pack.conduct.tenders, self.pack.conduct.spoken_wagers
        if tenders is not None and wager.tender not in tenders.accepted:
            return False
        if not wager.spoken or spoken is None:
            return True
        return wager.tender not in spoken.never_with and (
            not spoken.accompanied_by or wager.tender in spoken.accompanied_by
        )

    @cached_property
    def wagers_found_over(self) -> frozenset[str]:
        settled_at = min((self.events[name] for name in PAYOUT_EVENTS if name in self.events), default=self.ended_at)
        return wagers_found_over_limit(self.index, min(self.events.values()), settled_at, self.table_decisions)

    def returned_cents(self, wager: Wager) -> int:
        """Everything returned on the wager, with the round and later."""
        return (wager.returned or 0) + self.decisions.paid_later.get(wager.id, 0)


def first_event_times(played: Round) -> dict[str, datetime]:
    """The earliest time of each event; an event may be reported more than once."""
    events: dict[str, datetime] = {}
    for event in played.events:
        events[event.name] = min(event.at, events.get(event.name, event.at))
    return events


def possible_rolls(faces: tuple[int, ...]) -> list[int]:
    """Numbers of the 216 rolls in which these dice lie, in any place."""
    return [
        number
        for number, roll in enumerate(OUTCOMES)
        if any(order[: len(faces)] == faces for order in permutations(roll))
    ]


def result_of(played: Round) -> Outcome | None:
    return played.dice if played.dice is not None else played.cards
