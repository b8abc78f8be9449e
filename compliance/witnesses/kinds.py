"""The entries that this app writes, and the rows that stand for them."""

from compliance.witnesses.models import Dissent, Witness, WitnessEnd
from rounds.ledger.kinds import register_kind
from rounds.ledger.recorded import register_record

REGISTERED = "witness-registered"
ENDED = "witness-ended"
DISAGREED = "witness-disagreed"


def register_kinds() -> None:
    register_kind(REGISTERED, "Somebody outside watches this log: under which name and key, registered by whom.")
    register_kind(ENDED, "A witness's word no longer counts for this log, with the person and the reason.")
    register_kind(DISAGREED, "A witness refused a checkpoint of this log, in its own signed words.")
    register_record(REGISTERED, Witness.recorded_between)
    register_record(ENDED, WitnessEnd.recorded_between)
    register_record(DISAGREED, Dissent.recorded_between)
