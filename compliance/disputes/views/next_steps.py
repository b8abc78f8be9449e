"""The next steps that a person can take on a dispute: the buttons of its page, the most likely first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from compliance.core.accounts.models import User
from compliance.disputes.ladder.states import DisputeState
from compliance.disputes.models import Dispute
from compliance.disputes.permissions import MAY_INSPECT, MAY_READ, roles_that_may_log_disputes


@dataclass(frozen=True)
class NextStep:
    label: str
    href: str
    is_first: bool = False


def next_steps(user: User, dispute: Dispute) -> list[NextStep]:
    is_operator = user.has_role(*roles_that_may_log_disputes(is_promotion=dispute.is_promotion), casino=dispute.casino)
    is_government = user.has_role(*MAY_INSPECT, casino=dispute.casino)
    may_decide = user.has_role(*MAY_READ, casino=dispute.casino)
    found = list(_ladder_steps(dispute, is_operator=is_operator, may_decide=may_decide))
    if is_operator:
        found += _operator_steps(dispute)
    if is_government:
        found += _inspector_steps(dispute)
    found.append(NextStep("Attach a file", dispute.address("attach")))
    return found


def _ladder_steps(dispute: Dispute, *, is_operator: bool, may_decide: bool) -> Iterator[NextStep]:
    """`may_decide`: floor or government role; decide_dispute checks the exact rank."""
    if dispute.current_state is DisputeState.WAITING:
        if may_decide:
            yield NextStep(f"Decide: {dispute.current_rung.title.lower()}", dispute.address("decide"), True)
        if is_operator:
            yield NextStep("Record a decision already made", dispute.address("record-decision"))
    if dispute.current_state is DisputeState.DECIDED:
        yield NextStep("Tell the patron", dispute.address("tell"), True)
    if dispute.current_state is DisputeState.TOLD and dispute.lacks_advice:
        yield NextStep("Advise the patron of their right", dispute.address("advise"), True)
    elif dispute.current_state is not DisputeState.WITH_INSPECTOR:
        yield NextStep("Advise the patron of their right", dispute.address("advise"))
    if dispute.current_state is DisputeState.TOLD and dispute.ladder.rung_after(dispute.rung) is not None:
        yield NextStep("The patron asks for a review", dispute.address("review"))
    if dispute.current_state in (DisputeState.TOLD, DisputeState.DETERMINED):
        yield NextStep("Close the dispute", dispute.address("close"), not dispute.lacks_advice)
    if dispute.current_state not in (DisputeState.WITH_INSPECTOR, DisputeState.DETERMINED):
        yield NextStep("Complaint to the inspector", dispute.address("complain"))


def _operator_steps(dispute: Dispute) -> Iterator[NextStep]:
    yield NextStep("Record a payment", dispute.address("pay"))
    if dispute.current_state in (DisputeState.WAITING, DisputeState.DECIDED, DisputeState.TOLD):
        yield NextStep("The patron withdraws", dispute.address("withdraw"))


def _inspector_steps(dispute: Dispute) -> Iterator[NextStep]:
    yield NextStep("Add a note of your own", dispute.address("note"))
    if dispute.current_state is DisputeState.WITH_INSPECTOR:
        yield NextStep("Determine the complaint", dispute.address("determine"), True)
        yield NextStep("Ask the operator", dispute.address("ask"))
    if dispute.current_state is DisputeState.DETERMINED:
        yield NextStep("Letter to the patron", dispute.address("letter"), True)
