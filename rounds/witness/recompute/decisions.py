"""Decisions of people that change amounts: void rounds and wagers, forfeits, refunds, payments after disputes, warnings
about the minimum, limits of one player, wagers found above the maximum in time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import msgspec

from rounds.intake.protocol.round import Round, Wager

EntryBody = Mapping[str, Any]
DAMAGED_DICE, INVALIDATED = "damaged-dice", "invalidated"
VOID_SET, INVALIDATION, WAGERS_VOIDED = "void-set", "invalidation", "wagers-voided"
STAKES_RETURNED, DISPUTE_PAID = "stakes-returned", "dispute-paid"
WARNING, REFUSAL = "under-minimum-warning", "wager-refusal"
PLAYER_LIMIT, PLAYER_LIMIT_ENDED = "player-limit", "player-limit-ended"
INTERRUPTED_LINE = "terminal-interrupted"
TABLE_DECISION_KINDS = frozenset({WARNING, REFUSAL, PLAYER_LIMIT, PLAYER_LIMIT_ENDED, INTERRUPTED_LINE})
# A player's pseudonym lasts for a gaming day, which has 25 hours at most; older limits are of somebody else.
OLDEST_PLAYER_LIMIT = timedelta(hours=36)


@dataclass(frozen=True)
class Decision:
    """One such entry, with the table and the time of recording from its header. `line`: table, controller and sequence
    of a controller's line, by which a correction names it."""

    index: int
    kind: str
    table: str
    body: EntryBody
    recorded_at: datetime
    line: tuple[str | None, str | None, int] | None = None

    @property
    def decided_at(self) -> datetime:
        return msgspec.convert(self.body["at"], datetime)


@dataclass
class RoundDecisions:
    """All decisions about one round, combined. `forfeited` is None unless its outcome was invalidated."""

    reason: str = ""
    at: datetime | None = None
    decided_as: str = ""
    paid_later: dict[str, int] = field(default_factory=dict)
    void_wagers: dict[str, datetime] = field(default_factory=dict)
    forfeited: frozenset[str] | None = None


def decisions_for_round(index: int, played: Round, decisions: list[Decision]) -> RoundDecisions:
    """Combine the decisions in log order: the first that voids the round sets the reason;
    refunds and payments add up.
    """
    combined = RoundDecisions()
    for decision in decisions:
        HANDLER_BY_KIND[decision.kind](combined, index, played, decision)
    return combined


def _set_void(combined: RoundDecisions, act: Decision, reason: str) -> None:
    if not combined.reason:
        combined.reason, combined.at, combined.decided_as = reason, act.decided_at, act.body.get("as") or ""


def _apply_void_set(combined: RoundDecisions, index: int, played: Round, act: Decision) -> None:
    _set_void(combined, act, DAMAGED_DICE)


def _apply_invalidation(combined: RoundDecisions, index: int, played: Round, act: Decision) -> None:
    _set_void(combined, act, INVALIDATED)
    combined.forfeited = frozenset(_wagers_named_in_decision(act.body, "forfeited", index)) | (
        combined.forfeited or frozenset()
    )


def _apply_wagers_voided(combined: RoundDecisions, index: int, played: Round, act: Decision) -> None:
    """The wagers it names; if it names none, all of that person's wagers in the round."""
    named = _wagers_named_in_decision(act.body, "wagers", index)
    if not act.body.get("wagers"):
        named = [wager.id for wager in played.wagers if is_wager_of_person(wager, act.body)]
    for wager in named:
        combined.void_wagers.setdefault(wager, act.decided_at)


def _apply_stakes_returned(combined: RoundDecisions, index: int, played: Round, act: Decision) -> None:
    for each in act.body["returned"]:
        if each["round"] == index:
            combined.paid_later[each["wager"]] = combined.paid_later.get(each["wager"], 0) + each["cents"]


