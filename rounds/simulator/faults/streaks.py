"""Super Streak gone wrong: miscounted, taken outside its window, after the final call, for another amount."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import msgspec

from rounds.intake.kinds.round import Round, Wager
from rounds.intake.kinds.table import SignShown, StreakState, TableClosed
from rounds.simulator.faults.injector import NoRoom, injects
from rounds.simulator.faults.scene import Scene, Spot, is_no_triple, losing_side
from rounds.simulator.said import Said
from rounds.simulator.set_up import TableSetUp

SIX_IN_A_ROW_TO_ONE = 15


def _has_streaks(set_up: TableSetUp) -> bool:
    return set_up.streak_amount is not None


@dataclass(frozen=True)
class Window:
    """A round, what the screen showed after it, and the round after that, which decides any new streak wager."""

    said: Said
    shown: Said
    following: Said

    @property
    def is_open(self) -> bool:
        assert isinstance(self.shown.body, StreakState)
        return next(streak.flashing for streak in self.shown.body.streaks if streak.pair == "small-big")


def _windows(scene: Scene) -> list[Window]:
    """Free rounds followed by a played round that is no triple, so that the wrong side loses there at once."""
    rounds = list(scene.timeline.rounds())
    after = dict(zip(map(id, rounds), rounds[1:], strict=False))
    shown = {said.body.round: said for said in scene.timeline.said if isinstance(said.body, StreakState)}
    played = {id(said) for said in scene.played_rounds() if is_no_triple(scene.body_of(said))}
    return [
        Window(said, shown[scene.body_of(said).round], after[id(said)])
        for said in rounds
        if id(said) in played and id(said) in after and id(after[id(said)]) in played
    ]


def _take(scene: Scene, said: Said, following: Said, stake: int) -> Spot:
    """A new streak wager after the round, on the side that the next round is not: it loses there at once."""
    decisive, end = scene.body_of(following), scene.body_of(said).events[-1].at
    bet = f"streak:{losing_side(decisive)}"
    members: dict[str, Any] = {"bet": bet, "stake": stake, "placed_at": end + (said.at - end) / 2}
    spot = scene.add_wager(said, verdict="open", returned=None, **members)
    ended = msgspec.structs.replace(spot.wager, verdict="lose", returned=0)
    scene.change(following, wagers=(*decisive.wagers, ended))
    return spot


def _pick_window(scene: Scene, where: Callable[[Window], bool]) -> Window:
    found = [window for window in _windows(scene) if where(window)]
    scene.need(bool(found))
    return scene.rng.choice(found)


def _final_call(scene: Scene) -> Said | None:
    return next(
        (s for s in scene.timeline.said if isinstance(s.body, SignShown) and s.body.purpose == "streak-final-call"),
        None,
    )


@injects("STREAK-MISCOUNT", fits=_has_streaks)
def pay_a_short_streak(scene: Scene) -> None:
    """A streak wager that lost is paid as if it had come to six in a row; and the screen shows a streak one too long.

    Six, because one more or less than there were may be right by another reading.
    """
    ended = [
        Spot(said, wager) for said in scene.played_rounds() for wager in scene.body_of(said).wagers
        if wager.bet.startswith("streak:") and wager.verdict == "lose"
    ]  # fmt: skip
    scene.need(bool(ended))
    spot = scene.rng.choice(ended)
    returned = spot.wager.stake * (SIX_IN_A_ROW_TO_ONE + 1)
    spot = scene.change_wager(spot, verdict="win", returned=returned)
    says = "A streak wager that had lost was paid as six in a row."
    scene.plant_wager("STREAK-MISCOUNT", spot, says, case="paid", amount=returned)
    _show_another_count(scene)


def _show_another_count(scene: Scene) -> None:
    shown = [said for said in scene.timeline.said if isinstance(said.body, StreakState) and scene.is_free(said)]
    scene.need(bool(shown))
    said = scene.rng.choice(shown)
    body = said.body
    assert isinstance(body, StreakState)
    first, *others = body.streaks
    scene.change(said, streaks=(msgspec.structs.replace(first, length=first.length + 1), *others))
    says = f"The screen showed {first.length + 1} in a row for {first.pair}."
    scene.plant("STREAK-MISCOUNT", said, says, case="shown", round=body.round)


@injects("STREAK-WINDOW", fits=_has_streaks)
def take_outside_the_window(scene: Scene) -> None:
    """A streak wager is taken while a streak is in progress."""
    call = _final_call(scene)
    window = _pick_window(scene, lambda window: not window.is_open and (call is None or window.following.at < call.at))
    spot = _take(scene, window.said, window.following, scene.set_up.streak_amount or 0)
    scene.plant_wager("STREAK-WINDOW", spot, "A streak wager was taken while a streak was in progress.")
    scene.take(window.following)


@injects("STREAK-FINAL-CALL", fits=_has_streaks)
def take_after_the_final_call(scene: Scene) -> None:
    """A streak wager is taken after the final call."""
    call = _final_call(scene)
    if call is None:
        raise NoRoom
    window = _pick_window(scene, lambda window: scene.body_of(window.said).events[0].at > call.at)
    spot = _take(scene, window.said, window.following, scene.set_up.streak_amount or 0)
    says = "A streak wager was taken after the final call."
    scene.plant_wager("STREAK-FINAL-CALL", spot, says, also=("STREAK-WINDOW",))
    scene.take(window.following)


@injects("STREAK-AMOUNT", fits=_has_streaks)
def take_another_amount(scene: Scene) -> None:
    """A streak wager is a dollar less than the amount on the sign."""
    window = _pick_window(scene, lambda window: window.is_open)
    spot = _take(scene, window.said, window.following, (scene.set_up.streak_amount or 0) - 100)
    scene.plant_wager("STREAK-AMOUNT", spot, "A streak wager was a dollar less than the sign asks for.")
    scene.take(window.following)


def _has_no_streaks(set_up: TableSetUp) -> bool:
    return set_up.pack.law.streak is not None and set_up.streak_amount is None


@injects("STREAK-SCREEN", fits=_has_no_streaks)
def take_where_there_is_no_screen(scene: Scene) -> None:
    """A streak wager is taken at a table that has neither the screen nor the layout for it."""
    rounds = list(scene.timeline.rounds())
    free = {id(said) for said in scene.played_rounds() if is_no_triple(scene.body_of(said))}
    pairs = [(one, then) for one, then in pairwise(rounds) if id(one) in free and id(then) in free]
    scene.need(bool(pairs))
    said, following = scene.rng.choice(pairs)
    spot = _take(scene, said, following, scene.limits_in(said).min)
    says = "A streak wager was taken at a table without the screen for it."
    scene.plant_wager("STREAK-SCREEN", spot, says, also=("WAGER-UNOFFERED", "STREAK-WINDOW", "STREAK-AMOUNT"))
    scene.take(following)


@injects("STREAK-OPEN-AT-CLOSE", fits=_has_streaks)
def close_on_a_streak(scene: Scene) -> None:
    """The table closes while a streak wager has not been determined: the line that ended it is left out."""
    closed = next((said for said in scene.timeline.said if isinstance(said.body, TableClosed)), None)
    if closed is None:
        raise NoRoom
    ended = [
        Spot(said, wager) for said in scene.played_rounds() for wager in scene.body_of(said).wagers
        if _ends_a_streak(wager) and said.at < closed.at
    ]  # fmt: skip
    scene.need(bool(ended))
    spot = ended[-1]
    wagers = tuple(wager for wager in _round(spot.said).wagers if wager is not spot.wager)
    scene.change(spot.said, wagers=wagers)
    scene.change(closed, streak_in_progress=True)
    scene.plant_wager("STREAK-OPEN-AT-CLOSE", spot, "The table closed before this streak wager was determined.")


def _round(said: Said) -> Round:
    assert isinstance(said.body, Round)
    return said.body


def _ends_a_streak(wager: Wager) -> bool:
    return wager.bet.startswith("streak:") and wager.verdict in ("win", "lose")
