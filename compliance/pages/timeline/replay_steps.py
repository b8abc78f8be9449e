"""A round as a list of steps, as the table reported it: events, wagers and their outcome, by time."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from operator import or_

from compliance.pages.timeline.event_labels import RoundView, WagerView, event_label
from rounds.engine.money import format_cents

# The faces are visible from the first of these on.
REVEALING_EVENTS = frozenset({"uncovered", "drawn", "result-called", "result-entered", "areas-lit"})


@dataclass(frozen=True)
class ReplayEvent:
    """One event, and how it changes the number of wagers and the money on the layout."""

    at: datetime
    words: str
    wagers: int = 0
    cents: int = 0
    uncovers: bool = False


@dataclass(frozen=True)
class ReplayStep:
    """The state of the table after one event."""

    number: int
    happened: ReplayEvent
    seconds: float
    wagers: int
    staked_cents: int
    is_uncovered: bool


def build_steps(read: RoundView) -> list[ReplayStep]:
    """By time; events of one instant in the order reported, round events first."""
    if read.played is None:
        return []
    in_order = sorted((*_round_events(read), *_wager_events(read)), key=lambda one: one.at)
    if not in_order:
        return []
    wagers = accumulate(one.wagers for one in in_order)
    staked = accumulate(one.cents for one in in_order)
    uncovered = accumulate((one.uncovers for one in in_order), or_)
    began = in_order[0].at
    return [
        ReplayStep(number, one, (one.at - began).total_seconds(), count, cents, is_uncovered)
        for number, (one, count, cents, is_uncovered) in enumerate(
            zip(in_order, wagers, staked, uncovered, strict=True), 1
        )
    ]


def _round_events(read: RoundView) -> Iterator[ReplayEvent]:
    assert read.played is not None
    for event in read.played.events:
        words = event_label(event.name, event.count, event.by)
        yield ReplayEvent(event.at, words, uncovers=event.name in REVEALING_EVENTS)


def _wager_events(read: RoundView) -> Iterator[ReplayEvent]:
    for row in read.wagers:
        wager = row.wager
        words = f"{row.holder} wagers {format_cents(wager.stake)} on {read.bet_name(wager.bet)} (wager {wager.id})"
        yield ReplayEvent(wager.placed_at, words, 1, wager.stake)
        yield from _wager_change_events(row)


def _wager_change_events(row: WagerView) -> Iterator[ReplayEvent]:
    stake = row.wager.stake
    for change in row.wager.changes:
        after = 0 if change.what == "withdrawn" else change.stake if change.stake is not None else stake
        words = f"Wager {row.wager.id}: {row.change_text(change).lower()}"
        yield ReplayEvent(change.at, words, -1 if change.what == "withdrawn" else 0, after - stake)
        stake = after
