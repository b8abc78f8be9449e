"""One honest round: events in order, wagers by the players' habits, a result, and the correct settlement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random

from rounds.engine import BETS, Outcome, Verdict, bets
from rounds.intake.protocol.fields import Limits, Staff
from rounds.intake.protocol.round import Called, ColourValue, Displayed, Entered, NoResult, Round, RoundEvent, Wager
from rounds.simulator.play.dealer import Dealer, RoundResult
from rounds.simulator.play.players import Stake, TableView, choose_stakes, usual_tender
from rounds.simulator.play.round_events import cut_off_at, event_order, first_event_at, milliseconds, time_events
from rounds.simulator.play.table_config import TableConfig
from rounds.simulator.play.table_state import Player, PlayState, StreakResult, StreakWager
from rounds.simulator.play.void_rounds import draw_void_reason, events_until_void
from rounds.simulator.play.wager_changes import place_wager as put_down

LIGHTS_FAIL_ONE_IN = 300
TERMINAL_FAILS_ONE_IN = 150
SPOKEN_TENDERS = 0.02


@dataclass(frozen=True)
class OverlookedLimit:
    """A limit that a player exceeded at an honest table. Known, because the player's habit chose to."""

    limit: str
    wager: str


@dataclass
class RoundReport:
    body: Round
    ended_at: datetime
    overlooked: list[OverlookedLimit] = field(default_factory=list)
    have_lights_failed: bool = False
    lost_terminal: str | None = None


