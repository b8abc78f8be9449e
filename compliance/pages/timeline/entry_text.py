"""Any log entry as text: a title and one line of details. A kind without an own label is described by its meaning."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from compliance.core.web.ui.components import Tag
from compliance.core.web.ui.forms import dollars
from rounds.engine import bets
from rounds.ledger import EntryError, LogEntry, writing
from rounds.rulebook.labels import VOID_REASON_LABELS, humanize_slug

Body = Mapping[str, Any]

# Labels for where a sign or closing is known from.
ORIGIN_LABELS = {"person": "{}", "display": "display {}", "controller": "the table’s controller"}
POSITION_LABELS = {
    "dealer": "Dealer",
    "games-supervisor": "Games supervisor",
    "casino-supervisor": "Casino supervisor",
    "shift-manager": "Shift manager",
    "inspector": "Inspector",
    "authority-officer": "Authority officer",
}


@dataclass(frozen=True)
class EntryText:
    """`at` is when it happened by the table's clock; if the entry does not say, when it was recorded."""

    title: str
    detail: str
    at: datetime
    by: str = ""
    tag: Tag | None = None


def describe_entry(entry: LogEntry) -> EntryText:
    try:
        content = entry.content()
    except EntryError:
        return EntryText("An entry that can no longer be read", "", entry.recorded_at, tag=Tag("Unreadable", "danger"))
    body = content.get("body")
    details = body if isinstance(body, dict) else content
    title = KIND_LABELS.get(entry.kind) or _kind_meaning(entry.kind)
    return EntryText(
        title=title,
        detail=_describe_body(entry.kind, details),
        at=_parse_time(content.get("at")) or entry.recorded_at,
        by=_format_origin(content.get("origin")) or format_person(details.get("by")),
        tag=TAGS.get(entry.kind),
    )


def _kind_meaning(kind: str) -> str:
    known = {each.name: each.meaning for each in writing.registered_kinds()}
    return known.get(kind, kind).rstrip(".")


def _describe_body(kind: str, body: Body) -> str:
    """Empty if the body is malformed: intake checked it, but other versions of the service may have written it
    differently."""
    words = DETAILS.get(kind)
    if words is None:
        return ""
    try:
        return words(body)
    except (KeyError, TypeError, ValueError, AttributeError):
        return ""


def _parse_time(text: Any) -> datetime | None:
    try:
        return msgspec.convert(text, datetime) if isinstance(text, str) else None
    except msgspec.ValidationError:
        return None


def format_person(by: Any) -> str:
    """A person's name, or a staff position with its number."""
    if isinstance(by, str):
        return by
    if not isinstance(by, dict):
        return ""
    if "position" in by:
        number = f" {by['number']}" if by.get("number") else ""
        return f"{POSITION_LABELS.get(by['position'], str(by['position']))}{number}"
    return str(by.get("name", ""))


def _format_origin(origin: Any) -> str:
    if not isinstance(origin, dict):
        return ""
    if origin.get("how") == "person":
        return format_person(origin.get("by"))
    if origin.get("how") == "paper":
        confirmer = format_person(origin.get("confirmed_by"))
        return f"entered from paper by {format_person(origin.get('entered_by'))}, confirmed by {confirmer}"
    if origin.get("how") in ORIGIN_LABELS:
        return ORIGIN_LABELS[origin["how"]].format(format_person(origin.get("by")) or origin.get("display", ""))
    return f"imported from {origin.get('file', 'a file')} by {format_person(origin.get('by'))}"


def format_money(cents: Any) -> str:
    return f"${dollars(cents)}" if type(cents) is int else "an amount not stated"


def format_limits(limits: Body) -> str:
    return f"{format_money(limits['min'])} to {format_money(limits['max'])}"


def format_result(faces: Any, no_result: str = "") -> str:
    """Such as 4-2-4, total 10: independent of the table's rules."""
    if no_result:
        return f"No result: {VOID_REASON_LABELS.get(no_result, humanize_slug(no_result)).lower()}"
    if not is_faces(faces):
        return "Result not stated"
    triple = ", a triple" if len(set(faces)) == 1 else ""
    return f"{'-'.join(map(str, faces))}, total {sum(faces)}{triple}"


def is_faces(faces: Any) -> bool:
    return isinstance(faces, list | tuple) and len(faces) == 3 and all(face in bets.FACES for face in faces)


def _round_detail(body: Body) -> str:
    reason = (body.get("no_result") or {}).get("reason", "")
    wagers = body.get("wagers", ())
    number = "no wagers" if not wagers else "1 wager" if len(wagers) == 1 else f"{len(wagers)} wagers"
    return f"{body['round']}: {format_result(body.get('dice') or body.get('cards'), reason)}; {number}"


def _closing_detail(body: Body) -> str:
    present = "Players were present" if body["players_present"] else "No players were present"
    return present + ("; a Super Streak game was in progress" if body.get("streak_in_progress") else "")


def _sign_detail(body: Body) -> str:
    amounts = f", {format_limits(body)}" if "min" in body and "max" in body else ""
    return f"{SIGN_LABELS.get(body['purpose'], body['purpose'])}{amounts} ({body['sign']})"


def _fault_detail(body: Body) -> str:
    note = f": {body['note']}" if body.get("note") else ""
    return f"{humanize_slug(body['equipment'])} {humanize_slug(body['effect']).lower()} ({body['fault']}){note}"


