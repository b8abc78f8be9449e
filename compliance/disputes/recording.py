"""Taking a step: where the dispute stands moves, the entry is appended, the row that stands for it is written."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from compliance.accounts.models import Casino, User
from compliance.accounts.roles import Role
from compliance.disputes.clocks import due_at, wait_of
from compliance.disputes.errors import NotNow
from compliance.disputes.models import Dispute, Step
from compliance.disputes.said import KIND_OF, Said
from compliance.disputes.states import LEADS
from rounds.ledger.rows import write_row


def lock_dispute(dispute: Dispute) -> Dispute:
    """Two people who take a step at once wait for each other; the second sees what the first did."""
    Dispute.objects.select_for_update(no_key=True).get(pk=dispute.pk)
    return Dispute.objects.with_file().get(pk=dispute.pk)


def lock_casino(casino: Casino) -> None:
    Casino.objects.select_for_update(no_key=True).get(pk=casino.pk)


def take_step(
    dispute: Dispute,
    said: Said,
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
    """Of a locked dispute. `rung` is what the step is about, `to_rung` where the dispute goes; `moves` are columns of
    its standing that change besides. `waited`: since when, and until when, where the wait was not the dispute's own."""
    kind = KIND_OF[type(said)]
    ended = waited or ((dispute.waiting_since_at, dispute.due_at) if kind in LEADS else (None, None))
    if to_rung is not None:
        moves["rung"] = to_rung
    _move(dispute, kind, now, moves)
    step = Step(
        dispute=dispute, kind=kind, rung=rung, by=by, by_name=by.name, role=role, at=at or now, recorded_at=now,
        waited_since_at=ended[0], was_due_at=ended[1], said=msgspec.to_builtins(said),
    )  # fmt: skip
    return write_row(step, kind=kind, log=dispute.casino.slug, table=dispute.table or None, now=now)


def _move(dispute: Dispute, kind: str, now: datetime, moves: dict[str, Any]) -> None:
    leads = LEADS.get(kind)
    if leads is not None:
        if dispute.where not in leads:
            raise NotNow
        state = leads[dispute.where]
        wait = wait_of(state, dispute.ladder, moves.get("rung", dispute.rung))
        moves |= {
            "state": state, "waiting_since_at": now, "due_at": due_at(dispute.casino, wait, now), "reminded_at": None,
        }  # fmt: skip
    if moves:
        for name, value in moves.items():
            setattr(dispute, name, value)
        dispute.save(update_fields=list(moves))
