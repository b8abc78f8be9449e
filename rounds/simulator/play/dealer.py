"""The honest dealer: settles each wager by asking the engine. Injectors never use it."""

from __future__ import annotations

from dataclasses import dataclass

from rounds.engine import BETS, Outcome, Settlement, WagerQuestion, pack, settle, settle_wager
from rounds.engine import WagerLimits as EngineLimits
from rounds.engine import bets as engine_bets
from rounds.intake.protocol.fields import Limits
from rounds.intake.protocol.table import Streak
from rounds.simulator.play.table_config import Seat, TableConfig
from rounds.simulator.play.table_state import PlayState, StreakWager

STREAK_PAIRS = ("small-big", "odd-even")


@dataclass(frozen=True)
class RoundResult:
    """How a round ended: an outcome, or the reason for having none."""

    outcome: Outcome | None
    void_reason: pack.VoidReasonName | None = None
    have_lights_failed: bool = False


def to_engine_limits(limits: Limits) -> EngineLimits:
    return EngineLimits(limits.min, limits.max, limits.multiples, limits.payable_unit)


@dataclass(frozen=True)
class Dealer:
    """Settles the wagers of one table and reads its screens."""

    set_up: TableConfig
    state: PlayState

    def settle_wager(
        self,
        place: Seat,
        bet: str,
        stake: int,
        result: RoundResult,
        *,
        limits: Limits,
        is_token: bool = False,
        was_warned: bool = False,
        was_registered: bool = True,
    ) -> Settlement:
        question = WagerQuestion(
            bet=BETS[bet],
            stake_cents=stake,
            outcome=result.outcome,
            limits=to_engine_limits(limits),
            posted_odds=self.set_up.parsed_posted_odds.get(bet),
            offered=self.set_up.offered,
            is_promotional_token=is_token,
            was_warned=was_warned,
            was_registered=was_registered,
            void_reason=result.void_reason,
            have_lights_failed=result.have_lights_failed,
            called=result.outcome,
        )
        return settle_wager(self.set_up.rules_at(place), question)

    def settle_streak(self, wager: StreakWager, *, have_lights_failed: bool) -> Settlement:
        """By the results of the gaming day so far."""
        results = self.state.results
        question = WagerQuestion(
            bet=BETS[wager.bet],
            stake_cents=wager.stake,
            opening=results[wager.after - 1].outcome,
            history=tuple(result.outcome for result in results[wager.after :]),
            have_lights_failed=have_lights_failed,
        )
        return settle_wager(self.set_up.rules_at(self.set_up.seat_places[0]), question)

    def winning_areas(self, outcome: Outcome) -> tuple[str, ...]:
        """The areas that light up: every offered bet that wins on this result."""
        place, index = self.set_up.seat_places[0], engine_bets.outcome_index(outcome)
        bets = self.set_up.rules_at(place).bets
        return tuple(code for code in self.set_up.bets_at(place) if bets[code].by_outcome[index] is not None)

    def displayed_streaks(self) -> tuple[Streak, ...]:
        """What the screen shows: the run of each pair, and whether its area flashes for new wagers."""
        rules = self.set_up.rules_at(self.set_up.seat_places[0])
        # Longer than any run, and much shorter than a day: this is computed after every round.
        results = [result.to_engine_result() for result in self.state.results[-64:]]
        shown = []
        for pair in STREAK_PAIRS:
            run = settle.compute_table_streak(rules, pair, results)
            flashing = run.accepts_wagers and not self.state.was_final_call_made
            shown.append(Streak(pair=pair, side=run.direction, length=run.length, flashing=flashing))  # type: ignore[arg-type]
        return tuple(shown)
