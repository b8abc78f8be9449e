"""Any log entry as text: the label and summary of its kind, when it happened, and by whom."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from compliance.core.web.ui.components import Tag
from rounds.ledger import EntryError, LogEntry
from rounds.ledger import entry_kinds as ledger_kinds

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
    kind = ledger_kinds.find_kind(entry.kind)
    return EntryText(
        title=kind.label if kind else entry.kind,
        detail=kind.summarize(content) if kind else "",
        at=_parse_time(content.get("at")) or entry.recorded_at,
        by=_format_origin(content.get("origin")) or format_person(details.get("by")),
        tag=kind.tag if kind else None,
    )


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
