"""For `verify_ledger`: where a dispute stands, against the steps that led there."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from compliance.disputes import kinds
from compliance.disputes.models import Dispute, Step
from compliance.disputes.states import LEADS, State
from rounds.ledger.following import Recorded


def standings_differ(log: str, first: int, last: int, entries: Sequence[Recorded]) -> Iterator[tuple[int, str]]:
    disputes = Dispute.objects.filter(log=log, entry_index__gte=first, entry_index__lt=last)
    for dispute in disputes.prefetch_related("steps"):
        steps = sorted(dispute.steps.all(), key=lambda step: step.entry_index)
        kept = (dispute.state, dispute.rung, dispute.outcome, dispute.waiting_since_at, dispute.advised_at)
        if kept != _derived(dispute, steps):
            yield dispute.entry_index, "it is kept as standing elsewhere than its steps led to."


def _derived(dispute: Dispute, steps: Sequence[Step]) -> tuple[str, int, str, datetime, datetime | None]:
    state, rung, outcome, since, advised = State.WAITING, 0, "", dispute.logged_at, None
    for step in steps:
        if step.kind in LEADS:
            # A step that could not follow is none of the service's: the state stays, and differs.
            state, since = LEADS[step.kind].get(state, state), step.recorded_at
        if step.kind == kinds.REVIEW:
            rung += 1
        if step.kind == kinds.DECIDED:
            rung = step.rung if step.rung is not None else rung
        if step.kind in (kinds.DECIDED, kinds.DETERMINED):
            outcome = step.said["outcome"]
        if step.kind == kinds.ADVISED:
            advised = step.recorded_at
    return state, rung, outcome, since, advised
