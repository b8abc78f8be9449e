"""The entries that this app writes, and the rows that stand for them."""

from compliance.webhooks.models import EndpointStep
from compliance.webhooks.standing import endpoints_differ
from compliance.webhooks.states import Act
from rounds.ledger.kinds import register_kind
from rounds.ledger.recorded import register_projection, register_record

MEANINGS = {
    Act.REGISTERED: "Another system is told of this casino's events: at which address, of which, by whose leave.",
    Act.CHANGED: "The name, address or events of a webhook were changed.",
    Act.SWITCHED_OFF: "A webhook was switched off by a person.",
    Act.SWITCHED_ON: "A webhook that was off tells again, from here on.",
    Act.FAILED: "A webhook was switched off by itself: its receiver took nothing for three days.",
    Act.REMOVED: "A webhook was removed.",
}


def kind_of(act: Act | str) -> str:
    return f"webhook-{act}"


def register_kinds() -> None:
    for act, meaning in MEANINGS.items():
        register_kind(kind_of(act), meaning)
        register_record(kind_of(act), EndpointStep.recorded_between)
    register_projection("how webhooks stand", [kind_of(Act.REGISTERED)], endpoints_differ)