class HonestRound:
    """Plays one round at a table and updates its state."""

    def __init__(self, set_up: TableConfig, state: PlayState, rng: Random, *, start: datetime, pace: float) -> None:
        self.set_up, self.state, self.rng, self.pace = set_up, state, rng, pace
        self.dealer, self.view = Dealer(set_up, state), TableView(set_up, state, rng)
        names = event_order(set_up.pack.conduct, set_up.equipment)
        self.events = time_events(set_up, names, start=start, pace=pace, rng=rng)
        self.id = f"{state.gaming_day:%Y%m%d}-{state.next_number:05}"
        self.overlooked: list[OverlookedLimit] = []
        self.lost_terminal = self._draw_failed_terminal()
        self.result = self._draw_result()

    def play(self) -> RoundReport:
        wagers = self._ordinary_wagers()
        self.state.results.append(
            StreakResult(
                outcome=self.result.outcome if not self.result.void_reason else None,
                ended_by_fault=self.result.have_lights_failed,
            )
        )
        wagers += self._settle_ended_streaks()
        end = self.events[-1].at
        wagers += self._place_streak_wagers(end)
        self.state.next_number += 1
        ended_at = end + milliseconds(4.0 / self.pace)
        body = self._round_body(tuple(wagers))
        return RoundReport(body, ended_at, self.overlooked, self.result.have_lights_failed, self.lost_terminal)

    # The result

    def _draw_result(self) -> RoundResult:
        outcome = self._draw_cards() if self.set_up.has_cards else self._roll_dice()
        reason = draw_void_reason(self.set_up, self.rng)
        if reason is not None:
            self.events = events_until_void(self.events, reason, self.set_up.pack.conduct.no_more_bets.events)
            return RoundResult(outcome if reason == "invalidated" else None, reason)
        duty = self.set_up.pack.duties.equipment_fault
        fails = duty is not None and self.rng.randrange(LIGHTS_FAIL_ONE_IN) == 0
        return RoundResult(outcome, have_lights_failed=fails)

    def _roll_dice(self) -> Outcome:
        return self._roll_die(), self._roll_die(), self._roll_die()

    def _roll_die(self) -> int:
        if self.set_up.sixes == 1:
            return self.rng.randint(1, 6)
        return min(6, self.rng.randint(1, 5 + self.set_up.sixes))

    def _draw_cards(self) -> Outcome:
        return self.state.cards.pop(), self.state.cards.pop(), self.state.cards.pop()

    def _draw_failed_terminal(self) -> str | None:
        """Only under rules that cover terminal failures; unregistered wagers are then returned."""
        if self.set_up.pack.duties.interruption is None or self.rng.randrange(TERMINAL_FAILS_ONE_IN):
            return None
        return self.rng.choice(sorted(self.set_up.terminals))

    # The wagers

    def _ordinary_wagers(self) -> list[Wager]:
        # Where dice can be in sight before the cut-off, wagers are still placed only before it.
        opened, closed = first_event_at(self.events, "bets-open"), cut_off_at(self.set_up, self.events)
        assert opened is not None
        placed = [(player, stake) for player in self.state.players for stake in choose_stakes(self.view, player)]
        span = (closed or self.events[-1].at) - opened
        step = span / (len(placed) + 1)
        self.closes_at = opened + span
        return [
            self._build_wager(number, player, stake, opened + _truncate_to_milliseconds(step * number))
            for number, (player, stake) in enumerate(placed, start=1)
        ]

    def _build_wager(self, number: int, player: Player, stake: Stake, placed_at: datetime) -> Wager:
        place, tender = self.view.seat_of(player), stake.tender
        is_token = tender == "promotional-token"
        was_warned = stake.overlooks == "minimum" and player.was_warned
        was_registered = place.terminal is None or place.terminal != self.lost_terminal
        limits = self._limits_for_player(player).for_bet(stake.bet)
        settled = self.dealer.settle_wager(
            place,
            stake.bet,
            stake.cents,
            self.result,
            limits=limits,
            is_token=is_token,
            was_warned=was_warned,
            was_registered=was_registered,
        )
        wager_id = f"{self.id}.{number}"
        if stake.overlooks:
            self.overlooked.append(OverlookedLimit(stake.overlooks, wager_id))
            player.was_warned = player.was_warned or stake.overlooks == "minimum"
        placed = put_down(stake, player, self.view, limits, placed_at=placed_at, closes_at=self.closes_at)
        verdict = Verdict.VOID if placed.is_withdrawn else settled.verdict
        if player.habit == "martingale":
            player.next_stake = stake.cents * 2 if verdict is Verdict.LOSE else 0
        won_in_chips = is_token and verdict is Verdict.WIN
        return Wager(
            id=wager_id,
            player=player.pseudonym,
            seat=None if place.terminal else player.seat,
            terminal=place.terminal,
            bet=placed.bet,
            stake=placed.cents,
            changes=placed.changes,
            spoken=self._is_called_bet(stake),
            tender=usual_tender(self.set_up) if tender == "value-chips" else tender,
            chips=self._chips_of(player) if tender == "colour-checks" else None,
            placed_at=placed_at,
            registered=was_registered if place.terminal else None,
            warned=was_warned,
            verdict=verdict.value,  # type: ignore[arg-type]
            returned=stake.cents if placed.is_withdrawn else settled.returned_cents,
            paid_in="value-chips" if won_in_chips else None,
        )

    def _chips_of(self, player: Player) -> ColourValue:
        return ColourValue(colour=player.colour, value=player.chip_value, issued_at=self.set_up.table)

    def _is_called_bet(self, stake: Stake) -> bool:
        rule = self.set_up.pack.conduct.spoken_wagers
        return rule is not None and stake.tender in rule.accompanied_by and self.rng.random() < SPOKEN_TENDERS

    def _limits_for_player(self, player: Player) -> Limits:
        own = self.state.player_limits.get(player.pseudonym)
        return self.state.limits if own is None else Limits(min=own.min, max=own.max)

    # Super Streak

    def _settle_ended_streaks(self) -> Iterator[Wager]:
        """Settles the streaks that this result ends; the others stay in play."""
        running, ended = [], []
        for wager in self.state.streaks:
            settled = self.dealer.settle_streak(wager, have_lights_failed=self.result.have_lights_failed)
            if settled.verdict is Verdict.OPEN:
                running.append(wager)
            else:
                ended.append(_streak_wager(wager, settled.verdict.value, settled.returned_cents))
        self.state.streaks = running
        return iter(ended)

    def _place_streak_wagers(self, end: datetime) -> Iterator[Wager]:
        """Placed after this round and before the next begins, while the area flashes."""
        if self.set_up.streak_amount is None:
            return
        flashing = [shown for shown in self.dealer.displayed_streaks() if shown.flashing]
        for player in self.state.players:
            if player.habit != "streak" or not flashing or self.rng.random() < 0.5:
                continue
            shown = self.rng.choice(flashing)
            wager = StreakWager(
                id=f"{self.id}.s{player.seat}",
                bet=self._choose_streak_bet(shown.pair),
                stake=self.set_up.streak_amount,
                player=player.pseudonym,
                seat=player.seat,
                placed_at=end + milliseconds(2.0 / self.pace),
                after=len(self.state.results),
            )
            self.state.streaks.append(wager)
            yield _streak_wager(wager, "open", None)

    def _choose_streak_bet(self, pair: str) -> str:
        """A side, or sometimes the pair, which then means the side of the last result."""
        last = self.state.results[-1].outcome
        if last is not None and not bets.is_triple(last) and self.rng.random() < 0.2:
            return f"streak:{pair}"
        return f"streak:{self.rng.choice(pair.split('-'))}"

    # The controller's report

    def _round_body(self, wagers: tuple[Wager, ...]) -> Round:
        outcome, state, dealer = self.result.outcome, self.state, self.set_up.staff_member("dealer")
        happened = {event.name for event in self.events}
        ordered = (min(outcome), sorted(outcome)[1], max(outcome)) if outcome else None
        lights = ordered is not None and "areas-lit" in happened
        return Round(
            round=self.id,
            gaming_day=state.gaming_day,
            events=tuple(self._drop_light_events(self.events)),
            dice=None if self.set_up.has_cards else outcome,
            cards=outcome if self.set_up.has_cards else None,
            called=_called_result(ordered, dealer) if "result-called" in happened else None,
            entered=Entered(faces=ordered, by=dealer) if ordered and "result-entered" in happened else None,
            lit=self._lit_areas() if lights else None,
            displayed=(Displayed(device="wnd", faces=ordered),) if ordered and self.set_up.has_touch_screen else (),
            no_result=self._void_details(),
            limits=state.limits if self.set_up.pack.duties.limits_shown is not None else None,
            player_limits=tuple(state.player_limits.values()),
            streak_amount=self.set_up.streak_amount,
            dice_set=state.dice_set or None,
            shaker=state.shaker or None,
            shoe=state.shoe or None,
            wagers=wagers,
        )

    def _lit_areas(self) -> tuple[str, ...]:
        outcome = self.result.outcome
        return () if self.result.have_lights_failed or outcome is None else self.dealer.winning_areas(outcome)

    def _drop_light_events(self, events: list[RoundEvent]) -> list[RoundEvent]:
        if not self.result.have_lights_failed:
            return events
        return [event for event in events if event.name not in ("areas-lit", "lights-cleared")]

    def _void_details(self) -> NoResult | None:
        reason = self.result.void_reason
        if reason is None:
            return None
        at, duty = self.events[-1].at, self.set_up.pack.duties.invalidation
        if reason == "invalidated" and duty is not None:
            return NoResult(reason=reason, at=at, by=self.set_up.staff_member(duty.by), grounds="disruption")
        return NoResult(reason=reason, at=at, by=self.set_up.staff_member("dealer"))


def _called_result(ordered: Outcome | None, dealer: Staff) -> Called | None:
    return None if ordered is None else Called(faces=ordered, total=sum(ordered), by=dealer)


def _truncate_to_milliseconds(span: timedelta) -> timedelta:
    return timedelta(milliseconds=span // timedelta(milliseconds=1))


def _streak_wager(wager: StreakWager, verdict: str, returned: int | None) -> Wager:
    assert BETS[wager.bet].is_streak
    return Wager(
        id=wager.id,
        player=wager.player,
        seat=wager.seat,
        bet=wager.bet,
        stake=wager.stake,
        tender="value-chips",
        placed_at=wager.placed_at,
        verdict=verdict,  # type: ignore[arg-type]
        returned=returned,
    )
