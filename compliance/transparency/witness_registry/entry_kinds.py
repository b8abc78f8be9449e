"""Entry kinds of witnesses."""

from compliance.core.web.ui.components import Tag
from rounds.ledger import EntryKind

WITNESS_REGISTERED = EntryKind(
    "witness-registered",
    "Witness of this log registered",
    "{name}",
    "witnesses.Witness",
    meaning="Somebody outside watches this log: under which name and key, registered by whom.",
)
WITNESS_ENDED = EntryKind(
    "witness-ended",
    "Witness no longer counts",
    "{name}: {reason}",
    "witnesses.WitnessEnd",
    meaning="A witness's word no longer counts for this log, with the person and the reason.",
)
WITNESS_DISAGREED = EntryKind(
    "witness-disagreed",
    "Witness refused a checkpoint",
    "{witness}: {reason:words}",
    "witnesses.Dissent",
    tag=Tag("Refused", "danger"),
    meaning="A witness refused a checkpoint of this log, in its own signed words.",
)
