"""Decisions on the rungs of the ladder, and what the patron was told of them and answered."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from compliance.accounts.models import User
from compliance.accounts.roles import Role
from compliance.disputes import kinds
from compliance.disputes.errors import DecidedAlready, DecidedFirst, NoFurtherStep, NotNow, NotOfRank
from compliance.disputes.models import Dispute, Step
from compliance.disputes.recording import lock_dispute, take_step
from compliance.disputes.said import Decision, Review, Telling
from compliance.disputes.standing import loggers_of, require, roles_held
from compliance.disputes.states import State

SATISFIED = {"accepts": True, "not-satisfied": False, "review": False, "left": None}


@transaction.atomic
def decide_dispute(*, dispute: Dispute, rung: int, decision: Decision, actor: User, now: datetime) -> Step:
    """The actor decides, now. Refused to whoever the rules do not let decide here: nothing has happened yet."""
    locked = lock_dispute(dispute)
    _check_undecided(locked, rung)
    if locked.where is not State.WAITING or locked.rung != rung:
        raise NotNow
    step = locked.current_rung
    rank = step.rank_of(roles_held(actor, locked.casino), in_absence=decision.in_absence)
    if rank is None:
        raise NotOfRank(f"{step.title}{f' (clause {step.clause})' if step.clause else ''} is for {step.who}.")
    if step.by_another_person and actor.pk in {decided.by_id for decided in decisions_of(locked)}:
        raise DecidedFirst
    return take_step(locked, decision, by=actor, role=rank, now=now, rung=rung, outcome=decision.outcome)


@transaction.atomic
def record_decision(
    *,
    dispute: Dispute,
    rung: int,
    decision: Decision,
    decider: User,
    role: Role,
    at: datetime,
    actor: User,
    now: datetime,
) -> Step:
    """Somebody decided before it was written down. It happened, so it is recorded whoever it was; the audit judges."""
    locked = lock_dispute(dispute)
    require(actor, locked.casino, loggers_of(is_promotion=locked.is_promotion))
    _check_undecided(locked, rung)
    if not 0 <= rung < len(locked.ladder.rungs) or at > now:
        raise NotNow
    return take_step(
        locked, decision, by=decider, role=role, now=now, at=at, rung=rung, to_rung=rung, outcome=decision.outcome
    )


@transaction.atomic
def tell_patron(*, dispute: Dispute, telling: Telling, actor: User, now: datetime) -> Step:
    """The actor told the patron of the decision. A patron who asks for a review sends it up the ladder at once."""
    locked = lock_dispute(dispute)
    role = require(actor, locked.casino, _tellers(locked))
    if telling.answer == "review" and locked.ladder.after(locked.rung) is None:
        raise NoFurtherStep
    told = take_step(
        locked, telling, by=actor, role=role, now=now, rung=locked.rung, is_satisfied=SATISFIED[telling.answer]
    )
    if telling.answer == "review":
        _send_up(locked, actor, role, now)
    return told


@transaction.atomic
def request_review(*, dispute: Dispute, actor: User, now: datetime) -> Step:
    """The patron asks for the next step after they were told: later, but before the dispute is closed."""
    locked = lock_dispute(dispute)
    role = require(actor, locked.casino, _tellers(locked))
    if locked.where is not State.TOLD:
        raise NotNow
    if locked.ladder.after(locked.rung) is None:
        raise NoFurtherStep
    return _send_up(locked, actor, role, now)


def _send_up(dispute: Dispute, actor: User, role: Role, now: datetime) -> Step:
    above = dispute.ladder.after(dispute.rung)
    assert above is not None
    said = Review(clause=above.clause)
    return take_step(dispute, said, by=actor, role=role, now=now, is_satisfied=False, to_rung=dispute.rung + 1)


def decisions_of(dispute: Dispute) -> list[Step]:
    return [step for step in dispute.steps.all() if step.kind == kinds.DECIDED]


def _check_undecided(dispute: Dispute, rung: int) -> None:
    if any(step.rung == rung for step in decisions_of(dispute)):
        raise DecidedAlready


def _tellers(dispute: Dispute) -> frozenset[Role]:
    """The operator's staff, and whoever decides on a rung of government."""
    return loggers_of(is_promotion=dispute.is_promotion) | dispute.current_rung.roles
