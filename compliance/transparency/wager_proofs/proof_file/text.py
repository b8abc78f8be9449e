"""A proof in words: what is proved about the wager, and what the service states in addition."""

from datetime import datetime
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from compliance.core.web.local_time import format_local
from compliance.transparency.wager_proofs.offline.verify_wager import WagerProof
from compliance.transparency.wager_proofs.proof_file.service_statement import LaterStatement
from rounds.engine import position_at_cut_off
from rounds.engine.money import format_cents
from rounds.intake.protocol.round import Wager
from rounds.intake.round_view import TENDER_LABELS, VERDICT_TAGS, holder_text
from rounds.rulebook.labels import VOID_REASON_LABELS, bet_label, humanize_slug

MAX_LISTED_CHANGES = 4
Row = tuple[str, str]


class ProofText(NamedTuple):
    """`proved` follows from the signed log.

    `stated` and the names of casino and table are statements of the service, and so is `void`: that the round is void
    now, which what its table reported does not say.
    """

    place: str
    faces: list[int]
    are_cards: bool
    proved: list[Row]
    stated: list[Row]
    is_taken_back: bool
    void: str = ""


def describe_proof(content: bytes, now: LaterStatement) -> ProofText:
    """The proof as it was made, with what was decided since."""
    proof = WagerProof(content)
    played, stated = proof.says["round"], proof.parts["stated"]
    wager = msgspec.convert(proof.says["wager"], Wager)
    faces = played.get("dice") or played.get("cards") or []
    return ProofText(
        place=f"{stated['table']}, {stated['casino']}",
        faces=faces,
        are_cards=bool(played.get("cards")),
        proved=[
            ("Table", f"{played['table']}, in the log {proof.parts['log']}"),
            *_round_rows(played, stated),
            *_wager_rows(wager, stated),
        ],
        stated=[*_service_statement_rows(stated), *_later_rows(now)],
        is_taken_back=stated["taken_back_by"] is not None,
        void=now.void,
    )


def _round_rows(played: dict[str, Any], stated: dict[str, Any]) -> list[Row]:
    rows = [
        ("Round", played["round"]),
        ("Reported", _format_local_time(played["at"], stated)),
    ]
    if played.get("no_result"):
        reason = played["no_result"]["reason"]
        rows.append(("No result", VOID_REASON_LABELS.get(reason, humanize_slug(reason))))
    elif faces := played.get("dice") or played.get("cards"):
        rows.append(("Result", f"{'-'.join(map(str, faces))}, total {sum(faces)}"))
    return rows


def _wager_rows(wager: Wager, stated: dict[str, Any]) -> list[Row]:
    position = position_at_cut_off(wager, None)
    later_cents = (stated["settlement"]["returned_cents"] or 0) - (wager.returned or 0)
    return [
        ("Wager", f"{wager.id}, {holder_text(wager)}"),
        ("On", bet_label(position.bet)),
        ("Stake", f"{format_dollars(position.stake_cents, stated)}, {TENDER_LABELS[wager.tender].lower()}"),
        ("Placed", _format_local_time(wager.placed_at, stated)),
        *_change_rows(wager, stated),
        ("At the table", VERDICT_TAGS[wager.verdict].label),
        ("Returned", format_dollars(wager.returned, stated)),
        *([("Paid since", format_dollars(later_cents, stated))] if later_cents > 0 else []),
    ]


def _change_rows(wager: Wager, stated: dict[str, Any]) -> list[Row]:
    """Limited, so that a wager that was changed many times still fits on one sheet."""
    rows = [(each.what.capitalize(), _format_local_time(each.at, stated)) for each in wager.changes]
    return rows if len(rows) <= MAX_LISTED_CHANGES else [("Changed", f"{len(rows)} times, last {rows[-1][1]}")]


def _service_statement_rows(stated: dict[str, Any]) -> list[Row]:
    settled, finding = stated["settlement"], stated["finding"]
    due = format_dollars(settled["due_cents"], stated) if settled["due_cents"] is not None else "No amount"
    clause = f"Clause {settled['clause']}, " if settled["clause"] else ""
    named = f"{finding['code']}: " if finding["code"] else ""
    rows = [
        ("The rules give", f"{due}. {settled['says']}{'' if settled['says'].endswith('.') else '.'}"),
        ("By", f"{clause}{settled['rules']}" if settled["rules"] else ""),
        ("The audit", f"{named}{finding['says']}"),
    ]
    if stated["taken_back_by"] is not None:
        rows.append(("Taken back", f"Entry {stated['taken_back_by']} of the log took the record of this round back."))
    return [row for row in rows if row[1]]


def _later_rows(now: LaterStatement) -> list[Row]:
    rows = [("Decided about the round", now.void), ("Decided about the finding", now.decided)]
    return [row for row in rows if row[1]]


def format_dollars(cents: int | None, stated: dict[str, Any]) -> str:
    return format_cents(cents, stated["currency"] or "", "Nothing yet")


def _format_local_time(at: str | datetime, stated: dict[str, Any]) -> str:
    return format_timestamp(at, ZoneInfo(stated["time_zone"]))


def format_timestamp(at: str | datetime, place: Any) -> str:
    instant = msgspec.convert(at, datetime) if isinstance(at, str) else at
    return format_local(instant, place)
