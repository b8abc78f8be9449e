"""Ledger entry kinds of this app, and the rows that project them."""

from compliance.notify.webhooks.models import EndpointStep
from compliance.notify.webhooks.states import EndpointAct
from compliance.notify.webhooks.verify import verify_rows
from rounds.ledger import register_kind, register_projection, register_rows

MEANINGS = {
    EndpointAct.REGISTERED: (
        "Another system is told of this casino's events: at which address, of which, by whose leave."
    ),
    EndpointAct.CHANGED: "The name, address or events of a webhook were changed.",
    EndpointAct.SWITCHED_OFF: "A webhook was switched off by a person.",
    EndpointAct.SWITCHED_ON: "A webhook that was off tells again, from here on.",
    EndpointAct.FAILED: "A webhook was switched off by itself: its receiver took nothing for three days.",
    EndpointAct.REMOVED: "A webhook was removed.",
}


def entry_kind_of(act: EndpointAct | str) -> str:
    return f"webhook-{act}"


def register_kinds() -> None:
    for act, meaning in MEANINGS.items():
        register_kind(entry_kind_of(act), meaning)
        register_rows(entry_kind_of(act), EndpointStep.rows_between)
    register_projection("how webhooks stand", [entry_kind_of(EndpointAct.REGISTERED)], verify_rows)
