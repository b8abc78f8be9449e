"""Where a dispute stands, computed from its steps: for `verify_ledger`, and when a step was withdrawn."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from compliance.disputes import entry_kinds
from compliance.disputes.ladder.states import TRANSITIONS, DisputeState
from compliance.disputes.models import Dispute, Step

IS_SATISFIED_BY_ANSWER = {"accepts": True, "not-satisfied": False, "review": False, "left": None}


class StateOfSteps(NamedTuple):
    """The state columns of a dispute that its steps decide."""

    state: DisputeState
    rung: int
    outcome: str
    waiting_since_at: datetime
    advised_at: datetime | None
    is_satisfied: bool | None


def replay_steps(dispute: Dispute, steps: Iterable[Step]) -> StateOfSteps:
    """`steps` in log order, without withdrawn ones."""
    standing = StateOfSteps(DisputeState.WAITING, 0, "", dispute.logged_at, None, None)
    for step in steps:
        standing = _state_after(standing, step)
    return standing


def _state_after(standing: StateOfSteps, step: Step) -> StateOfSteps:
    if step.kind in TRANSITIONS:
        # A step that is not allowed in this state was not written by the service: the state stays, and the comparison
        # of verify_ledger fails.
        state = TRANSITIONS[step.kind].get(standing.state, standing.state)
        standing = standing._replace(state=state, waiting_since_at=step.recorded_at)
    match step.kind:
        case entry_kinds.REVIEW:
            return standing._replace(rung=standing.rung + 1, is_satisfied=False)
        case entry_kinds.DECIDED:
            rung = standing.rung if step.rung is None else step.rung
            return standing._replace(rung=rung, outcome=step.said["outcome"])
        case entry_kinds.DETERMINED:
            return standing._replace(outcome=step.said["outcome"])
        case entry_kinds.TOLD:
            return standing._replace(is_satisfied=IS_SATISFIED_BY_ANSWER[step.said["answer"]])
        case entry_kinds.COMPLAINED:
            return standing._replace(is_satisfied=False)
        case entry_kinds.ADVISED:
            return standing._replace(advised_at=step.recorded_at)
        case _:
            return standing
