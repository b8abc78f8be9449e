"""What another system is told: an entry as a small JSON object in the ledger's own canonical form.

No patron, nobody's name, and no words but the finding's own sentence: whoever needs more opens the page.
"""

from datetime import datetime
from typing import Any

from django.urls import reverse

from compliance.accounts.services.invitations import site_address
from compliance.alerts.kinds import RAISED, kind_of
from compliance.alerts.states import Step
from compliance.audit.kinds import FINDING, SUPERSEDED
from compliance.webhooks.models import Endpoint
from compliance.webhooks.states import Event
from promotions.terms.kinds import DECIDED, TERMS
from rounds.ledger.following import Recorded
from rounds.ledger.leaves import write_body, write_instant

EVENTS = {
    FINDING: Event.FINDING_RECORDED,
    SUPERSEDED: Event.FINDING_SUPERSEDED,
    RAISED: Event.ALERT_RAISED,
    kind_of(Step.ACKNOWLEDGED): Event.ALERT_ACKNOWLEDGED,
    TERMS: Event.TERMS_FILED,
    DECIDED: Event.TERMS_DECIDED,
}


def message_id_of(entry: Recorded, endpoint_id: int) -> str:
    """Of the entry and the endpoint alone, so that a message made anew after a restore is known to its receiver."""
    return f"{entry.log}_{entry.index}_{endpoint_id}"


def write_message(entry: Recorded, endpoint_id: int) -> str:
    said, event = entry.content(), EVENTS[entry.kind]
    particulars = {
        Event.FINDING_RECORDED: lambda: {"code": said["code"], "sentence": said["sentence"]},
        Event.FINDING_SUPERSEDED: lambda: {"code": said["code"], "about": said["finding"]},
        Event.ALERT_RAISED: lambda: {"code": said["duty"]},
        Event.ALERT_ACKNOWLEDGED: lambda: {"about": said["alert"]},
        Event.TERMS_FILED: lambda: {"code": said["act"]},
        Event.TERMS_DECIDED: lambda: {"code": said["decision"]},
    }[event]()
    return _write(
        type=event.value, id=message_id_of(entry, endpoint_id), log=entry.log, index=entry.index,
        table=entry.table or said.get("table") or None, at=entry.recorded_at, page=_page(entry, event, said),
        **particulars,
    )  # fmt: skip


def write_test(endpoint: Endpoint, message_id: str, now: datetime) -> str:
    page = reverse("webhooks:endpoint", kwargs={"casino": endpoint.casino.slug, "endpoint": endpoint.pk})
    return _write(type=Event.TEST.value, id=message_id, log=endpoint.casino.slug, index=None, at=now, page=page)


def _write(
    *, type: str, id: str, log: str, index: int | None, at: datetime, page: str, code: str | None = None,
    about: int | None = None, table: str | None = None, sentence: str | None = None,
) -> str:  # fmt: skip
    """Every member is always there; what an event does not have is null."""
    return write_body(
        {
            "type": type, "id": id, "casino": log, "log": log, "index": index, "about": about, "code": code,
            "table": table, "sentence": sentence, "at": write_instant(at), "page": site_address() + page,
        }
    ).decode()  # fmt: skip


def _page(entry: Recorded, event: Event, said: dict[str, Any]) -> str:
    if event in (Event.TERMS_FILED, Event.TERMS_DECIDED):
        return reverse("terms:version", args=[entry.log, said["promotion"], said["version"]])
    if event in (Event.ALERT_RAISED, Event.ALERT_ACKNOWLEDGED):
        return reverse("alerts:alert", kwargs={"casino": entry.log, "alert": said.get("alert", entry.index)})
    return reverse("audit:finding", kwargs={"casino": entry.log, "finding": said.get("finding", entry.index)})
