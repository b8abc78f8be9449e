"""What a leaf states about one wager: its own members, and those of its round that reveal nothing about other people.

Every commitment is recomputed with this code, so its output for a line must never change.
"""

from typing import Any

import msgspec

# Sorted members, no white space: one encoding only.
ENCODER = msgspec.json.Encoder(order="sorted")
# Members of the round that are disclosed. Limits of single players, staff and displays are not.
ROUND_MEMBERS = ("round", "gaming_day", "dice", "cards", "limits", "streak_amount")
# For nested objects, the members that identify no person.
ROUND_PART_MEMBERS = {
    "called": ("faces", "total"),
    "entered": ("faces",),
    "no_result": ("reason", "at", "grounds"),
}
EVENT_MEMBERS = ("name", "at", "count")
# "losers-collected" and "winners-paid" are left out: they would reveal that there were other wagers.
DISCLOSED_EVENTS = frozenset({
    "bets-open", "tumbled", "no-more-bets-called", "no-more-bets-signalled", "no-more-bets-pressed",
    "no-more-bets-displayed", "bell-rung", "uncovered", "drawn", "result-called", "result-entered",
})  # fmt: skip


def wager_statements(line: bytes) -> list[tuple[str, bytes]]:
    """Each wager's id and statement, in the order of the line; empty if the line cannot be read as a round."""
    try:
        parsed = msgspec.json.decode(line)
        body = parsed["body"]
        of_round = {name: parsed[name] for name in ("table", "at") if name in parsed} | _disclosed_round(body)
        wagers = [(_wager_id(wager), ENCODER.encode(wager)) for wager in body["wagers"]]
        before = b'{"round":%b,"wager":' % ENCODER.encode(of_round)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, KeyError, TypeError, AttributeError):
        return []
    return [(name, b"%b%b}" % (before, wager)) for name, wager in wagers]


def _wager_id(wager: Any) -> str:
    name = wager["id"]
    if not isinstance(wager, dict) or not isinstance(name, str):
        raise TypeError
    return name


def _disclosed_round(body: dict[str, Any]) -> dict[str, Any]:
    disclosed = {name: body[name] for name in ROUND_MEMBERS if name in body}
    for part, names in ROUND_PART_MEMBERS.items():
        if body.get(part) is not None:
            disclosed[part] = _pick_members(body[part], names)
    disclosed["events"] = [
        _pick_members(event, EVENT_MEMBERS) for event in body.get("events", ()) if event["name"] in DISCLOSED_EVENTS
    ]
    return disclosed


def _pick_members(part: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: part[name] for name in names if name in part}