def _inspection_detail(body: Body) -> str:
    outcome = "worked" if body["passed"] else "did not work"
    often = "once" if body["trials"] == 1 else f"{body['trials']} times"
    return f"{humanize_slug(body['item'])}, {humanize_slug(body['occasion']).lower()}: tried {often}, {outcome}"


def _player_or_seat(body: Body) -> str:
    return str(body["player"]) if body.get("player") else f"seat {body['seat']}"


def _streaks_detail(body: Body) -> str:
    return "; ".join(f"{each.get('side') or each['pair']} {each['length']} in a row" for each in body["streaks"])


def _terminals_detail(body: Body) -> str:
    return ", ".join(body["terminals"])


def _refused_line_detail(body: Body) -> str:
    number = f"its number {body['sequence']}" if body.get("sequence") is not None else "of no readable number"
    return f"From {body['controller']}, {number}: {humanize_slug(body['code']).lower()}"


SIGN_LABELS = {
    "limits": "Limits",
    "limit-change": "Change of limits",
    "closure": "Closing of the table",
    "streak-final-call": "Super Streak final call",
    "streak-amount": "Super Streak amount",
    "player-limits": "Limits of one player",
}
KIND_LABELS = {
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
    "round": _round_detail,
    "table-opened": lambda body: f"Limits {format_limits(body['limits'])}" if body.get("limits") else "",
    "table-closed": _closing_detail,
    "sign-shown": _sign_detail,
    "sign-removed": lambda body: f"{body['sign']}, its screen was lost" if body.get("lost") else body["sign"],
    "limits-changed": lambda body: format_limits(body["limits"]),
    "posted-odds-shown": lambda body: f"{len(body['odds'])} boxes, on the {body.get('where', 'layout')}",
    "fault": _fault_detail,
    "fault-cleared": lambda body: f"{body['fault']}: {body['note']}" if body.get("note") else body["fault"],
    "dice-placed": lambda body: f"{body['dice']}{', sealed' if body.get('sealed') else ''}",
    "dice-removed": lambda body: f"{body['dice']}: {humanize_slug(body.get('reason', 'other')).lower()}",
    "shaker-placed": lambda body: f"{body['shaker']}, {body['type']}",
    "shaker-removed": lambda body: f"{body['shaker']}, {body['type']}",
    "inspection": _inspection_detail,
    "shoe-changed": lambda body: f"{body['shoe']}, {body['decks']} decks",
    "deck-count": lambda body: f"{body['shoe']}: {body['cards']} cards, {body.get('foreign', 0)} foreign",
    "foreign-card": lambda body: f"{body['shoe']}{': ' + body['note'] if body.get('note') else ''}",
    "terminal-interrupted": _terminals_detail,
    "terminal-restored": _terminals_detail,
    "streak-state": _streaks_detail,
    "chips-issued": lambda body: (
        f"{body['chips']} {body['colour']} at {format_money(body['value'])} to {_player_or_seat(body)}"
    ),
    "chips-redeemed": lambda body: (
        f"{body['chips']} {body['colour']} from {_player_or_seat(body)}, {format_money(body['paid'])} paid"
    ),
    "voucher-exchanged": lambda body: (
        f"{body['voucher']}, {format_money(body['value'])}, for {format_money(body['tokens'])} in tokens"
    ),
    "controller-correction": lambda body: f"Its number {body['corrects']} was wrong: {body['reason']}",
    "correction": lambda body: f"Entry {body['corrects']}: {body['reason']}",
    "feed-quarantined": _refused_line_detail,
    "feed-conflict": _refused_line_detail,
    "feed-silent": lambda body: f"{body['controller']}, last number {body['last_sequence']}",
    "feed-returned": lambda body: str(body["controller"]),
    "quarantine-dealt-with": lambda body: str(body["note"]),
    "table-added": lambda body: str(body["name"]),
    "terminal-added": lambda body: str(body["terminal"]),
    "terminal-retired": lambda body: str(body["terminal"]),
    "controller-table-given": lambda body: str(body["controller"]),
    "controller-table-ended": lambda body: str(body["controller"]),
    "table-facts": lambda body: humanize_slug(body["name"]),
    "alert-raised": lambda body: str(body["statement"]),
    "alert-escalated": lambda body: str(body.get("detail") or ""),
    "alert-failed": lambda body: str(body.get("detail") or ""),
    "return-to-play": lambda body: str(body["note"]),
    "stakes-returned": lambda body: f"{len(body['returned'])} wagers, {body['how']}",
    "void-set": lambda body: f"{len(body['rounds'])} rounds, dice {body['dice_set']}: {body['reason']}",
    "sign-display-added": lambda body: str(body["display"]),
    "sign-display-ended": lambda body: str(body["display"]),
    "limit-notice": lambda body: format_limits(body["limits"]),
    "limit-notice-withdrawn": lambda body: str(body["reason"]),
    "limit-notice-lapsed": lambda body: str(body["reason"]),
    "player-limit": lambda body: f"{_player_or_seat(body)}, {format_limits(body)}",
    "under-minimum-warning": _player_or_seat,
    "closure": lambda body: f"{'In an emergency: ' if body['emergency'] else ''}{body['reason']}",
    "closure-step": lambda body: f"{humanize_slug(body['state'])}{': ' + body['reason'] if body['reason'] else ''}",
}
