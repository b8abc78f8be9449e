"""The entry that this app writes, and the rows that stand for it."""

from compliance.disclosures.models import Disclosure
from rounds.ledger.kinds import register_kind
from rounds.ledger.recorded import register_record

DISCLOSED = "disclosed"


def register_kinds() -> None:
    register_kind(DISCLOSED, "A list, a file or records went out to somebody: what, how many rows, to whom.")
    register_record(DISCLOSED, Disclosure.recorded_between)
