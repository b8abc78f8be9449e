"""Payloads: an entry as a small JSON object in the ledger's canonical form. No patron's data, no names, and no text
but the finding's sentence: receivers open the page for more."""

from datetime import datetime
from typing import Any

from compliance.core.web.mail.render import site_base_url
from compliance.core.web.ui.links import casino_url
from compliance.notify.webhooks.models import Endpoint
from compliance.notify.webhooks.states import Event
from rounds.ledger import LogEntry, encode_body, encode_timestamp
from rounds.ledger import entry_kinds as ledger_kinds


def event_by_kind() -> dict[str, Event]:
    return {kind: Event(kind.webhook_event) for kind in ledger_kinds.registered_kinds() if kind.webhook_event}


def build_message_id(entry: LogEntry, endpoint_id: int) -> str:
    """Derived from entry and endpoint only,
    so that a receiver recognises a message that is rebuilt after a restore."""
    return f"{entry.log}_{entry.index}_{endpoint_id}"


def build_message(entry: LogEntry, endpoint_id: int) -> str:
    body, event = entry.content(), event_by_kind()[entry.kind]
    particulars = {
        Event.FINDING_RECORDED: lambda: {"code": body["code"], "sentence": body["sentence"]},
        Event.FINDING_SUPERSEDED: lambda: {"code": body["code"], "about": body["finding"]},
        Event.ALERT_RAISED: lambda: {"code": body["duty"]},
        Event.ALERT_ACKNOWLEDGED: lambda: {"about": body["alert"]},
        Event.TERMS_FILED: lambda: {"code": body["act"]},
        Event.TERMS_DECIDED: lambda: {"code": body["decision"]},
    }[event]()
    return _encode_message(
        type=event.value,
        id=build_message_id(entry, endpoint_id),
        log=entry.log,
        index=entry.index,
        table=entry.table or body.get("table") or None,
        at=entry.recorded_at,
        page=_page_path(entry, event, body),
        **particulars,
    )


def build_test_message(endpoint: Endpoint, message_id: str, now: datetime) -> str:
    page = casino_url("webhooks:endpoint", endpoint.casino, endpoint=endpoint.pk)
    return _encode_message(
        type=Event.TEST.value, id=message_id, log=endpoint.casino.slug, index=None, at=now, page=page
    )


def _encode_message(
    *,
    type: str,
    id: str,
    log: str,
    index: int | None,
    at: datetime,
    page: str,
    code: str | None = None,
    about: int | None = None,
    table: str | None = None,
    sentence: str | None = None,
) -> str:
    """Every member is always present; null where an event does not have it."""
    return encode_body(
        {
            "type": type,
            "id": id,
            "casino": log,
            "log": log,
            "index": index,
            "about": about,
            "code": code,
            "table": table,
            "sentence": sentence,
            "at": encode_timestamp(at),
            "page": site_base_url() + page,
        }
    ).decode()


def _page_path(entry: LogEntry, event: Event, body: dict[str, Any]) -> str:
    if event in (Event.TERMS_FILED, Event.TERMS_DECIDED):
        return casino_url("terms:version", entry.log, promotion=body["promotion"], version=body["version"])
    if event in (Event.ALERT_RAISED, Event.ALERT_ACKNOWLEDGED):
        return casino_url("alerts:alert", entry.log, alert=body.get("alert", entry.index))
    return casino_url("audit:finding", entry.log, finding=body.get("finding", entry.index))
