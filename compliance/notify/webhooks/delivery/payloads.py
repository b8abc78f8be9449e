"""Payloads: an entry as a small JSON object in the ledger's canonical form. No patron's data, no names, and no text
but the finding's sentence: receivers open the page for more."""

from datetime import datetime
from typing import Any

from django.urls import reverse

from compliance.audit.entry_kinds import FINDING, SUPERSEDED
from compliance.core.web.mail.render import site_base_url
from compliance.notify.alerts.entry_kinds import RAISED, entry_kind_of
from compliance.notify.alerts.states import StepKind
from compliance.notify.webhooks.models import Endpoint
from compliance.notify.webhooks.states import Event
from promotions.terms.entry_kinds import DECIDED, TERMS
from rounds.ledger import LogEntry, encode_body, encode_timestamp

EVENTS = {
    FINDING: Event.FINDING_RECORDED,
    SUPERSEDED: Event.FINDING_SUPERSEDED,
    RAISED: Event.ALERT_RAISED,
    entry_kind_of(StepKind.ACKNOWLEDGED): Event.ALERT_ACKNOWLEDGED,
    TERMS: Event.TERMS_FILED,
    DECIDED: Event.TERMS_DECIDED,
}


def build_message_id(entry: LogEntry, endpoint_id: int) -> str:
    """Derived from entry and endpoint only,
    so that a receiver recognises a message that is rebuilt after a restore."""
    return f"{entry.log}_{entry.index}_{endpoint_id}"


def build_message(entry: LogEntry, endpoint_id: int) -> str:
    body, event = entry.content(), EVENTS[entry.kind]
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
    page = reverse("webhooks:endpoint", kwargs={"casino": endpoint.casino.slug, "endpoint": endpoint.pk})
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
        return reverse("terms:version", args=[entry.log, body["promotion"], body["version"]])
    if event in (Event.ALERT_RAISED, Event.ALERT_ACKNOWLEDGED):
        return reverse("alerts:alert", kwargs={"casino": entry.log, "alert": body.get("alert", entry.index)})
    return reverse("audit:finding", kwargs={"casino": entry.log, "finding": body.get("finding", entry.index)})
