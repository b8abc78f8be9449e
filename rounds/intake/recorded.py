"""The kinds of entries that intake brings into the ledger, and what must agree with them."""

from __future__ import annotations

from rounds.intake.kinds.lines import KINDS
from rounds.ledger.kinds import register_kind
from rounds.ledger.recorded import register_projection, register_record

QUARANTINED = "feed-quarantined"
CONFLICT = "feed-conflict"
SIGNATURE = "feed-signature"
UNKNOWN_KEY = "feed-unknown-key"
SILENT = "feed-silent"
RETURNED = "feed-returned"
DEALT_WITH = "quarantine-dealt-with"

OWN = {
    QUARANTINED: "A controller's line could not be taken; its bytes are kept in quarantine.",
    CONFLICT: "A controller used a sequence again for other bytes; these are kept in quarantine.",
    SIGNATURE: "Batches under a controller's key were refused because of their signature.",
    UNKNOWN_KEY: "Batches were refused because no controller has the keys they name.",
    SILENT: "A controller's feed for a table fell silent.",
    RETURNED: "A silent feed came back.",
    DEALT_WITH: "Somebody looked into a quarantined line.",
}
FROM_CONTROLLERS = tuple(kind.entry_kind for kind in KINDS if kind.name != "heartbeat")


def register_kinds() -> None:
    for kind in KINDS:
        if kind.entry_kind in FROM_CONTROLLERS:
            register_kind(kind.entry_kind, kind.meaning)
    for name, meaning in OWN.items():
        register_kind(name, meaning)


def register_records() -> None:
    from rounds.intake.models import DealtWith, Quarantined
    from rounds.intake.origin import differences

    register_record(QUARANTINED, Quarantined.recorded_between)
    register_record(CONFLICT, Quarantined.recorded_between)
    register_record(DEALT_WITH, DealtWith.recorded_between)
    register_projection("signed batches", FROM_CONTROLLERS, differences)
