"""The entries that conduct is recorded by, and what must agree with them."""

from compliance.conduct.sorts import SORTS
from compliance.patrons.commitments import register_carrier
from rounds.ledger.kinds import register_kind
from rounds.ledger.recorded import register_record


def register_kinds() -> None:
    """For apps of higher layers too: they are made ready first."""
    for sort in SORTS.values():
        register_kind(sort.kind, sort.meaning)


def register_records() -> None:
    from compliance.conduct.models import ConductAct

    register_kinds()
    for kind in SORTS:
        register_record(kind, ConductAct.recorded_between)
        register_carrier(kind)
