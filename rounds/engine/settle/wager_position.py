"""RoundToSettle: a reported round with the rules in force and later decisions. Decides which of its wagers count, with
which bet, stake, holder and limits, and whether the round is void. amount_owed.py computes what each wager is owed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from rounds.engine.bets.bet_codes import BETS
from rounds.engine.bets.dice_outcomes import Outcome
from rounds.engine.settle.conducted_round import ConductedRound, VoidGrounds
from rounds.engine.settle.layout_lights import are_lights_inconclusive
from rounds.engine.settle.refused_wagers import (
    LaterVoid,
    RecordedRefusal,
    RefusalState,
    find_invalidation_breaches,
    find_tender_breach,
    judge_later_void,
    judge_refusal,
)
from rounds.engine.settle.reported_round import (
    LaterDecisions,
    ReportedInterruption,
    ReportedWager,
    wager_holder,
)
from rounds.engine.settle.settle_wager import INTERRUPTED, is_outcome_established
from rounds.engine.settle.settlement import NO_LIMITS, WagerLimits, WagerQuestion
from rounds.engine.settle.stake_limits import cap_stakes
from rounds.engine.settle.super_streak import TableResult

SETTLED_VERDICTS = ("win", "lose")
PROMOTIONAL_TOKEN = "promotional-token"  # noqa: S105 - a tender, not a secret


@dataclass(frozen=True)
class WagerPosition:
    """One wager as it stood when betting closed (the cut-off). `added_late_cents` is what was added afterwards."""

    wager: ReportedWager
    bet: str
    stake_cents: int
    was_placed_late: bool = False
    added_late_cents: int = 0
    was_moved_late: bool = False
    was_taken_back_late: bool = False
    was_withdrawn: bool = False

    @property
    def total_staked_cents(self) -> int:
        """All the money placed on it at any time, which must be accounted for."""
        return self.stake_cents + self.added_late_cents

    @property
    def was_changed_late(self) -> bool:
        return self.was_placed_late or bool(self.added_late_cents) or self.was_moved_late or self.was_taken_back_late


def position_at_cut_off(wager: ReportedWager, cut_off: datetime | None) -> WagerPosition:
    """The wager with all changes up to the cut-off applied. Without a recorded cut-off nothing counts as late."""
    bet, stake = wager.bet, wager.stake
    added, is_moved, is_back, is_withdrawn = 0, False, False, False
    is_late = cut_off is not None and wager.placed_at > cut_off
    for change in sorted(wager.changes, key=lambda change: change.at):
        if cut_off is None or change.at <= cut_off:
            bet, stake = change.bet or bet, change.stake or stake
            is_withdrawn = is_withdrawn or change.what == "withdrawn"
        elif change.what == "raised":
            added = max(added, (change.stake or stake) - stake)
        else:
            is_moved = is_moved or change.what == "moved"
            is_back = is_back or change.what in ("lowered", "withdrawn")
    return WagerPosition(wager, bet, stake, is_late, added, is_moved, is_back, is_withdrawn)


@dataclass(frozen=True)
class BoxHolding:
    """One player's wagers on one box, which count together against the limits. `live_cents` is each wager's part within
    the maximum."""

    limits: WagerLimits
    total_cents: int
    live_cents: Mapping[str, int]

    @property
    def is_over_maximum(self) -> bool:
        return self.limits.maximum_cents is not None and self.total_cents > self.limits.maximum_cents

    @property
    def is_under_minimum(self) -> bool:
        return self.limits.minimum_cents is not None and self.total_cents < self.limits.minimum_cents

    def limits_of_wager(self, position: WagerPosition) -> WagerLimits:
        """Limits of one wager within the holding. Its maximum is the part of it that is live."""
        stake, live = position.stake_cents, self.live_cents[position.wager.id]
        minimum = self.limits.minimum_cents
        if minimum is not None and not self.is_under_minimum:
            minimum = min(minimum, stake)
        return replace(self.limits, minimum_cents=minimum, maximum_cents=live if live < stake else None)


@dataclass(frozen=True, eq=False, kw_only=True)
class RoundToSettle(ConductedRound):
    """One reported round, the rules in force for it, and what was recorded about it later."""

    later_decisions: LaterDecisions | None = None
    # By wager above the maximum that was found while the round was on: the entry that records it.
    over_limit_reports: Mapping[str, int] = field(default_factory=dict)
    # By refused wager: what people recorded of its refusal.
    recorded_refusals: Mapping[str, RecordedRefusal] = field(default_factory=dict)
    # Lines of the table about an interruption of this round that say whether its outcome was established.
    interruptions: Sequence[ReportedInterruption] = ()
    # By wager: the entries of payments after a dispute, which `returned` includes.
    payment_entries: Mapping[str, Sequence[int]] = field(default_factory=dict)

    @property
    def ended_at(self) -> datetime:
        """The time of the last event or wager of the round. Streak wagers for the next round are included."""
        return max((*self.events.values(), *(wager.placed_at for wager in self.round.wagers)))

    # --- Wagers -----------------------------------------------------------------------------------------------------

    @cached_property
    def positions(self) -> Sequence[WagerPosition]:
        """The positions that this round decides. Streaks run across rounds and are not among them."""
        return [
            position_at_cut_off(wager, self.cut_off_at) for wager in self.round.wagers if not BETS[wager.bet].is_streak
        ]

    @cached_property
    def holdings(self) -> Mapping[str, BoxHolding]:
        """By wager id: the holder's wagers on the same box, regardless of the seat. Of several wagers the last placed
        is capped first. Wagers placed late, withdrawn in time or refused do not count."""
        groups: dict[tuple[str, str], list[WagerPosition]] = {}
        for position in self.positions:
            if not (position.was_placed_late or position.was_withdrawn or self.is_set_aside(position)):
                groups.setdefault((wager_holder(position.wager), position.bet), []).append(position)
        holdings: dict[str, BoxHolding] = {}
        for group in groups.values():
            limits = self._limits_for(group[0])
            ordered = sorted(group, key=lambda position: position.wager.placed_at)
            stakes = [position.stake_cents for position in ordered]
            maximum = limits.maximum_cents
            live = stakes if maximum is None else cap_stakes(stakes, maximum)
            by_wager = {position.wager.id: cents for position, cents in zip(ordered, live, strict=True)}
            holdings.update(dict.fromkeys(by_wager, BoxHolding(limits, sum(stakes), by_wager)))
        return holdings

    def refusal_state(self, position: WagerPosition) -> RefusalState | None:
        """Whether the wager could be refused. None for a wager that was not refused or not handed back whole, or where
        the rules know no refusal. A wager that the rules do not accept at all may be refused at any time."""
        wager, duty = position.wager, self.pack.duties.wager_refusal
        if wager.verdict != "refused" or wager.returned != position.total_staked_cents:
            return None
        if find_tender_breach(self.pack.conduct, wager) is not None:
            return RefusalState.ALLOWED
        if duty is None:
            return None
        if position.was_placed_late or position.was_withdrawn or not self._is_box_open(position):
            return RefusalState.ALLOWED
        return judge_refusal(duty, self.known_refusal(wager), self.cut_off_at)

    def known_refusal(self, wager: ReportedWager) -> RecordedRefusal:
        """What the table reported of a refusal; where it did not, what people recorded."""
        reported, recorded = wager.refusal, self.recorded_refusals.get(wager.id, RecordedRefusal(None, None))
        if reported is None:
            return recorded
        return RecordedRefusal(reported.at or recorded.at, reported.grounds or recorded.grounds)

    def is_set_aside(self, position: WagerPosition) -> bool:
        """Whether a refused wager is left out of the settlement: unless the rules forbid the refusal."""
        return self.refusal_state(position) in (RefusalState.ALLOWED, RefusalState.UNPROVEN)

    def _is_box_open(self, position: WagerPosition) -> bool:
        """Whether the rules approve the bet and the table offers it."""
        pay_table = self.rules_in_force.pay_table_for(position.wager.terminal)
        is_approved = pay_table is not None and self.rules_in_force.rules_for_pay_table(pay_table).approves_bet(
            position.bet
        )
        return is_approved and position.bet in self.rules_in_force.offered

    def _limits_for(self, position: WagerPosition) -> WagerLimits:
        """The table's limits for the box; or the player's own limits, where the rules provide for them and the round
        reports them."""
        limits, own = self.rules_in_force.limits_for(position.bet), self.player_limits_for(position.wager)
        if own is None:
            return limits
        return WagerLimits(own.min, own.max, limits.needs_multiples, limits.payable_unit_cents)

    def player_limits_for(self, wager: ReportedWager) -> Any:
        """The player's own limits (PlayerLimits of the protocol); None where there are none."""
        if self.pack.duties.player_limits is None:
            return None
        whose = ((wager.player, None), (None, wager.seat), (wager.player, wager.seat))
        return next((own for own in self.round.player_limits if (own.player, own.seat) in whose), None)

    def question(self, position: WagerPosition) -> WagerQuestion:
        """The wager at the cut-off as a question to the settlement engine."""
        wager, rules_in_force, held = position.wager, self.rules_in_force, self.holdings.get(position.wager.id)
        return WagerQuestion(
            bet=BETS[position.bet],
            stake_cents=position.stake_cents,
            outcome=self.outcome,
            limits=held.limits_of_wager(position) if held else NO_LIMITS,
            posted_odds=rules_in_force.posted_odds.get(position.bet),
            offered=rules_in_force.offered,
            is_promotional_token=wager.tender == PROMOTIONAL_TOKEN,
            was_warned=wager.warned,
            was_registered=wager.registered is not False,
            void_reason=INTERRUPTED if self._was_interrupted and self.outcome is None else self.void_reason,
            faces_read=self.faces_read,
            is_reported_established=self._is_reported_established,
            have_lights_failed=self._are_lights_inconclusive,
            called=self.round.called.faces if self.round.called else None,
        )

    @property
    def streak_result(self) -> TableResult:
        """What the round is for streaks: no result if it is void, or should have been."""
        is_void = self.void_reason is not None or self.conduct_void_grounds is not None
        return TableResult(None if is_void else self.outcome, self.have_lights_failed)

    def streak_question(
        self, wager: ReportedWager, opening: Outcome | None, results: Sequence[TableResult]
    ) -> WagerQuestion:
        """A streak wager as a question: the result on the table when it was placed, and the results since. Results
        after the lights failed do not count, because that ended the streak."""
        failed = next((place for place, result in enumerate(results) if result.ended_by_fault), len(results))
        grounds = self.conduct_void_grounds
        is_over = failed < len(results) - 1
        return WagerQuestion(
            bet=BETS[wager.bet],
            stake_cents=wager.stake,
            opening=opening,
            history=tuple(result.outcome for result in results[: failed + 1]),
            void_reason=None if is_over else self.void_reason or (grounds.reason if grounds else None),
            have_lights_failed=failed < len(results),
            is_promotional_token=wager.tender == PROMOTIONAL_TOKEN,
        )

    @cached_property
    def _are_lights_inconclusive(self) -> bool:
        """Whether the lights are inconclusive. SkyCity 7.e then goes by the result called."""
        called, lay, lit, rules_in_force = self.round.called, self.outcome, self.round.lit, self.rules_in_force
        pay_table = rules_in_force.pay_table_for(None)
        if called is None or lay is None or lit is None or pay_table is None:
            return False
        rules = rules_in_force.rules_for_pay_table(pay_table)
        return are_lights_inconclusive(rules, rules_in_force.offered, lit, lay, called.faces)

    # --- Void rounds and wagers -------------------------------------------------------------------------------------

    @cached_property
    def void_reason(self) -> str | None:
        """Why the round is void: as the table reported, or by a later decision that may apply to it."""
        if self.round.no_result is not None:
            return None if self.is_outcome_established else self.round.no_result.reason
        return self.later_decisions.reason if self.later_decisions is not None and self.is_voided_later else None

    @cached_property
    def is_outcome_established(self) -> bool:
        """Interrupted, but an outcome was established by then: the round counts, where the rules provide for it."""
        rules = self.rules_in_force.rules_for_pay_table(next(iter(self.pack.law.pay_table)))
        return self._was_interrupted and is_outcome_established(
            rules, self.faces_read, self.rules_in_force.offered, is_reported=self._is_reported_established
        )

    @property
    def _was_interrupted(self) -> bool:
        return self.round.no_result is not None and self.round.no_result.reason == INTERRUPTED

    @cached_property
    def faces_read(self) -> tuple[int, ...]:
        """The dice that could be read when the round was interrupted. None of them where the table reported that no
        wager was decided by then and the cover came off later, if at all."""
        if not self._was_interrupted:
            return ()
        shown, said = self.events.get("uncovered"), [each for each in self.interruptions if not each.is_established]
        is_denied = bool(said) and (shown is None or shown > max(each.at for each in said))
        return () if is_denied else self.outcome or tuple(self.round.no_result.faces_read)

    @property
    def _is_reported_established(self) -> bool:
        return any(each.is_established for each in self.interruptions)

    @cached_property
    def later_void(self) -> LaterVoid | None:
        """What the rules make of the later decision that voids the whole round; None if there is none."""
        decided = self.later_decisions
        if decided is None or not decided.reason:
            return None
        return judge_later_void(self.pack, decided.reason, decided.decided_as)

    @property
    def is_voided_later(self) -> bool:
        """Whether a later decision voided the round."""
        return self.later_void is not None and self.later_void.is_void

    @property
    def is_voided_after_end(self) -> bool:
        """Voided only after the round had ended, so that money already paid is not recovered automatically."""
        at = self.later_decisions.at if self.later_decisions is not None else None
        return self.is_voided_later and (at is None or at > self.ended_at)

    @property
    def invalidation_breaches(self) -> list[str]:
        """What is wrong with an invalidation that the table reported: its grounds, or the position of who declared
        it. Empty for other rounds."""
        declared = self.round.no_result
        if declared is None or declared.reason != "invalidated":
            return []
        return find_invalidation_breaches(self.pack, declared.grounds, declared.by.position if declared.by else None)

    def may_forfeit(self, reason: str) -> bool:
        rule = self.void_rule(reason)
        return rule is not None and rule.may_forfeit

    def is_declared_void(self, wager: str) -> bool:
        return self.later_decisions is not None and wager in self.later_decisions.wagers

    def is_declared_void_after_end(self, wager: str) -> bool:
        declared = self.later_decisions.wagers.get(wager) if self.later_decisions else None
        return declared is not None and declared[1] > self.ended_at

    @cached_property
    def void_wagers_clause(self) -> str | None:
        """The clause under which single wagers may be declared void (`duties.device_ban`)."""
        ban = self.pack.duties.device_ban
        return dict(zip(ban.may, ban.may_clauses, strict=True)).get("void-wagers") if ban else None

    @cached_property
    def void_grounds(self) -> VoidGrounds | None:
        """Why the round should have been void although it was settled. None for a valid round."""
        if self.void_reason is not None or not any(
            position.wager.verdict in SETTLED_VERDICTS for position in self.positions
        ):
            return None
        return self.conduct_void_grounds
