"""Registers the ledger entry kinds of intake, and the rows and projections that `verify_ledger` compares with them."""

from __future__ import annotations

from rounds.intake.protocol.envelope import LINE_KINDS
from rounds.ledger import register_kind, register_projection, register_rows

QUARANTINED = "feed-quarantined"
CONFLICT = "feed-conflict"
SIGNATURE = "feed-signature"
UNKNOWN_KEY = "feed-unknown-key"
SILENT = "feed-silent"
RETURNED = "feed-returned"
DEALT_WITH = "quarantine-dealt-with"

INTAKE_KINDS = {
    QUARANTINED: "A controller's line could not be taken; its bytes are kept in quarantine.",
    CONFLICT: "A controller used a sequence again for other bytes; these are kept in quarantine.",
    SIGNATURE: "Batches under a controller's key were refused because of their signature.",
    UNKNOWN_KEY: "Batches were refused because no controller has the keys they name.",
    SILENT: "A controller's feed for a table fell silent.",
    RETURNED: "A silent feed came back.",
    DEALT_WITH: "Somebody looked into a quarantined line.",
}
CONTROLLER_KINDS = tuple(kind.entry_kind for kind in LINE_KINDS if kind.name != "heartbeat")


def register_kinds() -> None:
    for kind in LINE_KINDS:
        if kind.entry_kind in CONTROLLER_KINDS:
            register_kind(kind.entry_kind, kind.meaning)
    for name, meaning in INTAKE_KINDS.items():
        register_kind(name, meaning)


def register_ledger_models() -> None:
    from rounds.intake.models import Quarantined, QuarantineResolution
    from rounds.intake.verify import verify_rows

    register_rows(QUARANTINED, Quarantined.rows_between)
    register_rows(CONFLICT, Quarantined.rows_between)
    register_rows(DEALT_WITH, QuarantineResolution.rows_between)
    register_projection("signed batches", CONTROLLER_KINDS, verify_rows)
