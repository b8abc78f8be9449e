"""Reminding somebody of a dispute that waits for too long: once for each wait, through the alerts."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from compliance.accounts.roles import Role
from compliance.alerts.services import raise_alert
from compliance.disputes.clocks import wait_of
from compliance.disputes.models import Dispute
from compliance.disputes.recording import lock_dispute
from compliance.disputes.states import State

DUTY = "dispute-overdue"
SERVICE_LEVEL = "the casino's service level"
# Who answers for it that disputes go on: of the operator, or with the inspector, of government.
OPERATOR_TOLD = (Role.SHIFT_MANAGER, Role.COMPLIANCE_OFFICER)
GOVERNMENT_TOLD = (Role.INSPECTOR,)
MOST_AT_ONCE = 200


def remind_of_overdue(*, now: datetime) -> int:
    """Every dispute that is overdue and of which nobody was told yet; how many. Done twice it changes nothing."""
    waiting = Dispute.objects.overdue(now).filter(reminded_at=None).order_by("due_at", "pk")
    return sum(_remind(dispute, now) for dispute in waiting.select_related("casino")[:MOST_AT_ONCE])


@transaction.atomic
def _remind(dispute: Dispute, now: datetime) -> bool:
    it = lock_dispute(dispute)
    wait = wait_of(it.where, it.ladder, it.rung)
    if wait is None or it.reminded_at is not None or not it.is_overdue(now):
        return False
    it.reminded_at = now
    it.save(update_fields=["reminded_at"])
    is_with_government = it.where in (State.WITH_INSPECTOR, State.DETERMINED)
    raise_alert(
        casino=it.casino, duty=DUTY, to=GOVERNMENT_TOLD if is_with_government else OPERATOR_TOLD,
        statement=f"Dispute {it.reference} waits for too long: {wait.label[:1].lower()}{wait.label[1:]}.",
        clause=SERVICE_LEVEL, now=now, about=(it.log, it.entry_index), table=it.table, immediately=False,
        fact_at=it.due_at,
    )  # fmt: skip
    return True
