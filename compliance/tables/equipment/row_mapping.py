"""Conversion of an equipment entry to the row it creates. Pure and deterministic, so `verify_ledger` can repeat it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from compliance.tables.equipment.projections import (
    CardsCounted,
    ChipsMoved,
    Custody,
    Fault,
    InspectionMade,
    Piece,
    ProjectedRow,
    TableTurn,
)
from rounds.intake import entry_kinds
from rounds.ledger import EntryError, LogEntry

Fields = dict[str, Any]


@dataclass(frozen=True)
class EquipmentLine:
    """An equipment line of a controller or a person."""

    entry: LogEntry
    at: datetime
    body: Mapping[str, Any]
    by: str


def parse_entry(entry: LogEntry) -> EquipmentLine | None:
    """None when the body does not fit its kind. The entry stays in the log; there is nothing to project."""
    try:
        content = entry.content()
        at = msgspec.convert(content["at"], datetime)
        body = content["body"] if isinstance(content.get("body"), dict) else content
    except (EntryError, KeyError, msgspec.ValidationError):
        return None
    origin = content.get("origin")
    who = origin.get("by") if isinstance(origin, dict) else body.get("by")
    return EquipmentLine(entry, at, body, actor_label(who))


def actor_label(who: Any) -> str:
    """The person's name, or the position with the staff number."""
    if not isinstance(who, dict):
        return ""
    if "position" in who:
        return f"{str(who['position']).replace('-', ' ').capitalize()} {who.get('number') or ''}".strip()[:120]
    return str(who.get("name", ""))[:120]


def _fault_fields(body: Mapping[str, Any]) -> Fields:
    return {
        "name": body["fault"],
        "equipment": body["equipment"],
        "effect": body["effect"],
        "round": body.get("round") or "",
        "note": body.get("note") or "",
    }


def _dice_fields(body: Mapping[str, Any]) -> Fields:
    return {"piece": Piece.DICE, "name": body["dice"], "is_sealed": body.get("sealed")}


def _shaker_fields(body: Mapping[str, Any]) -> Fields:
    return {"piece": Piece.SHAKER, "name": body["shaker"], "type": body["type"]}


def _shoe_fields(body: Mapping[str, Any]) -> Fields:
    return {"piece": Piece.SHOE, "name": body["shoe"], "type": f"{body['decks']} decks"}


def _inspection_fields(body: Mapping[str, Any]) -> Fields:
    return {
        "item": body["item"],
        "occasion": body["occasion"],
        "trials": body["trials"],
        "has_passed": body["passed"],
        "entered": body.get("entered", []),
        "shift": body.get("shift") or "",
        "position": body["by"]["position"],
    }


def _deck_count_fields(body: Mapping[str, Any]) -> Fields:
    return {
        "shoe": body["shoe"],
        "decks": body["decks"],
        "cards": body["cards"],
        "foreign_cards": body.get("foreign", 0),
    }


def _foreign_card_fields(body: Mapping[str, Any]) -> Fields:
    return {"shoe": body["shoe"], "foreign_cards": 1, "round": body.get("round") or "", "note": body.get("note") or ""}


def _chip_holder(body: Mapping[str, Any]) -> str:
    return str(body.get("player") or f"seat {body['seat']}")


def _chips_issued_fields(body: Mapping[str, Any]) -> Fields:
    return {
        "chip_set": body["set"],
        "colour": body["colour"],
        "value_cents": body["value"],
        "chips": body["chips"],
        "holder": _chip_holder(body),
        "marker_cents": body.get("marker"),
    }


def _chips_redeemed_fields(body: Mapping[str, Any]) -> Fields:
    return {
        "chip_set": body["set"],
        "colour": body["colour"],
        "value_cents": body["value"],
        "chips": -body["chips"],
        "holder": _chip_holder(body),
        "paid_cents": body["paid"],
        "issued_at": body["issued_at"],
    }


ROW_MAPPINGS: Mapping[str, tuple[type[ProjectedRow], Callable[[Mapping[str, Any]], Fields]]] = {
    entry_kinds.FAULT: (Fault, _fault_fields),
    entry_kinds.DICE_PLACED: (Custody, _dice_fields),
    entry_kinds.SHAKER_PLACED: (Custody, _shaker_fields),
    entry_kinds.SHOE_CHANGED: (Custody, _shoe_fields),
    entry_kinds.INSPECTION: (InspectionMade, _inspection_fields),
    entry_kinds.TABLE_OPENED: (TableTurn, lambda body: {"is_open": True}),
    entry_kinds.TABLE_CLOSED: (TableTurn, lambda body: {"is_open": False}),
    entry_kinds.DECK_COUNT: (CardsCounted, _deck_count_fields),
    entry_kinds.FOREIGN_CARD: (CardsCounted, _foreign_card_fields),
    entry_kinds.CHIPS_ISSUED: (ChipsMoved, _chips_issued_fields),
    entry_kinds.CHIPS_REDEEMED: (ChipsMoved, _chips_redeemed_fields),
}
PROJECTED_MODELS: tuple[type[ProjectedRow], ...] = (Fault, Custody, InspectionMade, TableTurn, CardsCounted, ChipsMoved)


def row_fields(line: EquipmentLine) -> Fields | None:
    """Field values of the row that the entry creates."""
    _, make = ROW_MAPPINGS[line.entry.kind]
    try:
        return {"table": line.entry.table or "", "at": line.at, "by": line.by, **make(line.body)}
    except (KeyError, TypeError):
        return None
