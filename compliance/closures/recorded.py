"""For `verify_ledger`: what became of closings, against the entries that say so."""

from collections.abc import Iterator, Sequence

from compliance.closures import kinds
from compliance.closures.models import Closure, ClosureStep
from compliance.closures.states import State
from rounds.ledger.following import Recorded
from rounds.ledger.recorded import register_projection, register_record


def register() -> None:
    register_record(kinds.CLOSURE, Closure.recorded_between)
    register_record(kinds.CLOSURE_ENDED, ClosureStep.recorded_between)
    register_projection("states of closings", [kinds.CLOSURE], states_differ)


def states_differ(log: str, first: int, last: int, entries: Sequence[Recorded]) -> Iterator[tuple[int, str]]:
    """A closing has the state of its last step, and is announced until there is one. Steps agree with their entries."""
    rows = Closure.objects.filter(log=log, entry_index__gte=first, entry_index__lt=last)
    for closure in rows.prefetch_related("steps"):
        steps = sorted(closure.steps.all(), key=lambda step: step.entry_index)
        if closure.state != (steps[-1].state if steps else State.ANNOUNCED):
            yield closure.entry_index, "the closing is kept in another state than its entries brought it to."
