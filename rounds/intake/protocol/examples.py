"""One example line of each kind. The help page and the OpenAPI document show them; tests parse them."""

from __future__ import annotations

import json
from typing import Any

DAY = "2026-11-16"
DEALER = {"position": "dealer", "number": "D-112"}
SUPERVISOR = {"position": "games-supervisor", "number": "S-31"}
LIMITS = {"min": 500, "max": 50_000}


def _time_on_day(clock: str) -> str:
    return f"{DAY}T{clock}+11:00"


ROUND: dict[str, Any] = {
    "round": "20261116-0041",
    "gaming_day": DAY,
    "events": [
        {"name": "tumbled", "at": _time_on_day("20:41:07.120"), "count": 3, "by": DEALER},
        {"name": "bets-open", "at": _time_on_day("20:41:10.004")},
        {"name": "no-more-bets-called", "at": _time_on_day("20:41:41.350")},
        {"name": "no-more-bets-pressed", "at": _time_on_day("20:41:42.018")},
        {"name": "uncovered", "at": _time_on_day("20:41:44.700")},
        {"name": "result-called", "at": _time_on_day("20:41:47.250")},
        {"name": "result-entered", "at": _time_on_day("20:41:49.904")},
        {"name": "areas-lit", "at": _time_on_day("20:41:50.110")},
        {"name": "losers-collected", "at": _time_on_day("20:42:02.600")},
        {"name": "winners-paid", "at": _time_on_day("20:42:20.030")},
    ],
    "dice": [4, 2, 4],
    "called": {"faces": [2, 4, 4], "total": 10, "by": DEALER},
    "entered": {"faces": [2, 4, 4], "by": DEALER},
    "lit": ["small", "even", "double:4", "total:10", "pair:2-4", "single:2", "single:4"],
    "displayed": [{"device": "wnd", "faces": [2, 4, 4]}],
    "limits": LIMITS,
    "dice_set": "set-0912",
    "wagers": [
        {
            "id": "0041-1",
            "player": "p-07",
            "bet": "small",
            "stake": 2_500,
            "tender": "value-chips",
            "placed_at": _time_on_day("20:41:15.400"),
            "verdict": "win",
            "returned": 5_000,
        },
        {
            "id": "0041-2",
            "seat": 4,
            "bet": "total:9",
            "stake": 500,
            "tender": "colour-checks",
            "chips": {"colour": "blue", "value": 500, "issued_at": "sb-03"},
            "placed_at": _time_on_day("20:41:18.020"),
            "changes": [{"what": "raised", "at": _time_on_day("20:41:30.900"), "stake": 1_000}],
            "verdict": "lose",
            "returned": 0,
        },
    ],
}

BODIES: dict[str, dict[str, Any]] = {
    "round": ROUND,
    "table-opened": {"gaming_day": DAY, "limits": LIMITS, "by": SUPERVISOR},
    "table-closed": {
        "gaming_day": DAY,
        "players_present": True,
        "streak_in_progress": False,
        "sign": "sign-closure-3",
        "by": SUPERVISOR,
    },
    "heartbeat": {},
    "sign-shown": {
        "sign": "sign-limits-8",
        "purpose": "limit-change",
        "min": 1_000,
        "max": 50_000,
        "change_at": _time_on_day("21:05:00"),
        "by": SUPERVISOR,
    },
    "sign-removed": {"sign": "sign-limits-8", "by": SUPERVISOR},
    "limits-changed": {
        "limits": {"min": 1_000, "max": 50_000, "by_bet": {"triple:any": {"max": 10_000}}},
        "sign": "sign-limits-8",
        "by": SUPERVISOR,
    },
    "posted-odds-shown": {
        "odds": {"total:4": "60 to 1", "single:1": ["1 to 1", "2 to 1", "3 to 1"]},
        "where": "layout",
    },
    "fault": {
        "fault": "F-204",
        "equipment": "electrical-device",
        "effect": "not-lit",
        "round": "20261116-0042",
        "told": [{"position": "inspector", "at": _time_on_day("20:44:10")}],
        "play_ceased_at": _time_on_day("20:43:55"),
        "by": DEALER,
    },
    "fault-cleared": {"fault": "F-204", "note": "Lamp driver replaced and tried three times.", "by": SUPERVISOR},
    "dice-placed": {"dice": "set-0912", "shaker": "shaker-2", "sealed": True, "by": SUPERVISOR},
    "dice-removed": {"dice": "set-0912", "reason": "time", "by": SUPERVISOR},
    "shaker-placed": {"shaker": "shaker-2", "type": "automated", "by": SUPERVISOR},
    "shaker-removed": {"shaker": "shaker-2", "type": "automated", "by": SUPERVISOR},
    "inspection": {
        "item": "electrical-device",
        "occasion": "before-opening",
        "trials": 1,
        "entered": [[1, 2, 3]],
        "passed": True,
        "by": SUPERVISOR,
    },
    "shoe-changed": {"shoe": "shoe-77", "decks": 4, "cards": 192, "previous": "shoe-76", "by": DEALER},
    "deck-count": {
        "shoe": "shoe-76",
        "decks": 4,
        "cards": 192,
        "by_face": [{"face": face, "cards": 32} for face in range(1, 7)],
        "foreign": 0,
        "by": DEALER,
    },
    "foreign-card": {"shoe": "shoe-77", "round": "20261116-0043", "note": "A card with another back.", "by": DEALER},
    "terminal-interrupted": {
        "terminals": ["t-04", "t-05"],
        "round": "20261116-0043",
        "cause": "Power lost.",
        "outcome_established": False,
    },
    "terminal-restored": {"terminals": ["t-04", "t-05"]},
    "streak-state": {
        "round": "20261116-0041",
        "streaks": [
            {"pair": "small-big", "side": "small", "length": 2},
            {"pair": "odd-even", "side": "even", "length": 1, "flashing": True},
        ],
    },
    "chips-issued": {"set": "T3", "colour": "blue", "value": 500, "chips": 40, "seat": 4, "agreed": True},
    "chips-redeemed": {
        "set": "T3",
        "colour": "blue",
        "value": 500,
        "chips": 31,
        "paid": 15_500,
        "issued_at": "sb-03",
        "seat": 4,
    },
    "voucher-exchanged": {
        "voucher": "V-88120",
        "value": 5_000,
        "tokens": 5_000,
        "player": "p-07",
        "conditions_met": True,
        "by": DEALER,
    },
    "correction": {"corrects": 41, "reason": "The stake of wager 0041-2 was read wrongly.", "by": SUPERVISOR},
}


def example_line(
    kind: str, *, table: str = "sb-03", sequence: int = 42, at: str = _time_on_day("20:42:21.500")
) -> dict[str, Any]:
    return {"kind": kind, "table": table, "sequence": sequence, "at": at, "body": BODIES[kind]}


def example_bytes(kind: str, **envelope: Any) -> bytes:
    return json.dumps(example_line(kind, **envelope), separators=(",", ":")).encode()
