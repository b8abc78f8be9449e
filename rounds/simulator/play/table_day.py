"""A table through its gaming day: opening, rounds, limits, shoes, repairs and closing, with the duties of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

import msgspec

from rounds.engine import BETS, pack
from rounds.intake.protocol.chips import ChipsIssued, ChipsRedeemed, VoucherExchanged
from rounds.intake.protocol.equipment import (
    DeckCount,
    DicePlaced,
    DiceRemoved,
    FaceCount,
    Fault,
    FaultCleared,
    ForeignCard,
    Inspection,
    ShakerPlaced,
    ShoeChanged,
)
from rounds.intake.protocol.fields import Body, Limits, PlayerLimits, Told
from rounds.intake.protocol.round import Round
from rounds.intake.protocol.table import (
    Correction,
    Interrupted,
    LimitsChanged,
    PostedOddsShown,
    Restored,
    SignRemoved,
    SignShown,
    StreakState,
    TableClosed,
    TableOpened,
)
from rounds.simulator.play.controller_output import PlantedFault, ReportedLine, TableOutput
from rounds.simulator.play.dealer import Dealer
from rounds.simulator.play.honest_round import HonestRound, RoundReport
from rounds.simulator.play.players import COLOURS, seat_players
from rounds.simulator.play.round_events import milliseconds
from rounds.simulator.play.table_config import TableConfig, staff_position
from rounds.simulator.play.table_state import PlayState

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
# The shoe is changed when fewer cards than this are left, so that no round runs out.
CUT_CARD = 24
VOUCHER_STAKES = 10
MISREPORTED_ONE_IN = 250
UNKNOWN_PLAYER = "p-77"


@dataclass(frozen=True)
class ScheduledAction:
    """An action planned for an instant; it is done in the first pause after it."""

    at: datetime
    act: Callable[[datetime], None]


class TableDay:
    """One table. Its lines are collected in `timeline`; `now` is the table's clock."""

    def __init__(self, set_up: TableConfig, state: PlayState, rng: Random, *, now: datetime, pace: float = 1.0) -> None:
        self.set_up, self.state, self.rng, self.pace = set_up, state, rng, pace
        self.now = now
        self.timeline = TableOutput()
        self.due: list[ScheduledAction] = []
        self.dealer = Dealer(set_up, state)
        self.supervisor = set_up.staff_member("casino supervisor", "S-07")

    def report(self, kind: str, body: Body) -> ReportedLine:
        """Adds a line dated now, and advances the clock a moment."""
        line = self.timeline.report(kind, self.now, body)
        self.now += milliseconds(0.2 / self.pace)
        return line

    # Opening

    def open(self) -> None:
        """Everything before the first round of a gaming day."""
        day = self.set_up.gaming_day_at(self.now)
        self.state.start_new_day(day, self.set_up.limits)
        self.state.players = seat_players(self.set_up, self.rng)
        self._place_equipment(day.strftime("%Y%m%d"))
        self._report_inspections("before-opening")
        if self.set_up.posted_odds:
            self.report("posted-odds-shown", PostedOddsShown(odds=dict(self.set_up.posted_odds)))
        self._show_limits()
        self._report_opened()
        self._report_inspections("start-of-shift")
        self._issue_chips()

    def reopen(self) -> None:
        """Continues the same day after another simulation played at the table and closed it."""
        self._report_inspections("before-opening")
        self._report_opened()

    def _report_opened(self) -> None:
        opened = TableOpened(gaming_day=self.state.gaming_day, limits=self._limits_on_sign(), by=self.supervisor)
        self.report("table-opened", opened)
        self.state.is_open = True

    def _place_equipment(self, day: str) -> None:
        shaker = self.set_up.shaker
        if shaker:
            self.state.shaker = f"shaker-{self.set_up.table}-{shaker}"
            self.report("shaker-placed", ShakerPlaced(shaker=self.state.shaker, type=shaker, by=self.supervisor))
        if self.set_up.has_cards:
            self._change_shoe()
        else:
            self.state.dice_set = f"dice-{self.set_up.table}-{day}-{self.state.next_number}"
            placed = DicePlaced(dice=self.state.dice_set, shaker=self.state.shaker or None, sealed=True)
            self.report("dice-placed", placed)

    def _report_inspections(self, occasion: str) -> None:
        for duty in self.set_up.pack.duties.inspections or ():
            has_item = duty.item != "automated-shaker" or self.set_up.shaker == "automated"
            if duty.when == occasion and has_item:
                self.report("inspection", self.passed_inspection(duty))

    def passed_inspection(self, duty: pack.InspectionDuty) -> Inspection:
        return Inspection(
            item=duty.item,
            occasion=duty.when,
            trials=duty.trials,
            passed=True,
            by=self.set_up.staff_member(duty.inspected_by, "S-12"),
            entered=((1, 2, 3),) if duty.item == "electrical-device" else (),
        )

    def _limits_on_sign(self) -> Limits | None:
        return self.state.limits if self.set_up.pack.duties.limits_shown is not None else None

    def _show_limits(self) -> None:
        limits = self._limits_on_sign()
        if limits is not None:
            shown = SignShown(
                sign=f"limits-{self.set_up.table}",
                purpose="limits",
                min=limits.min,
                max=limits.max,
                multiples=limits.multiples or None,
                unit=limits.unit,
                by_bet=limits.by_bet,
            )
            self.report("sign-shown", shown)
        if self.set_up.streak_amount is not None:
            sign = f"streak-amount-{self.state.next_number}"
            self.report(
                "sign-shown",
                SignShown(sign=sign, purpose="streak-amount", streak_amount=self.set_up.streak_amount),
            )

    def _issue_chips(self) -> None:
        """One colour for each colour-chip player; with a marker if its value is above the minimum."""
        colours = iter(COLOURS)
        for player in self.state.players:
            if player.habit != "colours":
                continue
            minimum = self.state.limits.min
            player.colour, player.chip_value = next(colours), minimum * self.rng.choice((1, 2))
            marker = player.chip_value if player.chip_value > minimum else None
            self.report(
                "chips-issued",
                ChipsIssued(
                    set=self.set_up.table.upper(),
                    colour=player.colour,
                    value=player.chip_value,
                    chips=40,
                    player=player.pseudonym,
                    seat=player.seat,
                    marker=marker,
                ),
            )

    # Rounds

    def play_round(self) -> RoundReport:
        """One round, with everything due before it and everything that follows from it."""
        self._perform_due_actions()
        self._exchange_vouchers()
        if self.set_up.has_cards and len(self.state.cards) < CUT_CARD:
            self._count_and_change_shoe()
        played = HonestRound(self.set_up, self.state, self.rng, start=self.now, pace=self.pace).play()
        self.now = played.ended_at
        if self.rng.randrange(MISREPORTED_ONE_IN) == 0:
            self._misreport_and_correct(played.body)
        line = self.report("round", played.body)
        self._record_overlooked_limits(line, played)
        self._report_lines_after_round(played)
        self.now += milliseconds((2.0 + 3.0 * self.rng.random()) / self.pace)
        return played

    def play_plain_round(self) -> Round:
        """A round with a result and without failures, which is not reported."""
        while True:
            played = HonestRound(self.set_up, self.state, self.rng, start=self.now, pace=self.pace).play()
            self.now = played.ended_at
            if played.body.no_result is None and not played.have_lights_failed and played.lost_terminal is None:
                return played.body

    def _misreport_and_correct(self, body: Round) -> None:
        """Reports the round with a wrong player, corrects that line, and leaves the right report to the caller."""
        wager = next((wager for wager in body.wagers if not BETS[wager.bet].is_streak), None)
        if wager is None:
            return
        misread = msgspec.structs.replace(wager, player=UNKNOWN_PLAYER)
        wagers = tuple(misread if one is wager else one for one in body.wagers)
        wrong = self.report("round", msgspec.structs.replace(body, wagers=wagers))
        self.now += milliseconds(1.5 / self.pace)
        # `corrects` is filled in when the lines are numbered.
        line = Correction(corrects=1, reason=f"The player of wager {wager.id} was keyed wrongly.", by=self.supervisor)
        self.timeline.correct_line(wrong, self.now, line)
        self.now += milliseconds(0.2 / self.pace)

    def _record_overlooked_limits(self, line: ReportedLine, played: RoundReport) -> None:
        codes = {"maximum": "LIMIT-OVER-MAX", "minimum": "WAGER-UNDER-MIN"}
        for one in played.overlooked:
            planted = PlantedFault(
                code=codes[one.limit],
                casino=self.set_up.casino,
                table=self.set_up.table,
                player=True,
                says=f"A player overlooked the {one.limit}; the table settled the wager as its rules say.",
                at=line.at,
                round=played.body.round,
                wager=one.wager,
            )
            self.timeline.truth.append((line, planted))

    def _report_lines_after_round(self, played: RoundReport) -> None:
        name, reason = played.body.round, played.body.no_result and played.body.no_result.reason
        if self.set_up.streak_amount is not None:
            self.report("streak-state", StreakState(round=name, streaks=self.dealer.displayed_streaks()))
        if played.lost_terminal is not None:
            self.report("terminal-interrupted", Interrupted(terminals=(played.lost_terminal,), round=name))
            self.report("terminal-restored", Restored(terminals=(played.lost_terminal,)))
        if played.have_lights_failed:
            self._report_light_fault_and_repair(name)
        if reason == "foreign-card":
            self.report("foreign-card", ForeignCard(shoe=self.state.shoe, round=name))
            self._count_and_change_shoe(foreign=1)

    def _report_light_fault_and_repair(self, name: str) -> None:
        """The lights failed: notifies, stops play, and continues after the repair."""
        duty = self.set_up.pack.duties.equipment_fault
        assert duty is not None
        told = () if duty.told is None else (Told(position=staff_position(self.set_up.pack, duty.told), at=self.now),)
        fault = f"fault-{name}"
        self.report(
            "fault",
            Fault(
                fault=fault,
                equipment="electrical-device",
                effect="not-lit",
                round=name,
                told=told,
                settled_before=None if duty.settled_before is None else self.set_up.staff_member(duty.settled_before),
                play_ceased_at=self.now,
                by=self.set_up.staff_member("dealer"),
            ),
        )
        self.now += milliseconds(240 / self.pace)
        self.report("fault-cleared", FaultCleared(fault=fault, note="Lamp driver replaced.", by=self.supervisor))

    def _exchange_vouchers(self) -> None:
        for player in self.state.players:
            if player.habit == "tokens" and player.tokens < self.state.limits.min and self.rng.random() < 0.05:
                value = self.state.limits.min * VOUCHER_STAKES
                player.tokens += value
                name = f"V-{self.state.next_number}-{player.seat}"
                self.report(
                    "voucher-exchanged",
                    VoucherExchanged(
                        voucher=name, value=value, tokens=value, player=player.pseudonym, conditions_met=True
                    ),
                )

    # Cards

    def _change_shoe(self) -> None:
        cards = self.set_up.pack.conduct.cards
        assert cards is not None
        decks = self.set_up.decks or cards.fewest_decks
        previous = self.state.shoe or None
        self.state.shoe = f"shoe-{self.state.gaming_day:%Y%m%d}-{self.state.next_number}"
        self.state.cards = [face for face in range(1, 7) for _ in range(decks * cards.cards_a_face)]
        self.rng.shuffle(self.state.cards)
        held = len(self.state.cards)
        self.report("shoe-changed", ShoeChanged(shoe=self.state.shoe, decks=decks, cards=held, previous=previous))

    def _count_and_change_shoe(self, foreign: int = 0) -> None:
        cards, decks = self.set_up.pack.conduct.cards, self.set_up.decks
        assert cards is not None
        decks = decks or cards.fewest_decks
        each = decks * cards.cards_a_face
        self.report(
            "deck-count",
            DeckCount(
                shoe=self.state.shoe,
                decks=decks,
                cards=decks * cards.cards_a_deck,
                foreign=foreign,
                by_face=tuple(FaceCount(face=face, cards=each) for face in range(1, 7)),
            ),
        )
        self._change_shoe()

    # Limits

    def schedule(self, at: datetime, act: Callable[[datetime], None]) -> None:
        self.due = sorted([*self.due, ScheduledAction(at, act)], key=lambda due: due.at)

    def _perform_due_actions(self) -> None:
        while self.due and self.due[0].at <= self.now:
            self.due.pop(0).act(self.now)

    def schedule_minimum_raise(self, change_at: datetime, limits: Limits) -> None:
        """A higher minimum, announced by a sign where the rules require one."""
        duty, sign = self.set_up.pack.duties.minimum_raise, f"raise-{self.set_up.table}-{change_at:%Y%m%d%H%M}"
        if duty is None:
            self.schedule(change_at, lambda at: self.change_limits(limits))
            return
        notice = timedelta(minutes=duty.notice_minutes)

        def announce(at: datetime) -> None:
            # The sign goes up in the first pause after its time; the notice period runs from then.
            stated = max(change_at, self.now + notice + SECOND)
            self.report(
                "sign-shown",
                SignShown(
                    sign=sign,
                    purpose="limit-change",
                    min=limits.min,
                    max=limits.max,
                    by_bet=limits.by_bet,
                    change_at=stated,
                    by=self.supervisor,
                ),
            )
            self.schedule(stated, lambda at: self.change_limits(limits, sign))

        self.schedule(change_at - notice - MINUTE, announce)

    def allow_player_above_maximum(self) -> None:
        """Shows a sign that allows one player to exceed the maximum."""
        for player in self.state.players:
            if player.habit == "high" and player.pseudonym not in self.state.player_limits:
                own = PlayerLimits(min=self.state.limits.min, max=self.state.limits.max * 2, player=player.pseudonym)
                sign = f"player-{self.state.next_number}-{player.seat}"
                self.report(
                    "sign-shown",
                    SignShown(
                        sign=sign,
                        purpose="player-limits",
                        min=own.min,
                        max=own.max,
                        player=player.pseudonym,
                        by=self.supervisor,
                    ),
                )
                self.state.player_limits[player.pseudonym] = own

    def change_limits(self, limits: Limits, sign: str | None = None) -> None:
        self.state.limits = limits
        self.report("limits-changed", LimitsChanged(limits=limits, sign=sign, by=self.supervisor))
        if sign is not None:
            self.report("sign-removed", SignRemoved(sign=sign, by=self.supervisor))
        self._show_limits()

    def schedule_shift_inspections(self) -> None:
        for start in self.set_up.shift_starts(self.state.gaming_day):
            if start > self.now:
                self.schedule(start, lambda at: self._report_inspections("start-of-shift"))

    # Closing

    def announce_closing(self, closure_at: datetime) -> str | None:
        """Shows the closure sign and the final call, where the rules require them; returns the sign's name."""
        if self.set_up.pack.duties.closure_sign is None:
            return None
        sign = f"closure-{self.set_up.table}-{closure_at:%Y%m%d%H%M%S}"
        shown = SignShown(sign=sign, purpose="closure", closure_at=closure_at, by=self.supervisor)
        self.state.closure_sign = sign
        self.report("sign-shown", shown)
        if self.set_up.streak_amount is not None:
            self.state.was_final_call_made = True
            self.report("sign-shown", SignShown(sign=f"{sign}-call", purpose="streak-final-call", by=self.supervisor))
        return sign

    def close(self, sign: str | None) -> None:
        """Ends the gaming day, after redeeming colour chips. A shift that began during the last round is inspected."""
        self._perform_due_actions()
        for player in self.state.players:
            if player.colour:
                self.report(
                    "chips-redeemed",
                    ChipsRedeemed(
                        set=self.set_up.table.upper(),
                        colour=player.colour,
                        value=player.chip_value,
                        chips=12,
                        paid=12 * player.chip_value,
                        issued_at=self.set_up.table,
                        player=player.pseudonym,
                        seat=player.seat,
                    ),
                )
        told: tuple[Told, ...] = ()
        duty = self.set_up.pack.duties.closure_notification
        if duty is not None:
            told = (Told(position=staff_position(self.set_up.pack, duty.told), at=self.now - 5 * MINUTE),)
        self.report(
            "table-closed",
            TableClosed(
                gaming_day=self.state.gaming_day,
                players_present=True,
                streak_in_progress=bool(self.state.streaks),
                sign=sign,
                told=told,
                by=self.supervisor,
            ),
        )
        self.state.is_open = False
        if self.state.dice_set:
            self.report("dice-removed", DiceRemoved(dice=self.state.dice_set, reason="closing", by=self.supervisor))
