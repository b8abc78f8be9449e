"""`verify_ledger`: compares the state of each closure with the entries that changed it."""

from collections.abc import Iterator, Sequence

from compliance.tables.closures import entry_kinds
from compliance.tables.closures.models import Closure
from compliance.tables.closures.states import ClosureState
from rounds.ledger import LogEntry, register_projection


def register_verification() -> None:
    register_projection("states of closings", [entry_kinds.CLOSURE], verify_rows)


def verify_rows(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int, str]]:
    """A closure must have the state of its last step, or be announced if it has none. Steps are compared with their
    entries separately."""
    rows = Closure.objects.filter(log=log, entry_index__gte=first, entry_index__lt=last)
    for closure in rows.prefetch_related("steps"):
        steps = sorted(closure.steps.all(), key=lambda step: step.entry_index)
        if closure.state != (steps[-1].state if steps else ClosureState.ANNOUNCED):
            yield closure.entry_index, "the closing is kept in another state than its entries brought it to."
