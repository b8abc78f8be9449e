"""Rounds without a result, for the reasons that each pack lists, with the events before they were voided."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec

from rounds.engine import pack
from rounds.intake.protocol.round import RoundEvent, RoundEventName
from rounds.simulator.play.table_config import TableConfig

VOID_ONE_IN = 60
# Reasons determined later over several rounds, which a table cannot report by itself.
DETERMINED_LATER: tuple[pack.VoidReasonName, ...] = ("damaged-dice", "card-count")
AFTER_THE_RESULT = ("result-called", "result-entered", "areas-lit", "losers-collected", "winners-paid")
REVEALING_EVENTS = ("uncovered", "drawn")


def possible_void_reasons(set_up: TableConfig) -> list[pack.VoidReasonName]:
    """The pack's reasons that this table's equipment allows."""
    reasons = [reason for reason in set_up.pack.law.void if reason not in DETERMINED_LATER]
    if not set_up.has_touch_screen:
        reasons = [reason for reason in reasons if not set_up.pack.law.void[reason].needs_touch_screen]
    if set_up.shaker == "manual":
        reasons = [reason for reason in reasons if reason != "device-failed"]
    return reasons


def draw_void_reason(set_up: TableConfig, rng: Random) -> pack.VoidReasonName | None:
    return rng.choice(possible_void_reasons(set_up)) if rng.randrange(VOID_ONE_IN) == 0 else None


def events_until_void(
    events: Sequence[RoundEvent], reason: pack.VoidReasonName, cut_off: Sequence[str]
) -> list[RoundEvent]:
    """The events of a void round: those of an honest one, up to where the dealer voided it."""
    if reason == "invalidated":
        return list(events)
    happened = [event for event in events if event.name not in (*AFTER_THE_RESULT, "lights-cleared", "covered-again")]
    if reason == "exposed-early":
        return _events_exposed_early(happened, cut_off)
    if reason == "nmb-not-pressed":
        return [event for event in happened if event.name != "no-more-bets-pressed"]
    if reason in ("not-flat", "stacked", "broken", "foreign-card"):
        return happened
    covered = [event for event in happened if event.name not in REVEALING_EVENTS]
    if reason == "not-activated":
        return [event for event in covered if event.name != "tumbled"]
    if reason in ("fewer-than-three", "device-failed"):
        return [msgspec.structs.replace(e, count=2) if e.name == "tumbled" else e for e in covered]
    return covered


def _events_exposed_early(happened: list[RoundEvent], cut_off: Sequence[str]) -> list[RoundEvent]:
    """The result comes into sight while wagers are still accepted; betting is never closed."""
    first = next(event.at for event in happened if event.name in cut_off)
    before = [event for event in happened if event.at < first]
    name: RoundEventName = next((event.name for event in happened if event.name in REVEALING_EVENTS), "uncovered")
    return [*before, RoundEvent(name=name, at=first)]
