"""What is said of one wager: its own words, and those of its round that speak of nobody else.

Every commitment was made by this and is worked out again by it: what it gives for a line must never change.
"""

from typing import Any

import msgspec

# Sorted members, no white space: one way to write it down.
ENCODER = msgspec.json.Encoder(order="sorted")
# Of the round, as its line has them. Limits of single players, staff and displays are nobody's business here.
OF_THE_ROUND = ("round", "gaming_day", "dice", "cards", "limits", "streak_amount")
# Of these, the members that name no person.
OF_ITS_PARTS = {
    "called": ("faces", "total"),
    "entered": ("faces",),
    "no_result": ("reason", "at", "grounds"),
}
OF_AN_EVENT = ("name", "at", "count")
# That losers were collected or winners paid would tell whose wager was not the only one.
EVENTS = frozenset({
    "bets-open", "tumbled", "no-more-bets-called", "no-more-bets-signalled", "no-more-bets-pressed",
    "no-more-bets-displayed", "bell-rung", "uncovered", "drawn", "result-called", "result-entered",
})  # fmt: skip


def statements(line: bytes) -> list[tuple[str, bytes]]:
    """Each wager's id and what is said of it, in the order of the line; none where that cannot be read as a round."""
    try:
        read = msgspec.json.decode(line)
        said = read["body"]
        of_round = {name: read[name] for name in ("table", "at") if name in read} | _round(said)
        wagers = [(_name(wager), ENCODER.encode(wager)) for wager in said["wagers"]]
        before = b'{"round":%b,"wager":' % ENCODER.encode(of_round)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, KeyError, TypeError, AttributeError):
        return []
    return [(name, b"%b%b}" % (before, wager)) for name, wager in wagers]


def _name(wager: Any) -> str:
    name = wager["id"]
    if not isinstance(wager, dict) or not isinstance(name, str):
        raise TypeError
    return name


def _round(said: dict[str, Any]) -> dict[str, Any]:
    found = {name: said[name] for name in OF_THE_ROUND if name in said}
    for part, names in OF_ITS_PARTS.items():
        if said.get(part) is not None:
            found[part] = _only(said[part], names)
    found["events"] = [_only(event, OF_AN_EVENT) for event in said.get("events", ()) if event["name"] in EVENTS]
    return found


def _only(part: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: part[name] for name in names if name in part}
