"""Which steps of a dispute can be withdrawn, what depends on them, and where the dispute stands afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from compliance.core.accounts.models import User
from compliance.core.corrections.registry import CorrectableRecord, register_correctable
from compliance.disputes import entry_kinds
from compliance.disputes.deadlines import current_waiting_period, due_at
from compliance.disputes.ladder.states import TRANSITIONS
from compliance.disputes.models import Dispute, Step
from compliance.disputes.permissions import MAY_INSPECT, reader_roles, roles_that_may_log_disputes
from compliance.disputes.services.decisions import decision_steps
from compliance.disputes.services.state_replay import replay_steps
from compliance.disputes.text import step_title
from rounds.intake.entry_kinds import DISPUTE_PAID
from rounds.ledger import LogEntry

OPERATOR_STEPS = (DISPUTE_PAID, entry_kinds.WITHDRAWN, entry_kinds.ANSWERED, entry_kinds.ATTACHED)
INSPECTOR_STEPS = (entry_kinds.ASKED, entry_kinds.DETERMINED, entry_kinds.NOTED)
SHARED_STEPS = (
    entry_kinds.DECIDED, entry_kinds.TOLD, entry_kinds.REVIEW, entry_kinds.ADVISED, entry_kinds.CLOSED,
    entry_kinds.COMPLAINED,
)  # fmt: skip


def register() -> None:
    for kinds, writers in (
        (OPERATOR_STEPS, roles_that_may_log_disputes(is_promotion=True)),
        (INSPECTOR_STEPS, MAY_INSPECT),
        (SHARED_STEPS, reader_roles(is_promotion=True)),
    ):
        register_correctable(
            *(
                CorrectableRecord(
                    kind=kind,
                    writers=writers,
                    find=_find_step,
                    page=lambda step: step.dispute.get_absolute_url(),
                    parties=_other_deciders,
                    dependents=_later_steps,
                    after=_move_back,
                )
                for kind in kinds
            )
        )


def _find_step(entry: LogEntry) -> Step | None:
    step = Step.recorded.filter(log=entry.log, entry_index=entry.index).first()
    if step is not None:
        step.dispute = Dispute.objects.select_for_update(no_key=True, of=("self",)).get(pk=step.dispute_id)
    return step


def _other_deciders(step: Step) -> Mapping[str, Iterable[int]]:
    """A decision is not withdrawn by a superior who decided the same dispute at another rung."""
    if step.kind not in (entry_kinds.DECIDED, entry_kinds.DETERMINED):
        return {}
    return {"decided": [each.by_id for each in decision_steps(step.dispute) if each.pk != step.pk]}


def _later_steps(step: Step) -> Iterator[str]:
    """Later steps that changed the state, if this one did; the answer to a request."""
    for later in step.dispute.steps.filter(entry_index__gt=step.entry_index):
        is_transition = step.kind in TRANSITIONS and later.kind in TRANSITIONS
        is_answer = later.kind == entry_kinds.ANSWERED and later.said.get("answers") == step.entry_index
        if is_transition or is_answer:
            yield step_title(later)


def _move_back(step: Step, actor: User, now: datetime) -> None:
    dispute = step.dispute
    standing = replay_steps(dispute, dispute.steps.all())
    wait = current_waiting_period(standing.state, dispute.ladder, standing.rung)
    moves = {
        **standing._asdict(),
        "due_at": due_at(dispute.casino, wait, standing.waiting_since_at),
        "reminded_at": None,
    }
    for name, value in moves.items():
        setattr(dispute, name, value)
    dispute.save(update_fields=list(moves))
