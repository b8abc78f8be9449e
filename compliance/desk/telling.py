"""Any entry of a log in the words of a gaming floor: what happened, in one line, and the particulars in another.

An entry of a kind that has no words of its own here is told by what its kind means.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from compliance.web.components import Tag
from compliance.web.forms import dollars
from rounds.engine.outcomes import FACES
from rounds.ledger.errors import EntryError
from rounds.ledger.following import Recorded
from rounds.ledger.kinds import every_kind
from rounds.rulebook.calculator.words import VOID_REASONS, plain

Body = Mapping[str, Any]

# How a sign or a closing is known that no controller reported.
SAID = {"person": "{}", "display": "display {}", "controller": "the table’s controller"}
POSITIONS = {
    "dealer": "Dealer",
    "games-supervisor": "Games supervisor",
    "casino-supervisor": "Casino supervisor",
    "shift-manager": "Shift manager",
    "inspector": "Inspector",
    "authority-officer": "Authority officer",
}


@dataclass(frozen=True)
class Telling:
    """`at` is when it happened by the table's own clock; where nobody says, when it was recorded."""

    title: str
    detail: str
    at: datetime
    by: str = ""
    tag: Tag | None = None


def tell(entry: Recorded) -> Telling:
    try:
        content = entry.content()
    except EntryError:
        return Telling("An entry that can no longer be read", "", entry.recorded_at, tag=Tag("Unreadable", "danger"))
    body = content.get("body")
    said = body if isinstance(body, dict) else content
    title = KIND_WORDS.get(entry.kind) or _meaning(entry.kind)
    return Telling(
        title=title,
        detail=_detail(entry.kind, said),
        at=_instant(content.get("at")) or entry.recorded_at,
        by=_origin(content.get("origin")) or who(said.get("by")),
        tag=TAGS.get(entry.kind),
    )


def _meaning(kind: str) -> str:
    known = {each.name: each.meaning for each in every_kind()}
    return known.get(kind, kind).rstrip(".")


def _detail(kind: str, said: Body) -> str:
    """Bodies were checked when they came in; what other versions of the service wrote may still differ."""
    words = DETAILS.get(kind)
    if words is None:
        return ""
    try:
        return words(said)
    except (KeyError, TypeError, ValueError, AttributeError):
        return ""


def _instant(text: Any) -> datetime | None:
    try:
        return msgspec.convert(text, datetime) if isinstance(text, str) else None
    except msgspec.ValidationError:
        return None


def who(by: Any) -> str:
    """A person's name, or a position of the house with its staff number."""
    if isinstance(by, str):
        return by
    if not isinstance(by, dict):
        return ""
    if "position" in by:
        number = f" {by['number']}" if by.get("number") else ""
        return f"{POSITIONS.get(by['position'], str(by['position']))}{number}"
    return str(by.get("name", ""))


def _origin(origin: Any) -> str:
    if not isinstance(origin, dict):
        return ""
    if origin.get("how") == "person":
        return who(origin.get("by"))
    if origin.get("how") == "paper":
        return f"entered from paper by {who(origin.get('entered_by'))}, confirmed by {who(origin.get('confirmed_by'))}"
    if origin.get("how") in SAID:
        return SAID[origin["how"]].format(who(origin.get("by")) or origin.get("display", ""))
    return f"imported from {origin.get('file', 'a file')} by {who(origin.get('by'))}"


def money(cents: Any) -> str:
    return f"${dollars(cents)}" if type(cents) is int else "an amount not stated"


def limits_words(limits: Body) -> str:
    return f"{money(limits['min'])} to {money(limits['max'])}"


def result_words(faces: Any, no_result: str = "") -> str:
    """4-2-4, total 10: the same at every table. What it makes of a wager is for the rules to say."""
    if no_result:
        return f"No result: {VOID_REASONS.get(no_result, plain(no_result)).lower()}"
    if not is_faces(faces):
        return "Result not stated"
    triple = ", a triple" if len(set(faces)) == 1 else ""
    return f"{'-'.join(map(str, faces))}, total {sum(faces)}{triple}"


def is_faces(faces: Any) -> bool:
    return isinstance(faces, list | tuple) and len(faces) == 3 and all(face in FACES for face in faces)


def _round(said: Body) -> str:
    reason = (said.get("no_result") or {}).get("reason", "")
    wagers = said.get("wagers", ())
    number = "no wagers" if not wagers else "1 wager" if len(wagers) == 1 else f"{len(wagers)} wagers"
    return f"{said['round']}: {result_words(said.get('dice') or said.get('cards'), reason)}; {number}"


def _closed(said: Body) -> str:
    present = "Players were present" if said["players_present"] else "No players were present"
    return present + ("; a Super Streak game was in progress" if said.get("streak_in_progress") else "")


