"""An entry about equipment as the row that it makes: the same whenever it is read again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from compliance.equipment.states import (
    CardsCounted,
    ChipsMoved,
    Custody,
    Derived,
    Fault,
    InspectionMade,
    Piece,
    TableTurn,
)
from rounds.ledger.errors import EntryError
from rounds.ledger.following import Recorded

Fields = dict[str, Any]


@dataclass(frozen=True)
class Said:
    """A line of a controller, or of a person, as far as equipment is concerned."""

    entry: Recorded
    at: datetime
    body: Mapping[str, Any]
    by: str


def read(entry: Recorded) -> Said | None:
    """None where an entry does not say what its kind says: it stays in the log, and there is nothing to show."""
    try:
        content = entry.content()
        at = msgspec.convert(content["at"], datetime)
        body = content["body"] if isinstance(content.get("body"), dict) else content
    except (EntryError, KeyError, msgspec.ValidationError):
        return None
    origin = content.get("origin")
    who = origin.get("by") if isinstance(origin, dict) else body.get("by")
    return Said(entry, at, body, who_words(who))


def who_words(who: Any) -> str:
    """A person's name, or a position of the house with its staff number."""
    if not isinstance(who, dict):
        return ""
    if "position" in who:
        return f"{str(who['position']).replace('-', ' ').capitalize()} {who.get('number') or ''}".strip()[:120]
    return str(who.get("name", ""))[:120]


def _fault(body: Mapping[str, Any]) -> Fields:
    return {
        "name": body["fault"], "equipment": body["equipment"], "effect": body["effect"],
        "round": body.get("round") or "", "note": body.get("note") or "",
    }  # fmt: skip


def _dice(body: Mapping[str, Any]) -> Fields:
    return {"piece": Piece.DICE, "name": body["dice"], "is_sealed": body.get("sealed")}


def _shaker(body: Mapping[str, Any]) -> Fields:
    return {"piece": Piece.SHAKER, "name": body["shaker"], "type": body["type"]}


def _shoe(body: Mapping[str, Any]) -> Fields:
    return {"piece": Piece.SHOE, "name": body["shoe"], "type": f"{body['decks']} decks"}


def _inspection(body: Mapping[str, Any]) -> Fields:
    return {
        "item": body["item"], "occasion": body["occasion"], "trials": body["trials"], "has_passed": body["passed"],
        "entered": body.get("entered", []), "shift": body.get("shift") or "", "position": body["by"]["position"],
    }  # fmt: skip


def _count(body: Mapping[str, Any]) -> Fields:
    return {
        "shoe": body["shoe"], "decks": body["decks"], "cards": body["cards"], "foreign_cards": body.get("foreign", 0)
    }  # fmt: skip


def _foreign(body: Mapping[str, Any]) -> Fields:
    return {
        "shoe": body["shoe"], "foreign_cards": 1, "round": body.get("round") or "", "note": body.get("note") or ""
    }  # fmt: skip


def _holder(body: Mapping[str, Any]) -> str:
    return str(body.get("player") or f"seat {body['seat']}")


def _issued(body: Mapping[str, Any]) -> Fields:
    return {
        "chip_set": body["set"], "colour": body["colour"], "value_cents": body["value"], "chips": body["chips"],
        "holder": _holder(body), "marker_cents": body.get("marker"),
    }  # fmt: skip


def _redeemed(body: Mapping[str, Any]) -> Fields:
    return {
        "chip_set": body["set"], "colour": body["colour"], "value_cents": body["value"], "chips": -body["chips"],
        "holder": _holder(body), "paid_cents": body["paid"], "issued_at": body["issued_at"],
    }  # fmt: skip


MAKES: Mapping[str, tuple[type[Derived], Callable[[Mapping[str, Any]], Fields]]] = {
    "fault": (Fault, _fault),
    "dice-placed": (Custody, _dice),
    "shaker-placed": (Custody, _shaker),
    "shoe-changed": (Custody, _shoe),
    "inspection": (InspectionMade, _inspection),
    "table-opened": (TableTurn, lambda body: {"is_open": True}),
    "table-closed": (TableTurn, lambda body: {"is_open": False}),
    "deck-count": (CardsCounted, _count),
    "foreign-card": (CardsCounted, _foreign),
    "chips-issued": (ChipsMoved, _issued),
    "chips-redeemed": (ChipsMoved, _redeemed),
}
MODELS: tuple[type[Derived], ...] = (Fault, Custody, InspectionMade, TableTurn, CardsCounted, ChipsMoved)


def fields_of(said: Said) -> Fields | None:
    """What the row says that this entry makes."""
    _, make = MAKES[said.entry.kind]
    try:
        return {"table": said.entry.table or "", "at": said.at, "by": said.by, **make(said.body)}
    except (KeyError, TypeError):
        return None
