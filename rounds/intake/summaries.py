"""Summaries of lines for people: limits, results, and the functions that summarize whole lines by kind."""

from collections.abc import Mapping
from typing import Any

from rounds.engine import bets
from rounds.ledger import entry_kinds as ledger_kinds
from rounds.rulebook.labels import humanize_slug, void_reason_label

Body = Mapping[str, Any]

EVENT_LABELS = {
    "bets-open": "Bets open",
    "tumbled": "Dice tumbled",
    "no-more-bets-called": "“No more bets” called",
    "no-more-bets-signalled": "“No more bets” signalled",
    "no-more-bets-pressed": "“No more bets” pressed",
    "no-more-bets-displayed": "“No more bets” displayed",
    "bell-rung": "Bell rung",
    "uncovered": "Uncovered",
    "drawn": "Cards drawn",
    "result-called": "Result called",
    "result-entered": "Result entered",
    "areas-lit": "Winning areas lit",
    "losers-collected": "Losers collected",
    "winners-paid": "Winners paid",
    "lights-cleared": "Lights cleared",
    "covered-again": "Covered again",
}
SIGN_LABELS = {
    "limits": "Limits",
    "limit-change": "Change of limits",
    "closure": "Closing of the table",
    "streak-final-call": "Super Streak final call",
    "streak-amount": "Super Streak amount",
    "player-limits": "Limits of one player",
}

# Summary of what was done about a player.
CONDUCT = "{grounds:Words}: {player}"


def format_limits(limits: Body) -> str:
    boxes = len(limits.get("by_bet") or ())
    own = f", other limits on {boxes} box{'' if boxes == 1 else 'es'}" if boxes else ""
    return f"{ledger_kinds.format_money(limits['min'])} to {ledger_kinds.format_money(limits['max'])}{own}"


def format_posted_odds(body: Body) -> str:
    """Such as 2 boxes, on the layout. A brochure may have wording and no odds."""
    boxes = len(body["odds"])
    said = f"{boxes} box{'' if boxes == 1 else 'es'}" if boxes else "Wording only"
    return f"{said}, on the {body.get('where', 'layout')}"


def format_result(faces: Any, no_result: str = "") -> str:
    """Such as 4-2-4, total 10: independent of the table's rules."""
    if no_result:
        return f"No result: {void_reason_label(no_result).lower()}"
    if not is_faces(faces):
        return "Result not stated"
    triple = ", a triple" if len(set(faces)) == 1 else ""
    return f"{'-'.join(map(str, faces))}, total {sum(faces)}{triple}"


def is_faces(faces: Any) -> bool:
    return isinstance(faces, list | tuple) and len(faces) == 3 and all(face in bets.FACES for face in faces)


def player_or_seat(body: Body) -> str:
    return str(body["player"]) if body.get("player") else f"seat {body['seat']}"


def summarize_round(body: Body) -> str:
    reason = (body.get("no_result") or {}).get("reason", "")
    wagers = body.get("wagers", ())
    number = "no wagers" if not wagers else "1 wager" if len(wagers) == 1 else f"{len(wagers)} wagers"
    return f"{body['round']}: {format_result(body.get('dice') or body.get('cards'), reason)}; {number}"


def summarize_closing(body: Body) -> str:
    present = "Players were present" if body["players_present"] else "No players were present"
    return present + ("; a Super Streak game was in progress" if body.get("streak_in_progress") else "")


def summarize_sign(body: Body) -> str:
    amounts = f", {format_limits(body)}" if "min" in body and "max" in body else ""
    return f"{SIGN_LABELS.get(body['purpose'], body['purpose'])}{amounts} ({body['sign']})"


def summarize_inspection(body: Body) -> str:
    outcome = "worked" if body["passed"] else "did not work"
    often = "once" if body["trials"] == 1 else f"{body['trials']} times"
    return f"{humanize_slug(body['item'])}, {humanize_slug(body['occasion']).lower()}: tried {often}, {outcome}"


def summarize_streaks(body: Body) -> str:
    return "; ".join(f"{each.get('side') or each['pair']} {each['length']} in a row" for each in body["streaks"])


def summarize_issued_chips(body: Body) -> str:
    return f"{body['chips']} {body['colour']} at {ledger_kinds.format_money(body['value'])} to {player_or_seat(body)}"


def summarize_redeemed_chips(body: Body) -> str:
    return (
        f"{body['chips']} {body['colour']} from {player_or_seat(body)}, {ledger_kinds.format_money(body['paid'])} paid"
    )


def summarize_refused_line(body: Body) -> str:
    number = f"its number {body['sequence']}" if body.get("sequence") is not None else "of no readable number"
    return f"From {body['controller']}, {number}: {humanize_slug(body['code']).lower()}"