def _sign(said: Body) -> str:
    amounts = f", {limits_words(said)}" if "min" in said and "max" in said else ""
    return f"{SIGNS.get(said['purpose'], said['purpose'])}{amounts} ({said['sign']})"


def _fault(said: Body) -> str:
    note = f": {said['note']}" if said.get("note") else ""
    return f"{plain(said['equipment'])} {plain(said['effect']).lower()} ({said['fault']}){note}"


def _inspection(said: Body) -> str:
    outcome = "worked" if said["passed"] else "did not work"
    often = "once" if said["trials"] == 1 else f"{said['trials']} times"
    return f"{plain(said['item'])}, {plain(said['occasion']).lower()}: tried {often}, {outcome}"


def _holder(said: Body) -> str:
    return str(said["player"]) if said.get("player") else f"seat {said['seat']}"


def _streaks(said: Body) -> str:
    return "; ".join(f"{each.get('side') or each['pair']} {each['length']} in a row" for each in said["streaks"])


def _terminals(said: Body) -> str:
    return ", ".join(said["terminals"])


def _numbered_line(said: Body) -> str:
    number = f"its number {said['sequence']}" if said.get("sequence") is not None else "of no readable number"
    return f"From {said['controller']}, {number}: {plain(said['code']).lower()}"


SIGNS = {
    "limits": "Limits",
    "limit-change": "Change of limits",
    "closure": "Closing of the table",
    "streak-final-call": "Super Streak final call",
    "streak-amount": "Super Streak amount",
    "player-limits": "Limits of one player",
}
KIND_WORDS = {
    "round": "Round",
    "table-opened": "Table opened",
    "table-closed": "Table closed",
    "sign-shown": "Sign went up",
    "sign-removed": "Sign came down",
    "limits-changed": "Limits changed",
    "posted-odds-shown": "Odds posted",
    "fault": "Fault",
    "fault-cleared": "Fault mended",
    "dice-placed": "Dice put to use",
    "dice-removed": "Dice taken away",
    "shaker-placed": "Shaker put to use",
    "shaker-removed": "Shaker taken away",
    "inspection": "Equipment tried",
    "shoe-changed": "Shoe changed",
    "deck-count": "Cards counted",
    "foreign-card": "Foreign card found",
    "terminal-interrupted": "Terminals lost play",
    "terminal-restored": "Terminals take part again",
    "streak-state": "Streaks on the screen",
    "chips-issued": "Chips issued",
    "chips-redeemed": "Chips handed back",
    "voucher-exchanged": "Voucher exchanged",
    "controller-correction": "Controller corrected itself",
    "feed-quarantined": "Line refused, kept in quarantine",
    "feed-conflict": "Number used again for other bytes",
    "feed-signature": "Signature refused",
    "feed-unknown-key": "Unknown key refused",
    "feed-silent": "Feed fell silent",
    "feed-returned": "Feed came back",
    "quarantine-dealt-with": "Refused line looked into",
    "table-added": "Table added",
    "table-retired": "Table retired",
    "terminal-added": "Terminal added",
    "terminal-retired": "Terminal retired",
    "controller-table-given": "Controller may speak for the table",
    "controller-table-ended": "Controller may no longer speak for the table",
    "table-facts": "Fact stated",
    "correction": "Entry taken back",
    "alert-raised": "Somebody must be told",
    "alert-sent": "Told by e-mail",
    "alert-failed": "An alert was not delivered",
    "alert-escalated": "An alert was escalated",
    "alert-acknowledged": "An alert was acknowledged",
    "return-to-play": "Returned to play",
    "void-set": "Rounds void for damaged dice",
    "stakes-returned": "Stakes handed back",
    "wager-refusal": "Wager refused",
    "wagers-voided": "Wagers declared void",
    "exclusion": "Person excluded",
    "invalidation": "Outcome invalidated",
    "wager-touched": "Wagers touched",
    "partnership": "Betting in partnership",
    "idle-player": "Player asked to leave",
    "sign-display-added": "Display set up",
    "sign-display-ended": "Display ended",
    "limit-notice": "Change of limits announced",
    "limit-notice-in-force": "Announced limits in force",
    "limit-notice-withdrawn": "Change of limits withdrawn",
    "limit-notice-lapsed": "Change of limits lapsed",
    "player-limit": "Limits for one player",
    "player-limit-ended": "Limits for one player ended",
    "under-minimum-warning": "Warning about wagers under the minimum",
    "closure": "Closing announced",
    "closure-step": "Closing: what became of it",
}
TAGS = {
    "fault": Tag("Failing", "danger"),
    "alert-failed": Tag("Not delivered", "danger"),
    "alert-escalated": Tag("Escalated", "warning"),
    "void-set": Tag("Void", "danger"),
    "feed-silent": Tag("Silent", "danger"),
    "feed-conflict": Tag("Conflict", "danger"),
    "feed-signature": Tag("Refused", "danger"),
    "feed-unknown-key": Tag("Refused", "danger"),
    "feed-quarantined": Tag("Refused", "warning"),
    "foreign-card": Tag("Foreign", "warning"),
    "terminal-interrupted": Tag("Interrupted", "warning"),
    "limit-notice-lapsed": Tag("Lapsed", "warning"),
    "controller-correction": Tag("Corrected", "warning"),
    "correction": Tag("Corrected", "warning"),
}
DETAILS: Mapping[str, Callable[[Body], str]] = {
    "round": _round,
    "table-opened": lambda said: f"Limits {limits_words(said['limits'])}" if said.get("limits") else "",
    "table-closed": _closed,
    "sign-shown": _sign,
    "sign-removed": lambda said: f"{said['sign']}, its screen was lost" if said.get("lost") else said["sign"],
    "limits-changed": lambda said: limits_words(said["limits"]),
    "posted-odds-shown": lambda said: f"{len(said['odds'])} boxes, on the {said.get('where', 'layout')}",
    "fault": _fault,
    "fault-cleared": lambda said: f"{said['fault']}: {said['note']}" if said.get("note") else said["fault"],
    "dice-placed": lambda said: f"{said['dice']}{', sealed' if said.get('sealed') else ''}",
    "dice-removed": lambda said: f"{said['dice']}: {plain(said.get('reason', 'other')).lower()}",
    "shaker-placed": lambda said: f"{said['shaker']}, {said['type']}",
    "shaker-removed": lambda said: f"{said['shaker']}, {said['type']}",
    "inspection": _inspection,
    "shoe-changed": lambda said: f"{said['shoe']}, {said['decks']} decks",
    "deck-count": lambda said: f"{said['shoe']}: {said['cards']} cards, {said.get('foreign', 0)} foreign",
    "foreign-card": lambda said: f"{said['shoe']}{': ' + said['note'] if said.get('note') else ''}",
    "terminal-interrupted": _terminals,
    "terminal-restored": _terminals,
    "streak-state": _streaks,
    "chips-issued": lambda said: f"{said['chips']} {said['colour']} at {money(said['value'])} to {_holder(said)}",
    "chips-redeemed": lambda said: f"{said['chips']} {said['colour']} from {_holder(said)}, {money(said['paid'])} paid",
    "voucher-exchanged": lambda said: (
        f"{said['voucher']}, {money(said['value'])}, for {money(said['tokens'])} in tokens"
    ),
    "controller-correction": lambda said: f"Its number {said['corrects']} was wrong: {said['reason']}",
    "correction": lambda said: f"Entry {said['corrects']}: {said['reason']}",
    "feed-quarantined": _numbered_line,
    "feed-conflict": _numbered_line,
    "feed-silent": lambda said: f"{said['controller']}, last number {said['last_sequence']}",
    "feed-returned": lambda said: str(said["controller"]),
    "quarantine-dealt-with": lambda said: str(said["note"]),
    "table-added": lambda said: str(said["name"]),
    "terminal-added": lambda said: str(said["terminal"]),
    "terminal-retired": lambda said: str(said["terminal"]),
    "controller-table-given": lambda said: str(said["controller"]),
    "controller-table-ended": lambda said: str(said["controller"]),
    "table-facts": lambda said: plain(said["name"]),
    "alert-raised": lambda said: str(said["statement"]),
    "alert-escalated": lambda said: str(said.get("detail") or ""),
    "alert-failed": lambda said: str(said.get("detail") or ""),
    "return-to-play": lambda said: str(said["note"]),
    "stakes-returned": lambda said: f"{len(said['returned'])} wagers, {said['how']}",
    "void-set": lambda said: f"{len(said['rounds'])} rounds, dice {said['dice_set']}: {said['reason']}",
    "sign-display-added": lambda said: str(said["display"]),
    "sign-display-ended": lambda said: str(said["display"]),
    "limit-notice": lambda said: limits_words(said["limits"]),
    "limit-notice-withdrawn": lambda said: str(said["reason"]),
    "limit-notice-lapsed": lambda said: str(said["reason"]),
    "player-limit": lambda said: f"{_holder(said)}, {limits_words(said)}",
    "under-minimum-warning": _holder,
    "closure": lambda said: f"{'In an emergency: ' if said['emergency'] else ''}{said['reason']}",
    "closure-step": lambda said: f"{plain(said['state'])}{': ' + said['reason'] if said['reason'] else ''}",
}
