"""Injectors for Super Streak: miscounted, accepted outside the window, after the final call, at a wrong amount."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from typing import Any

import msgspec

from rounds.intake.protocol.round import Round, Wager
from rounds.intake.protocol.table import SignShown, StreakState, TableClosed
from rounds.simulator.faults.injector import NoRoomForFault, register_injector
from rounds.simulator.faults.timeline_editor import TimelineEditor, WagerInRound, is_no_triple, losing_side
from rounds.simulator.play.controller_output import ReportedLine
from rounds.simulator.play.round_events import first_event_at
from rounds.simulator.play.table_config import TableConfig

SIX_IN_A_ROW_TO_ONE = 15


def _has_streaks(set_up: TableConfig) -> bool:
    return set_up.streak_amount is not None


@dataclass(frozen=True)
class StreakWindow:
    """A round, the streak state shown after it, and the next round, which decides a streak wager made in between."""

    said: ReportedLine
    shown: ReportedLine
    following: ReportedLine

    @property
    def is_open(self) -> bool:
        assert isinstance(self.shown.body, StreakState)
        return next(streak.flashing for streak in self.shown.body.streaks if streak.pair == "small-big")


def _streak_windows(scene: TimelineEditor) -> list[StreakWindow]:
    """Rounds without a fault whose next round has a result that is no triple, so that a wager on the wrong side loses
    at once."""
    rounds = list(scene.timeline.uncorrected_rounds())
    after = dict(zip(map(id, rounds), rounds[1:], strict=False))
    shown = {line.body.round: line for line in scene.timeline.lines if isinstance(line.body, StreakState)}
    played = {id(line) for line in scene.unfaulted_rounds_with_result() if is_no_triple(scene.round_body(line))}
    return [
        StreakWindow(line, shown[scene.round_body(line).round], after[id(line)])
        for line in rounds
        if id(line) in played and id(line) in after and id(after[id(line)]) in played
    ]


def _add_streak_wager(scene: TimelineEditor, line: ReportedLine, following: ReportedLine, stake: int) -> WagerInRound:
    """Adds a streak wager after the round, on the side that loses in the next round: it ends there."""
    decisive, end = scene.round_body(following), scene.round_body(line).events[-1].at
    bet = f"streak:{losing_side(decisive)}"
    members: dict[str, Any] = {"bet": bet, "stake": stake, "placed_at": end + (line.at - end) / 2}
    spot = scene.add_wager(line, verdict="open", returned=None, **members)
    ended = msgspec.structs.replace(spot.wager, verdict="lose", returned=0)
    scene.change_body(following, wagers=(*decisive.wagers, ended))
    return spot


def _pick_streak_window(scene: TimelineEditor, where: Callable[[StreakWindow], bool]) -> StreakWindow:
    found = [window for window in _streak_windows(scene) if where(window)]
    scene.require_candidate(bool(found))
    return scene.rng.choice(found)


def _find_final_call(scene: TimelineEditor) -> ReportedLine | None:
    return next(
        (s for s in scene.timeline.lines if isinstance(s.body, SignShown) and s.body.purpose == "streak-final-call"),
        None,
    )


@register_injector("STREAK-MISCOUNT", fits=_has_streaks)
def pay_short_streak(scene: TimelineEditor) -> None:
    """A streak wager that lost is paid as if it had come to six in a row; the screen shows a streak one too long; and a
    wager is never reported again in the round that ended it, nor later.

    Six, because one more or less than there were may be right by another reading.
    """
    ended = [spot for spot in _ended_streaks(scene) if spot.wager.verdict == "lose"]
    scene.require_candidate(bool(ended))
    spot = scene.rng.choice(ended)
    returned = spot.wager.stake * (SIX_IN_A_ROW_TO_ONE + 1)
    spot = scene.change_wager(spot, verdict="win", returned=returned)
    says = "A streak wager that had lost was paid as six in a row."
    scene.record_wager_fault(spot, says, case="paid", amount=returned)
    _show_wrong_streak_length(scene)
    _leave_streak_unsettled(scene)


def _ended_streaks(scene: TimelineEditor) -> list[WagerInRound]:
    """Streak wagers in the rounds without a fault that settle them."""
    return [
        WagerInRound(line, wager)
        for line in scene.unfaulted_rounds_with_result()
        for wager in scene.round_body(line).wagers
        if _ends_a_streak(wager)
    ]


def _leave_streak_unsettled(scene: TimelineEditor) -> None:
    ended = _ended_streaks(scene)
    scene.require_candidate(bool(ended))
    spot = scene.rng.choice(ended)
    _remove_wager(scene, spot)
    says = "A streak wager was not settled in the round that ended it, nor later."
    scene.record_wager_fault(spot, says, case="unsettled", also=("STREAK-OPEN-AT-CLOSE",))


def _remove_wager(scene: TimelineEditor, spot: WagerInRound) -> None:
    wagers = tuple(wager for wager in _round_body(spot.said).wagers if wager is not spot.wager)
    scene.change_body(spot.said, wagers=wagers)


def _show_wrong_streak_length(scene: TimelineEditor) -> None:
    shown = [line for line in scene.timeline.lines if isinstance(line.body, StreakState) and scene.is_unfaulted(line)]
    scene.require_candidate(bool(shown))
    line = scene.rng.choice(shown)
    body = line.body
    assert isinstance(body, StreakState)
    first, *others = body.streaks
    scene.change_body(line, streaks=(msgspec.structs.replace(first, length=first.length + 1), *others))
    says = f"The screen showed {first.length + 1} in a row for {first.pair}."
    scene.record_fault(line, says, case="shown", round=body.round)


@register_injector("STREAK-WINDOW", fits=_has_streaks)
def accept_streak_outside_window(scene: TimelineEditor) -> None:
    """A streak wager is taken while a streak is in progress; and one a moment after the next round began."""
    call = _find_final_call(scene)
    window = _pick_streak_window(
        scene, lambda window: not window.is_open and (call is None or window.following.at < call.at)
    )
    spot = _add_streak_wager(scene, window.said, window.following, scene.set_up.streak_amount or 0)
    scene.record_wager_fault(spot, "A streak wager was taken while a streak was in progress.", case="running")
    scene.reserve_line(window.following)
    window = _pick_streak_window(
        scene, lambda window: window.is_open and (call is None or window.following.at < call.at)
    )
    spot = _add_streak_wager(scene, window.said, window.following, scene.set_up.streak_amount or 0)
    began_at = first_event_at(scene.round_body(window.following).events, "tumbled")
    assert began_at is not None
    spot = scene.change_wager(spot, placed_at=began_at + timedelta(milliseconds=1))
    says = "A streak wager was taken after the next round had begun."
    scene.record_fault(window.following, says, spot=spot, case="late")
    scene.reserve_line(window.said)


@register_injector("STREAK-FINAL-CALL", fits=_has_streaks)
def accept_streak_after_final_call(scene: TimelineEditor) -> None:
    """A streak wager is taken after the final call."""
    call = _find_final_call(scene)
    if call is None:
        raise NoRoomForFault
    window = _pick_streak_window(scene, lambda window: scene.round_body(window.said).events[0].at > call.at)
    spot = _add_streak_wager(scene, window.said, window.following, scene.set_up.streak_amount or 0)
    says = "A streak wager was taken after the final call."
    scene.record_wager_fault(spot, says, also=("STREAK-WINDOW",))
    scene.reserve_line(window.following)


@register_injector("STREAK-AMOUNT", fits=_has_streaks)
def accept_wrong_streak_amount(scene: TimelineEditor) -> None:
    """A streak wager is a dollar less than the amount on the sign."""
    window = _pick_streak_window(scene, lambda window: window.is_open)
    spot = _add_streak_wager(scene, window.said, window.following, (scene.set_up.streak_amount or 0) - 100)
    scene.record_wager_fault(spot, "A streak wager was a dollar less than the sign asks for.")
    scene.reserve_line(window.following)


def _has_no_streaks(set_up: TableConfig) -> bool:
    return set_up.pack.law.streak is not None and set_up.streak_amount is None


@register_injector("STREAK-SCREEN", fits=_has_no_streaks)
def accept_streak_without_screen(scene: TimelineEditor) -> None:
    """A streak wager is taken at a table that has neither the screen nor the layout for it."""
    rounds = list(scene.timeline.uncorrected_rounds())
    free = {id(line) for line in scene.unfaulted_rounds_with_result() if is_no_triple(scene.round_body(line))}
    pairs = [(one, then) for one, then in pairwise(rounds) if id(one) in free and id(then) in free]
    scene.require_candidate(bool(pairs))
    line, following = scene.rng.choice(pairs)
    spot = _add_streak_wager(scene, line, following, scene.limits_of_round(line).min)
    says = "A streak wager was taken at a table without the screen for it."
    scene.record_wager_fault(spot, says, also=("WAGER-UNOFFERED", "STREAK-WINDOW", "STREAK-AMOUNT"))
    scene.reserve_line(following)


@register_injector("STREAK-OPEN-AT-CLOSE", fits=_has_streaks)
def close_during_streak(scene: TimelineEditor) -> None:
    """The table closes while a streak wager has not been determined: the line that ended it is left out."""
    closed = next((line for line in scene.timeline.lines if isinstance(line.body, TableClosed)), None)
    if closed is None:
        raise NoRoomForFault
    ended = [spot for spot in _ended_streaks(scene) if spot.said.at < closed.at]
    scene.require_candidate(bool(ended))
    spot = ended[-1]
    _remove_wager(scene, spot)
    scene.change_body(closed, streak_in_progress=True)
    says = "The table closed before this streak wager was determined."
    scene.record_wager_fault(spot, says, also=("STREAK-MISCOUNT",))


def _round_body(line: ReportedLine) -> Round:
    assert isinstance(line.body, Round)
    return line.body


def _ends_a_streak(wager: Wager) -> bool:
    return wager.bet.startswith("streak:") and wager.verdict in ("win", "lose")
