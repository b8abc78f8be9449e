"""Entry kinds of webhooks, one for each act on an endpoint."""

from compliance.notify.webhooks.states import EndpointAct
from rounds.ledger import EntryKind

MEANINGS = {
    EndpointAct.REGISTERED: "Another system receives events of this casino: its address, which events, who allowed it.",
    EndpointAct.CHANGED: "The name, address or events of a webhook were changed.",
    EndpointAct.SWITCHED_OFF: "A webhook was switched off by a person.",
    EndpointAct.SWITCHED_ON: "A webhook that was off sends events again, from here on.",
    EndpointAct.FAILED: "A webhook was switched off automatically: its receiver accepted nothing for three days.",
    EndpointAct.REMOVED: "A webhook was removed.",
}
KIND_BY_ACT = {
    act: EntryKind(
        f"webhook-{act}",
        f"Webhook {act.label.lower()}",
        "{name}: {reason}",
        "webhooks.EndpointStep",
        meaning=meaning,
    )
    for act, meaning in MEANINGS.items()
}
