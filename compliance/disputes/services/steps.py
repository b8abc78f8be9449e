"""Writes a step: applies the state transition, appends the entry and writes its row."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from compliance.core.accounts.models import User
from compliance.core.accounts.roles import Role
from compliance.disputes.deadlines import current_waiting_period, due_at
from compliance.disputes.entry_bodies import KIND_BY_BODY, StepBody
from compliance.disputes.errors import StepNotAllowedNow
from compliance.disputes.ladder.states import TRANSITIONS
from compliance.disputes.models import Dispute, Step
from rounds.ledger import write_row


def lock_dispute(dispute: Dispute) -> Dispute:
    """Row lock: of two people who take a step at once, the second waits and sees what the first did."""
    Dispute.objects.select_for_update(no_key=True).get(pk=dispute.pk)
    return Dispute.objects.with_file().get(pk=dispute.pk)


def record_step(
    dispute: Dispute,
    body: StepBody,
    *,
    by: User,
    role: Role,
    now: datetime,
    at: datetime | None = None,
    rung: int | None = None,
    to_rung: int | None = None,
    waited: tuple[datetime, datetime] | None = None,
    **moves: Any,
) -> Step:
    """Records a step of a locked dispute. `rung` is the rung concerned, `to_rung` where the dispute goes; `moves` are
    further state columns to set. `waited`: start and deadline of a wait that is not the dispute's own."""
    kind = KIND_BY_BODY[type(body)]
    ended = waited or ((dispute.waiting_since_at, dispute.due_at) if kind in TRANSITIONS else (None, None))
    if to_rung is not None:
        moves["rung"] = to_rung
    _move_state(dispute, kind, now, moves)
    step = Step(
        dispute=dispute,
        kind=kind,
        rung=rung,
        by=by,
        by_name=by.name,
        role=role,
        at=at or now,
        recorded_at=now,
        waited_since_at=ended[0],
        was_due_at=ended[1],
        said=msgspec.to_builtins(body),
    )
    return write_row(step, kind=kind, log=dispute.casino.slug, table=dispute.table or None, now=now)


def _move_state(dispute: Dispute, kind: str, now: datetime, moves: dict[str, Any]) -> None:
    transitions = TRANSITIONS.get(kind)
    if transitions is not None:
        if dispute.current_state not in transitions:
            raise StepNotAllowedNow
        state = transitions[dispute.current_state]
        wait = current_waiting_period(state, dispute.ladder, moves.get("rung", dispute.rung))
        moves |= {
            "state": state,
            "waiting_since_at": now,
            "due_at": due_at(dispute.casino, wait, now),
            "reminded_at": None,
        }
    if moves:
        for name, value in moves.items():
            setattr(dispute, name, value)
        dispute.save(update_fields=list(moves))
