"""Rounds that were not conducted as their document says: order, tumbles, exposure, calls, entries, lights."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, get_args

import msgspec

from rounds.engine.outcomes import Outcome
from rounds.engine.terms import VoidReasonName
from rounds.intake.kinds.round import Round, RoundEvent
from rounds.simulator.events import at_of, order_of
from rounds.simulator.faults.injector import injects
from rounds.simulator.faults.scene import Scene, outcome_of
from rounds.simulator.irregularities import REVEALED
from rounds.simulator.set_up import TableSetUp

SECOND = timedelta(seconds=1)
# Pairs whose order is a duty of its own kind, the likelier ones first.
SWAPPED = (("result-called", "result-entered"), ("tumbled", "uncovered"))
CLOCK_LOST = datetime(1970, 1, 1, tzinfo=UTC)


def _events(set_up: TableSetUp) -> frozenset[str]:
    return frozenset(order_of(set_up.pack.conduct, set_up.equipment))


def _swap_at(set_up: TableSetUp) -> tuple[str, str] | None:
    ordered = {(rule.first, rule.then) for rule in set_up.pack.conduct.order}
    present = _events(set_up)
    return next((pair for pair in SWAPPED if pair in ordered and set(pair) <= present), None)


def _swapped(events: Sequence[RoundEvent], one: str, other: str) -> tuple[RoundEvent, ...]:
    """The same instants, with the two events the other way round."""
    at = {name: next(event.at for event in events if event.name == name) for name in (one, other)}
    turned = {one: at[other], other: at[one]}
    moved = [msgspec.structs.replace(event, at=turned.get(event.name, event.at)) for event in events]
    return tuple(sorted(moved, key=lambda event: event.at))


@injects("ROUND-ORDER", fits=lambda set_up: _swap_at(set_up) is not None, is_live=True)
def swap_events(scene: Scene) -> None:
    """Two events of a round happen in the wrong order."""
    pair = _swap_at(scene.set_up)
    assert pair is not None
    said = scene.pick_round()
    scene.change(said, events=_swapped(scene.body_of(said).events, *pair))
    scene.plant("ROUND-ORDER", said, f"In this round {pair[1]} came before {pair[0]}.")


def _counts_tumbles(set_up: TableSetUp) -> bool:
    rule = set_up.pack.conduct.agitation
    return rule is not None and (not rule.only_with or rule.only_with in set_up.equipment)


@injects("ROUND-TUMBLES", fits=_counts_tumbles, is_live=True)
def tumble_twice(scene: Scene) -> None:
    """The dice are tumbled twice and the round is settled all the same; another is tumbled exactly three times."""
    for count in (2, 3):
        said = scene.pick_quiet_round()
        events = scene.body_of(said).events
        scene.change(said, events=tuple(_counted(event, count) for event in events))
        says, breach = f"The dice were tumbled {count} times and the round was settled.", count < 3
        also = ("SETTLE-SHOULD-BE-VOID",) if breach else ()
        scene.plant("ROUND-TUMBLES", said, says, case="under" if breach else "at", finding=breach, also=also)


def _counted(event: RoundEvent, count: int) -> RoundEvent:
    return msgspec.structs.replace(event, count=count) if event.name == "tumbled" else event


@injects("ROUND-EXPOSED", fits=lambda set_up: bool(_events(set_up) & set(REVEALED)), is_live=True)
def expose_early(scene: Scene) -> None:
    """Dice or cards are in sight a moment before the cut-off, and the round is settled all the same."""
    said = scene.pick_quiet_round()
    early = scene.cut_off(said) - timedelta(milliseconds=1)
    moved = [
        msgspec.structs.replace(event, at=early) if event.name in REVEALED else event
        for event in scene.body_of(said).events
    ]
    scene.change(said, events=tuple(sorted(moved, key=lambda event: event.at)))
    says = "The result was in sight a thousandth of a second before the cut-off, and the round was settled."
    scene.plant("ROUND-EXPOSED", said, says, also=("SETTLE-SHOULD-BE-VOID", "ROUND-ORDER"))


@injects("ROUND-NO-PRESS", fits=lambda set_up: "no-more-bets-pressed" in _events(set_up), is_live=True)
def forget_the_button(scene: Scene) -> None:
    """The button of the touch screen is not pressed, and the round is settled all the same."""
    said = scene.pick_quiet_round()
    events = tuple(event for event in scene.body_of(said).events if event.name != "no-more-bets-pressed")
    scene.change(said, events=events)
    also = ("SETTLE-SHOULD-BE-VOID",)
    scene.plant("ROUND-NO-PRESS", said, "The no-more-bets button was not pressed before the uncovering.", also=also)


def _another(outcome: Outcome) -> Outcome:
    """The same result with one face read wrongly, from low to high."""
    low, middle, high = sorted(outcome)
    wrong = sorted((low % 6 + 1, middle, high))
    return wrong[0], wrong[1], wrong[2]


@injects("ROUND-CALLED", fits=lambda set_up: "result-called" in _events(set_up), is_live=True)
def call_wrongly(scene: Scene) -> None:
    """The dealer calls another result than the dice show."""
    said = scene.pick_round(lambda body: body.called is not None)
    body = scene.body_of(said)
    wrong = _another(outcome_of(body))
    assert body.called is not None
    scene.change(said, called=msgspec.structs.replace(body.called, faces=wrong, total=sum(wrong)))
    scene.plant("ROUND-CALLED", said, f"{wrong} was called where the dice showed {outcome_of(body)}.")


@injects("ROUND-ENTRY", fits=lambda set_up: "result-entered" in _events(set_up), is_live=True)
def enter_wrongly(scene: Scene) -> None:
    """The dealer enters another result than the dice show."""
    said = scene.pick_round(lambda body: body.entered is not None)
    body = scene.body_of(said)
    wrong = _another(outcome_of(body))
    assert body.entered is not None
    scene.change(said, entered=msgspec.structs.replace(body.entered, faces=wrong))
    scene.plant("ROUND-ENTRY", said, f"{wrong} was entered where the dice showed {outcome_of(body)}.")


@injects("ROUND-LIT", fits=lambda set_up: "areas-lit" in _events(set_up), is_live=True)
def leave_an_area_dark(scene: Scene) -> None:
    """One winning area does not light."""
    said = scene.pick_quiet_round(lambda body: len(body.lit or ()) > 1)
    lit = scene.body_of(said).lit or ()
    scene.change(said, lit=lit[1:])
    scene.plant("ROUND-LIT", said, f"{lit[0]} won and was not lit.", figures={"dark": lit[0]})


@injects("ROUND-PAID-FIRST", fits=lambda set_up: set_up.pack.duties.pay_order is not None, is_live=True)
def pay_before_collecting(scene: Scene) -> None:
    """Winners are paid before losers are collected."""
    said = scene.pick_round(lambda body: at_of(body.events, "losers-collected") is not None)
    scene.change(said, events=_swapped(scene.body_of(said).events, "losers-collected", "winners-paid"))
    scene.plant("ROUND-PAID-FIRST", said, "Winners were paid before losers were collected.")


@injects("ROUND-REASON", is_live=True)
def give_an_unlisted_reason(scene: Scene) -> None:
    """A round is called off for a reason that its document does not list."""
    unlisted = [reason for reason in get_args(VoidReasonName) if reason not in scene.pack.law.void]
    scene.need(bool(unlisted))
    said = scene.pick_void_round()
    no_result = scene.body_of(said).no_result
    assert no_result is not None
    wrong = scene.rng.choice(unlisted)
    scene.change(said, no_result=msgspec.structs.replace(no_result, reason=wrong, grounds=None))
    scene.plant("ROUND-REASON", said, f"The round was called off for {wrong}, which its rules do not list.")


@injects("ROUND-NO-RULES")
def lose_the_clock(scene: Scene) -> None:
    """A controller's clock falls back to 1970, when no rules were in force."""
    said = scene.pick_last_round()
    body = scene.body_of(said)
    by = body.events[0].at - CLOCK_LOST
    scene.change(said, **_moved(body, by), gaming_day=CLOCK_LOST.date())
    says = "The events of this round are dated 1970, before any rule version."
    scene.plant("ROUND-NO-RULES", said, says, also=("STREAK-MISCOUNT",))


def _moved(body: Round, by: timedelta) -> dict[str, Any]:
    """Events and wagers of a round, so much earlier."""
    wagers = [msgspec.structs.replace(wager, placed_at=wager.placed_at - by) for wager in body.wagers]
    events = [msgspec.structs.replace(event, at=event.at - by) for event in body.events]
    return {"wagers": tuple(wagers), "events": tuple(events)}


@injects("ROUND-CARDS", fits=lambda set_up: set_up.has_cards, is_live=True)
def deal_from_another_shoe(scene: Scene) -> None:
    """Cards are dealt from a shoe that never came into play."""
    said = scene.pick_round()
    scene.change(said, shoe="shoe-unknown")
    scene.plant("ROUND-CARDS", said, "The cards came from a shoe that was never put into play.")
