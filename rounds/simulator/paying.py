"""What an honest table hands back. It asks the engine; planted faults never do."""

from __future__ import annotations

from dataclasses import dataclass

from rounds.engine.bets import BETS
from rounds.engine.outcomes import Outcome, index_of
from rounds.engine.settle import settle_under
from rounds.engine.settlement import Limits as EngineLimits
from rounds.engine.settlement import Settlement, WagerAsked
from rounds.engine.streak import table_run
from rounds.engine.terms import VoidReasonName
from rounds.intake.kinds.table import Streak
from rounds.intake.kinds.words import Limits
from rounds.simulator.set_up import Place, TableSetUp
from rounds.simulator.state import StreakWager, TableState

STREAK_PAIRS = ("small-big", "odd-even")


@dataclass(frozen=True)
class RoundResult:
    """How a round ended: an outcome, or the reason why there is none."""

    outcome: Outcome | None
    void_reason: VoidReasonName | None = None
    have_lights_failed: bool = False


def engine_limits(limits: Limits) -> EngineLimits:
    return EngineLimits(limits.min, limits.max, limits.multiples, limits.payable_unit)


@dataclass(frozen=True)
class House:
    """The dealer's side of one table."""

    set_up: TableSetUp
    state: TableState

    def settle(
        self, place: Place, bet: str, stake: int, result: RoundResult, *,
        limits: Limits, is_token: bool = False, was_warned: bool = False, was_registered: bool = True,
    ) -> Settlement:  # fmt: skip
        asked = WagerAsked(
            bet=BETS[bet],
            stake_cents=stake,
            outcome=result.outcome,
            limits=engine_limits(limits),
            posted_odds=self.set_up.posted.get(bet),
            offered=self.set_up.offered,
            is_promotional_token=is_token,
            was_warned=was_warned,
            was_registered=was_registered,
            void_reason=result.void_reason,
            have_lights_failed=result.have_lights_failed,
            called=result.outcome,
        )
        return settle_under(self.set_up.rules(place), asked)

    def settle_streak(self, wager: StreakWager, *, have_lights_failed: bool) -> Settlement:
        """As it stands after the last result of the day so far."""
        results = self.state.results
        asked = WagerAsked(
            bet=BETS[wager.bet],
            stake_cents=wager.stake,
            opening=results[wager.after - 1].outcome,
            history=tuple(result.outcome for result in results[wager.after :]),
            have_lights_failed=have_lights_failed,
        )
        return settle_under(self.set_up.rules(self.set_up.places[0]), asked)

    def winning_areas(self, outcome: Outcome) -> tuple[str, ...]:
        """What lights up: every offered area that this result pays."""
        place, index = self.set_up.places[0], index_of(outcome)
        bets = self.set_up.rules(place).bets
        return tuple(code for code in self.set_up.boxes(place) if bets[code].by_outcome[index] is not None)

    def streaks_shown(self) -> tuple[Streak, ...]:
        """What the screen shows: the run of each pair, and whether its area flashes for new wagers."""
        rules = self.set_up.rules(self.set_up.places[0])
        # No run is as long as that, and a day has more rounds than one wants to count through after each of them.
        results = [result.for_streaks() for result in self.state.results[-64:]]
        shown = []
        for pair in STREAK_PAIRS:
            run = table_run(rules, pair, results)
            flashing = run.takes_wagers and not self.state.was_final_call_made
            shown.append(Streak(pair=pair, side=run.direction, length=run.length, flashing=flashing))  # type: ignore[arg-type]
        return tuple(shown)