def _apply_dispute_paid(combined: RoundDecisions, index: int, played: Round, act: Decision) -> None:
    wager, cents = act.body.get("wager", ""), act.body["amount_cents"]
    to_patron = -cents if act.body["way"] == "taken-back" else cents
    combined.paid_later[wager] = combined.paid_later.get(wager, 0) + to_patron


HANDLER_BY_KIND: Mapping[str, Callable[[RoundDecisions, int, Round, Decision], None]] = {
    VOID_SET: _apply_void_set,
    INVALIDATION: _apply_invalidation,
    WAGERS_VOIDED: _apply_wagers_voided,
    STAKES_RETURNED: _apply_stakes_returned,
    DISPUTE_PAID: _apply_dispute_paid,
}


def round_indexes_of(act: Decision) -> list[int]:
    """Indexes of the rounds that a decision concerns."""
    if act.kind == DISPUTE_PAID:
        return [act.body["corrects"]]
    return [each for each in act.body["rounds"] if isinstance(each, int)]


def was_warned(wager: Wager, played: Round, acts: list[Decision]) -> bool:
    """Whether the player was warned on that gaming day before placing the wager."""
    day = played.gaming_day.isoformat()
    return any(
        act.kind == WARNING
        and act.body["gaming_day"] == day
        and (act.body["player"] == wager.player if act.body["player"] else act.body["seat"] == wager.seat)
        and act.decided_at <= wager.placed_at
        for act in acts
    )


def player_limits_on_record(closed_at: datetime, ended_at: datetime, acts: list[Decision]) -> list[EntryBody]:
    """Limits of single players that were recorded and not ended when betting closed."""
    known = [act for act in acts if ended_at - OLDEST_PLAYER_LIMIT <= act.recorded_at <= closed_at]
    over = {act.body["player_limit"] for act in known if act.kind == PLAYER_LIMIT_ENDED}
    return [act.body for act in known if act.kind == PLAYER_LIMIT and act.index not in over]


def wagers_found_over_limit(
    index: int, began_at: datetime, settled_at: datetime, acts: list[Decision]
) -> frozenset[str]:
    """Wagers found above the maximum before they were settled.

    An id without entry index means the round in progress.
    """
    in_time = [
        act for act in acts if act.kind == REFUSAL and act.body["grounds"] == "limits" and act.decided_at <= settled_at
    ]
    split = [(act, *name.rpartition(":")) for act in in_time for name in act.body["wagers"] or ()]
    return frozenset(
        wager for act, entry, _, wager in split if entry == str(index) or (not entry and act.decided_at >= began_at)
    )


def recorded_refusal(
    wager: str, index: int, began_at: datetime, ended_at: datetime, acts: list[Decision]
) -> tuple[datetime, str] | None:
    """When the wager was refused and why, by the first record of it up to the end of its round."""
    for act in sorted((act for act in acts if act.kind == REFUSAL), key=lambda act: (act.decided_at, act.index)):
        names = {f"{index}:{wager}", wager} if act.decided_at >= began_at else {f"{index}:{wager}"}
        if act.decided_at <= ended_at and names & set(act.body["wagers"] or ()):
            return act.decided_at, act.body["grounds"]
    return None


def interruptions_of_round(name: str, index: int, acts: list[Decision]) -> list[tuple[datetime, bool]]:
    """When the table reported, before the round at this index, that it was interrupted, and whether a wager was decided
    by then."""
    lines = [(act.decided_at, act.body["body"]) for act in acts if act.kind == INTERRUPTED_LINE and act.index < index]
    return [
        (at, line["outcome_established"])
        for at, line in lines
        if line.get("round") == name and line.get("outcome_established") is not None
    ]


def is_wager_of_person(wager: Wager, body: EntryBody) -> bool:
    player, seat = body.get("player"), body.get("seat")
    return wager.player == player if player else seat is not None and wager.seat == seat


def _wagers_named_in_decision(body: EntryBody, member: str, index: int) -> list[str]:
    """The ids of this round's wagers. They are written as "entry index:wager id"."""
    split = (each.partition(":") for each in body.get(member) or ())
    return [wager for entry, _, wager in split if entry == str(index)]
