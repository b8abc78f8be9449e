"""Entry kinds of this app, and the rows written with them."""

from compliance.transparency.witness_registry.models import Dissent, Witness, WitnessEnd
from rounds.ledger import register_kind, register_rows

WITNESS_REGISTERED = "witness-registered"
WITNESS_ENDED = "witness-ended"
WITNESS_DISAGREED = "witness-disagreed"


def register_kinds() -> None:
    register_kind(
        WITNESS_REGISTERED, "Somebody outside watches this log: under which name and key, registered by whom."
    )
    register_kind(WITNESS_ENDED, "A witness's word no longer counts for this log, with the person and the reason.")
    register_kind(WITNESS_DISAGREED, "A witness refused a checkpoint of this log, in its own signed words.")
    register_rows(WITNESS_REGISTERED, Witness.rows_between)
    register_rows(WITNESS_ENDED, WitnessEnd.rows_between)
    register_rows(WITNESS_DISAGREED, Dissent.rows_between)
