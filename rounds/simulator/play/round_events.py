"""The events of a round in the order that its rule pack prescribes, with the time each takes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from random import Random

from rounds.engine import pack
from rounds.intake.protocol.round import RoundEvent, RoundEventName
from rounds.simulator.play.table_config import TableConfig

# Seconds before each event of an ordinary round: minimum and maximum. About forty seconds with the pause after it.
EVENT_SECONDS: dict[RoundEventName, tuple[float, float]] = {
    "bets-open": (0.5, 1.5),
    "bell-rung": (12.0, 17.0),
    "no-more-bets-called": (12.0, 17.0),
    "no-more-bets-signalled": (0.3, 0.9),
    "no-more-bets-pressed": (0.4, 1.2),
    "no-more-bets-displayed": (12.0, 17.0),
    "tumbled": (1.5, 2.5),
    "uncovered": (0.8, 1.6),
    "drawn": (1.5, 3.0),
    "result-called": (0.8, 1.5),
    "result-entered": (0.8, 1.6),
    "areas-lit": (0.1, 0.3),
    "losers-collected": (3.0, 5.0),
    "winners-paid": (4.0, 7.0),
    "lights-cleared": (0.3, 0.6),
    "covered-again": (0.4, 0.8),
}
# The call after the bell, where the rules ask for both.
CALL_AFTER_BELL_SECONDS = (0.3, 0.9)
# The order that is played where the rules leave it open.
USUAL_ORDER: tuple[RoundEventName, ...] = tuple(EVENT_SECONDS)
CUT_OFF_ALIAS = "no-more-bets"


@lru_cache(maxsize=64)
def event_order(conduct: pack.Conduct, equipment: frozenset[str]) -> tuple[RoundEventName, ...]:
    """Every event of a round at a table with this equipment: a topological order of the pack's order rules."""
    before: dict[str, set[str]] = {name: set() for name in _events_at_table(conduct, equipment)}
    closing = [name for name in conduct.no_more_bets.events if name in before]
    for rule in conduct.order:
        if not rule.only_with or rule.only_with in equipment:
            for then in _replace_cut_off_with_events(rule.then, closing, before):
                before[then] |= set(_replace_cut_off_with_events(rule.first, closing, before))
    ordered: list[RoundEventName] = []
    while len(ordered) < len(before):
        ordered.append(next(n for n in USUAL_ORDER if n in before and n not in ordered and before[n] <= set(ordered)))
    return tuple(ordered)


def _replace_cut_off_with_events(name: str, closing: Sequence[str], present: Iterable[str]) -> list[str]:
    return list(closing) if name == CUT_OFF_ALIAS else [one for one in present if one == name]


def _events_at_table(conduct: pack.Conduct, equipment: frozenset[str]) -> list[RoundEventName]:
    """The events that the pack names, at tables with the equipment for them."""
    needs: dict[str, set[str]] = {}
    for rule in conduct.order:
        for name in (rule.first, rule.then):
            needs.setdefault(name, set()).add(rule.only_with)
    closing = conduct.no_more_bets.events
    ends = {"losers-collected", "winners-paid"}
    named = {"bets-open", *ends, *needs, *closing}
    if conduct.entry is not None:
        named |= {"result-entered"}
    return [name for name in USUAL_ORDER if name in named and _has_equipment(needs.get(name), equipment)]


def _has_equipment(needs: set[str] | None, equipment: frozenset[str]) -> bool:
    return not needs or bool(needs & (equipment | {""}))


def time_events(
    set_up: TableConfig, names: Sequence[RoundEventName], *, start: datetime, pace: float, rng: Random
) -> list[RoundEvent]:
    """The events with their instants; at a pace of 2 everything takes half the time."""
    at, events = start, []
    dealer = set_up.staff_member("dealer")
    for place, name in enumerate(names):
        is_after_bell = name == "no-more-bets-called" and "bell-rung" in names[:place]
        least, most = CALL_AFTER_BELL_SECONDS if is_after_bell else EVENT_SECONDS[name]
        if place:
            at += milliseconds((least + (most - least) * rng.random()) / pace)
        count = 3 + (rng.random() < 0.1) if name == "tumbled" else None
        events.append(RoundEvent(name=name, at=at, count=count, by=dealer if name == "tumbled" else None))
    return events


def milliseconds(seconds: float) -> timedelta:
    """At least one, so that two events of a round never share an instant."""
    return timedelta(milliseconds=max(1, round(seconds * 1000)))


def first_event_at(events: Iterable[RoundEvent], *names: str) -> datetime | None:
    """The instant of the first of these events."""
    return min((event.at for event in events if event.name in names), default=None)


def cut_off_at(set_up: TableConfig, events: Iterable[RoundEvent]) -> datetime | None:
    return first_event_at(events, *set_up.pack.conduct.no_more_bets.events)
