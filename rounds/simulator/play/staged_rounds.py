"""Rounds made to order, where an ordinary day has no place for a fault: a void round, a rare result."""

from __future__ import annotations

from typing import Any

import msgspec

from rounds.engine import Outcome, pack
from rounds.intake.protocol.round import Called, Displayed, Entered, NoResult, Round
from rounds.simulator.play.dealer import Dealer
from rounds.simulator.play.table_config import TableConfig
from rounds.simulator.play.void_rounds import events_until_void

# Void reasons that need no other lines than the round without a result.
PLAIN_REASONS: tuple[pack.VoidReasonName, ...] = ("not-flat", "insufficient-cards", "broken")


def void_round_changes(set_up: TableConfig, body: Round) -> dict[str, Any]:
    """Changes that make an honest round void: no result, and every stake is returned."""
    reason = next(reason for reason in PLAIN_REASONS if reason in set_up.pack.law.void)
    events = events_until_void(body.events, reason, set_up.pack.conduct.no_more_bets.events)
    back = [
        msgspec.structs.replace(
            wager,
            verdict="void",
            paid_in=None,
            returned=(wager.changes[-1].stake if wager.changes else None) or wager.stake,
        )
        for wager in body.wagers
    ]
    return {
        "events": tuple(events),
        "wagers": tuple(back),
        "dice": None,
        "cards": None,
        "called": None,
        "entered": None,
        "lit": None,
        "displayed": (),
        "no_result": NoResult(reason=reason, at=events[-1].at, by=set_up.staff_member("dealer")),
    }


def result_changes(house: Dealer, body: Round, outcome: Outcome) -> dict[str, Any]:
    """Changes that give a round another result: all that was called, entered, lit and displayed."""
    ordered = (min(outcome), sorted(outcome)[1], max(outcome))
    called, entered = body.called, body.entered
    return {
        "dice" if body.dice is not None else "cards": outcome,
        "called": Called(faces=ordered, total=sum(ordered), by=called.by) if called else None,
        "entered": Entered(faces=ordered, by=entered.by) if entered else None,
        "lit": house.winning_areas(outcome) if body.lit is not None else None,
        "displayed": tuple(Displayed(device=one.device, faces=ordered) for one in body.displayed),
    }
