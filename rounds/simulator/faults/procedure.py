"""Injectors: rounds not conducted as the rules require: order, tumbles, exposure, calls, entries, lights, displays."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Any, get_args

import msgspec

from rounds.engine import Outcome, pack
from rounds.intake.protocol.round import Displayed, Round, RoundEvent
from rounds.simulator.faults.injector import register_injector
from rounds.simulator.faults.timeline_editor import TimelineEditor, outcome_of
from rounds.simulator.play.round_events import event_order, first_event_at
from rounds.simulator.play.table_config import TableConfig
from rounds.simulator.play.void_rounds import REVEALING_EVENTS

SECOND = timedelta(seconds=1)
# Pairs of events whose order is prescribed, most common first.
SWAPPABLE_PAIRS = (("result-called", "result-entered"), ("tumbled", "uncovered"))
# 56 years. The time of day and of the year remains, so that rounds of several runs do not overlap.
CLOCK_RESET = timedelta(days=20_454)

# A void round or failed lights change the count of streaks, which the table's screen then shows wrongly.
MISCOUNT = "STREAK-MISCOUNT"


def _event_names(set_up: TableConfig) -> frozenset[str]:
    return frozenset(event_order(set_up.pack.conduct, set_up.equipment))


def _swappable_pair(set_up: TableConfig) -> tuple[str, str] | None:
    ordered = {(rule.first, rule.then) for rule in set_up.pack.conduct.order}
    present = _event_names(set_up)
    return next((pair for pair in SWAPPABLE_PAIRS if pair in ordered and set(pair) <= present), None)


def _with_events_swapped(events: Sequence[RoundEvent], one: str, other: str) -> tuple[RoundEvent, ...]:
    """The same instants with the two events exchanged."""
    at = {name: next(event.at for event in events if event.name == name) for name in (one, other)}
    turned = {one: at[other], other: at[one]}
    moved = [msgspec.structs.replace(event, at=turned.get(event.name, event.at)) for event in events]
    return tuple(sorted(moved, key=lambda event: event.at))


@register_injector("ROUND-ORDER", is_live=True)
def break_event_order(scene: TimelineEditor) -> None:
    """Two events of a round happen in the wrong order; and in another round betting is never closed."""
    pair = _swappable_pair(scene.set_up)
    if pair is not None:
        line = scene.pick_round()
        scene.change_body(line, events=_with_events_swapped(scene.round_body(line).events, *pair))
        scene.record_fault(line, f"In this round {pair[1]} came before {pair[0]}.", case="swapped")
    line = scene.pick_round_without_streaks()
    closing = scene.pack.conduct.no_more_bets.events
    scene.change_body(line, events=_without_events(scene.round_body(line).events, closing))
    also = ("SETTLE-SHOULD-BE-VOID", "ROUND-NO-PRESS", MISCOUNT)
    says = "The result came into sight although betting had not been closed, and the round was settled."
    scene.record_fault(line, says, case="never-closed", also=also)


def _without_events(events: Sequence[RoundEvent], names: Collection[str]) -> tuple[RoundEvent, ...]:
    return tuple(event for event in events if event.name not in names)


def _counts_tumbles(set_up: TableConfig) -> bool:
    rule = set_up.pack.conduct.agitation
    return rule is not None and (not rule.only_with or rule.only_with in set_up.equipment)


@register_injector("ROUND-TUMBLES", fits=_counts_tumbles, is_live=True)
def tumble_dice_too_seldom(scene: TimelineEditor) -> None:
    """The dice are not tumbled at all in one round and twice in another, which are settled all the same; in a third
    they are tumbled exactly three times."""
    line = scene.pick_round_without_streaks()
    scene.change_body(line, events=_without_events(scene.round_body(line).events, ("tumbled",)))
    also: tuple[str, ...] = ("SETTLE-SHOULD-BE-VOID", "ROUND-ORDER", MISCOUNT)
    scene.record_fault(line, "The dice were not tumbled and the round was settled.", case="none", also=also)
    for count in (2, 3):
        line = scene.pick_round_without_streaks()
        events = scene.round_body(line).events
        scene.change_body(line, events=tuple(_with_tumble_count(event, count) for event in events))
        says, breach = f"The dice were tumbled {count} times and the round was settled.", count < 3
        also = ("SETTLE-SHOULD-BE-VOID", MISCOUNT) if breach else ()
        scene.record_fault(line, says, case="under" if breach else "at", finding=breach, also=also)


def _with_tumble_count(event: RoundEvent, count: int) -> RoundEvent:
    return msgspec.structs.replace(event, count=count) if event.name == "tumbled" else event


@register_injector(
    "ROUND-EXPOSED", fits=lambda set_up: bool(_event_names(set_up) & set(REVEALING_EVENTS)), is_live=True
)
def expose_result_early(scene: TimelineEditor) -> None:
    """Dice or cards are in sight a moment before the cut-off, and the round is settled all the same."""
    line = scene.pick_round_without_streaks()
    early = scene.cut_off_at(line) - timedelta(milliseconds=1)
    moved = [
        msgspec.structs.replace(event, at=early) if event.name in REVEALING_EVENTS else event
        for event in scene.round_body(line).events
    ]
    scene.change_body(line, events=tuple(sorted(moved, key=lambda event: event.at)))
    says = "The result was in sight a thousandth of a second before the cut-off, and the round was settled."
    scene.record_fault(line, says, also=("SETTLE-SHOULD-BE-VOID", "ROUND-ORDER", MISCOUNT))


@register_injector("ROUND-NO-PRESS", fits=lambda set_up: "no-more-bets-pressed" in _event_names(set_up), is_live=True)
def skip_no_more_bets_button(scene: TimelineEditor) -> None:
    """The button of the touch screen is not pressed, and the round is settled all the same."""
    line = scene.pick_round_without_streaks()
    scene.change_body(line, events=_without_events(scene.round_body(line).events, ("no-more-bets-pressed",)))
    also = ("SETTLE-SHOULD-BE-VOID", MISCOUNT)
    scene.record_fault(line, "The no-more-bets button was not pressed before the uncovering.", also=also)


def _misread_outcome(outcome: Outcome) -> Outcome:
    """The same result with its lowest face read wrongly."""
    low, middle, high = sorted(outcome)
    wrong = sorted((low % 6 + 1, middle, high))
    return wrong[0], wrong[1], wrong[2]


@register_injector("ROUND-CALLED", fits=lambda set_up: "result-called" in _event_names(set_up), is_live=True)
def call_wrong_result(scene: TimelineEditor) -> None:
    """The dealer calls another result than the dice show."""
    line = scene.pick_round(lambda body: body.called is not None)
    body = scene.round_body(line)
    wrong = _misread_outcome(outcome_of(body))
    assert body.called is not None
    scene.change_body(line, called=msgspec.structs.replace(body.called, faces=wrong, total=sum(wrong)))
    scene.record_fault(line, f"{wrong} was called where the dice showed {outcome_of(body)}.")


@register_injector("ROUND-ENTRY", fits=lambda set_up: "result-entered" in _event_names(set_up), is_live=True)
def enter_wrong_result(scene: TimelineEditor) -> None:
    """The dealer enters another result than the dice show."""
    line = scene.pick_round(lambda body: body.entered is not None)
    body = scene.round_body(line)
    wrong = _misread_outcome(outcome_of(body))
    assert body.entered is not None
    scene.change_body(line, entered=msgspec.structs.replace(body.entered, faces=wrong))
    scene.record_fault(line, f"{wrong} was entered where the dice showed {outcome_of(body)}.")


@register_injector("ROUND-LIT", fits=lambda set_up: "areas-lit" in _event_names(set_up), is_live=True)
def leave_winning_area_unlit(scene: TimelineEditor) -> None:
    """One winning area does not light, and nobody reports the fault before play goes on."""
    line = scene.pick_round_without_streaks(lambda body: len(body.lit or ()) > 1)
    lit = scene.round_body(line).lit or ()
    scene.change_body(line, lit=lit[1:])
    also = ("FAULT-PLAY", "FAULT-NOT-TOLD", MISCOUNT)
    scene.record_fault(line, f"{lit[0]} won and was not lit.", figures={"dark": lit[0]}, also=also)


@register_injector(
    "ROUND-DISPLAY", fits=lambda set_up: set_up.pack.conduct.result.disregarded_clause is not None, is_live=True
)
def display_wrong_result(scene: TimelineEditor) -> None:
    """A display shows another result than the dice; the round is settled by the dice."""
    line = scene.pick_round()
    dice = outcome_of(scene.round_body(line))
    wrong = _misread_outcome(dice)
    scene.change_body(line, displayed=(Displayed(device="wnd", faces=wrong),))
    scene.record_fault(line, f"A display showed {wrong} where the dice showed {dice}.")


@register_injector("ROUND-PAID-FIRST", fits=lambda set_up: set_up.pack.duties.pay_order is not None, is_live=True)
def pay_winners_before_collecting(scene: TimelineEditor) -> None:
    """Winners are paid before losers are collected."""
    line = scene.pick_round(lambda body: first_event_at(body.events, "losers-collected") is not None)
    scene.change_body(
        line, events=_with_events_swapped(scene.round_body(line).events, "losers-collected", "winners-paid")
    )
    scene.record_fault(line, "Winners were paid before losers were collected.")


@register_injector("ROUND-REASON", is_live=True)
def void_for_unlisted_reason(scene: TimelineEditor) -> None:
    """A round is called off for a reason that its document does not list."""
    unlisted = [reason for reason in get_args(pack.VoidReasonName) if reason not in scene.pack.law.void]
    scene.require_candidate(bool(unlisted))
    line = scene.pick_void_round()
    no_result = scene.round_body(line).no_result
    assert no_result is not None
    wrong = scene.rng.choice(unlisted)
    scene.change_body(line, no_result=msgspec.structs.replace(no_result, reason=wrong, grounds=None))
    scene.record_fault(line, f"The round was called off for {wrong}, which its rules do not list.")


@register_injector("ROUND-NO-RULES")
def reset_controller_clock(scene: TimelineEditor) -> None:
    """A controller's clock falls back by 56 years, when no rules were in force."""
    line = scene.pick_last_round()
    body = scene.round_body(line)
    day = scene.set_up.gaming_day_at(body.events[0].at - CLOCK_RESET)
    scene.change_body(line, **_with_times_shifted(body, CLOCK_RESET), gaming_day=day)
    says = "The events of this round are dated 56 years earlier, before any rule version."
    scene.record_fault(line, says, also=("STREAK-MISCOUNT",))


def _with_times_shifted(body: Round, by: timedelta) -> dict[str, Any]:
    """Events and wagers of a round, moved earlier by this much."""
    wagers = [msgspec.structs.replace(wager, placed_at=wager.placed_at - by) for wager in body.wagers]
    events = [msgspec.structs.replace(event, at=event.at - by) for event in body.events]
    return {"wagers": tuple(wagers), "events": tuple(events)}


@register_injector("ROUND-CARDS", fits=lambda set_up: set_up.has_cards, is_live=True)
def deal_from_unknown_shoe(scene: TimelineEditor) -> None:
    """Cards are dealt from a shoe that never came into play."""
    line = scene.pick_round()
    scene.change_body(line, shoe="shoe-unknown")
    scene.record_fault(line, "The cards came from a shoe that was never put into play.")
