"""Decisions on the rungs of the ladder, and notification of the patron."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from compliance.core.accounts.models import User
from compliance.core.accounts.roles import Role
from compliance.core.accounts.separation import require_other_person
from compliance.disputes import entry_kinds
from compliance.disputes.entry_bodies import DecisionBody, PatronNotificationBody, ReviewBody
from compliance.disputes.errors import (
    DecidedAlready,
    NoFurtherStep,
    NotAbsent,
    NotAllowedToDecide,
    StepNotAllowedNow,
)
from compliance.disputes.ladder.states import DisputeState
from compliance.disputes.models import Dispute, Step
from compliance.disputes.permissions import current_roles, require_acting_role, roles_that_may_log_disputes
from compliance.disputes.services.state_replay import IS_SATISFIED_BY_ANSWER
from compliance.disputes.services.steps import lock_dispute, record_step


@transaction.atomic
def decide_dispute(*, dispute: Dispute, rung: int, decision: DecisionBody, actor: User, now: datetime) -> Step:
    """The actor decides now. Refused if the rules do not let them decide, because nothing has happened yet."""
    locked = lock_dispute(dispute)
    _check_undecided(locked, rung)
    if locked.current_state is not DisputeState.WAITING or locked.rung != rung:
        raise StepNotAllowedNow
    step = locked.current_rung
    held = current_roles(actor, locked.casino)
    if decision.in_absence and not step.may_be_absent(held):
        raise NotAbsent(f"You are {step.decided_by} yourself, so you cannot decide because none was there.")
    rank = step.deciding_role(held, in_absence=decision.in_absence)
    if rank is None:
        raise NotAllowedToDecide(f"{step.title}{f' (clause {step.clause})' if step.clause else ''} is for {step.who}.")
    require_other_person(actor, decided=[decided.by_id for decided in decision_steps(locked)])
    return record_step(locked, decision, by=actor, role=rank, now=now, rung=rung, outcome=decision.outcome)


@transaction.atomic
def record_decision(
    *,
    dispute: Dispute,
    rung: int,
    decision: DecisionBody,
    decider: User,
    role: Role,
    at: datetime,
    actor: User,
    now: datetime,
) -> Step:
    """Records a decision that was made before.
    It is a fact, so it is recorded whoever decided; the audit checks the rank."""
    locked = lock_dispute(dispute)
    require_acting_role(actor, locked.casino, roles_that_may_log_disputes(is_promotion=locked.is_promotion))
    _check_undecided(locked, rung)
    if not 0 <= rung < len(locked.ladder.rungs) or at > now:
        raise StepNotAllowedNow
    return record_step(
        locked, decision, by=decider, role=role, now=now, at=at, rung=rung, to_rung=rung, outcome=decision.outcome
    )


@transaction.atomic
def record_patron_notification(
    *, dispute: Dispute, notification: PatronNotificationBody, actor: User, now: datetime
) -> Step:
    """The actor has told the patron the decision.
    If the patron asks for a review, the dispute goes to the next rung."""
    locked = lock_dispute(dispute)
    role = require_acting_role(actor, locked.casino, _notifier_roles(locked))
    if notification.answer == "review" and locked.ladder.rung_after(locked.rung) is None:
        raise NoFurtherStep
    notified = record_step(
        locked,
        notification,
        by=actor,
        role=role,
        now=now,
        rung=locked.rung,
        is_satisfied=IS_SATISFIED_BY_ANSWER[notification.answer],
    )
    if notification.answer == "review":
        _send_to_next_rung(locked, actor, role, now)
    return notified


@transaction.atomic
def request_review(*, dispute: Dispute, actor: User, now: datetime) -> Step:
    """The patron asks for the next rung later, but before the dispute is closed."""
    locked = lock_dispute(dispute)
    role = require_acting_role(actor, locked.casino, _notifier_roles(locked))
    if locked.current_state is not DisputeState.TOLD:
        raise StepNotAllowedNow
    if locked.ladder.rung_after(locked.rung) is None:
        raise NoFurtherStep
    return _send_to_next_rung(locked, actor, role, now)


def _send_to_next_rung(dispute: Dispute, actor: User, role: Role, now: datetime) -> Step:
    above = dispute.ladder.rung_after(dispute.rung)
    assert above is not None
    body = ReviewBody(clause=above.clause)
    return record_step(dispute, body, by=actor, role=role, now=now, is_satisfied=False, to_rung=dispute.rung + 1)


def decision_steps(dispute: Dispute) -> list[Step]:
    return [step for step in dispute.steps.all() if step.kind == entry_kinds.DECIDED]


def _check_undecided(dispute: Dispute, rung: int) -> None:
    if any(step.rung == rung for step in decision_steps(dispute)):
        raise DecidedAlready


def _notifier_roles(dispute: Dispute) -> frozenset[Role]:
    """The operator's staff, and the roles of a government rung."""
    return roles_that_may_log_disputes(is_promotion=dispute.is_promotion) | dispute.current_rung.roles
