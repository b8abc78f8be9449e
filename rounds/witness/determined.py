"""What people recorded about rounds that bears on their money: rounds and wagers void, forfeits, stakes handed back,
payments after disputes, warnings about the minimum, wagers found above the maximum in time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import msgspec

from rounds.intake.kinds.round import Round, Wager

Body = Mapping[str, Any]
DAMAGED_DICE, INVALIDATED = "damaged-dice", "invalidated"
VOID_SET, INVALIDATION, WAGERS_VOIDED = "void-set", "invalidation", "wagers-voided"
STAKES_RETURNED, DISPUTE_PAID = "stakes-returned", "dispute-paid"
WARNING, REFUSAL = "under-minimum-warning", "wager-refusal"
AT_TABLES = frozenset({WARNING, REFUSAL})


@dataclass(frozen=True)
class Act:
    """One such entry, with the table of its header."""

    index: int
    kind: str
    table: str
    body: Body

    @property
    def at(self) -> datetime:
        return msgspec.convert(self.body["at"], datetime)


@dataclass
class Determined:
    """All that was determined about one round. `forfeited` is None unless its outcome was invalidated."""

    reason: str = ""
    at: datetime | None = None
    decided_as: str = ""
    paid_later: dict[str, int] = field(default_factory=dict)
    void_wagers: dict[str, datetime] = field(default_factory=dict)
    forfeited: frozenset[str] | None = None


def determined_of(index: int, played: Round, acts: list[Act]) -> Determined:
    """In the order of the log: the first that makes a round void gives the reason, what was handed back adds up."""
    found = Determined()
    for act in acts:
        READ[act.kind](found, index, played, act)
    return found


def _make_void(found: Determined, act: Act, reason: str) -> None:
    if not found.reason:
        found.reason, found.at, found.decided_as = reason, act.at, act.body.get("as") or ""


def _void_set(found: Determined, index: int, played: Round, act: Act) -> None:
    _make_void(found, act, DAMAGED_DICE)


def _invalidation(found: Determined, index: int, played: Round, act: Act) -> None:
    _make_void(found, act, INVALIDATED)
    found.forfeited = frozenset(_named(act.body, "forfeited", index)) | (found.forfeited or frozenset())


def _wagers_voided(found: Determined, index: int, played: Round, act: Act) -> None:
    """Those that it names; where it names none, all that the person had in the round."""
    named = _named(act.body, "wagers", index)
    if not act.body.get("wagers"):
        named = [wager.id for wager in played.wagers if is_theirs(wager, act.body)]
    for wager in named:
        found.void_wagers.setdefault(wager, act.at)


def _stakes_returned(found: Determined, index: int, played: Round, act: Act) -> None:
    for each in act.body["returned"]:
        if each["round"] == index:
            found.paid_later[each["wager"]] = found.paid_later.get(each["wager"], 0) + each["cents"]


def _dispute_paid(found: Determined, index: int, played: Round, act: Act) -> None:
    wager, cents = act.body.get("wager", ""), act.body["amount_cents"]
    to_patron = -cents if act.body["way"] == "taken-back" else cents
    found.paid_later[wager] = found.paid_later.get(wager, 0) + to_patron


READ: Mapping[str, Callable[[Determined, int, Round, Act], None]] = {
    VOID_SET: _void_set,
    INVALIDATION: _invalidation,
    WAGERS_VOIDED: _wagers_voided,
    STAKES_RETURNED: _stakes_returned,
    DISPUTE_PAID: _dispute_paid,
}


def rounds_meant(act: Act) -> list[int]:
    """The entries of the rounds that an act is about."""
    if act.kind == DISPUTE_PAID:
        return [act.body["corrects"]]
    return [each for each in act.body["rounds"] if isinstance(each, int)]


def was_warned(wager: Wager, played: Round, acts: list[Act]) -> bool:
    """On that gaming day, before the wager was placed."""
    day = played.gaming_day.isoformat()
    return any(
        act.kind == WARNING
        and act.body["gaming_day"] == day
        and (act.body["player"] == wager.player if act.body["player"] else act.body["seat"] == wager.seat)
        and act.at <= wager.placed_at
        for act in acts
    )


def found_over(index: int, began_at: datetime, settled_at: datetime, acts: list[Act]) -> frozenset[str]:
    """Wagers found above the maximum before they were settled. A bare number is meant in the round that was on."""
    in_time = [act for act in acts if act.kind == REFUSAL and act.body["grounds"] == "limits" and act.at <= settled_at]
    split = [(act, *name.rpartition(":")) for act in in_time for name in act.body["wagers"] or ()]
    return frozenset(
        wager for act, entry, _, wager in split if entry == str(index) or (not entry and act.at >= began_at)
    )


def is_theirs(wager: Wager, body: Body) -> bool:
    player, seat = body.get("player"), body.get("seat")
    return wager.player == player if player else seat is not None and wager.seat == seat


def _named(body: Body, member: str, index: int) -> list[str]:
    """Wagers are named as "entry index:wager id"."""
    split = (each.partition(":") for each in body.get(member) or ())
    return [wager for entry, _, wager in split if entry == str(index)]
