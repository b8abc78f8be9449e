"""Alerts about overdue disputes and unanswered requests of inspectors: one alert each."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import BigIntegerField, Exists, OuterRef
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from compliance.core.accounts.roles import Role
from compliance.disputes import entry_kinds
from compliance.disputes.deadlines import current_waiting_period, request_due_at
from compliance.disputes.ladder.states import DisputeState
from compliance.disputes.models import Dispute, Step
from compliance.disputes.selectors import open_requests
from compliance.disputes.services.steps import lock_dispute
from compliance.notify.alerts.models import Alert
from compliance.notify.alerts.services import raise_alert
from rounds.ledger import read_only_log_slugs

DUTY, REQUEST_DUTY = "dispute-overdue", "dispute-request-overdue"
SERVICE_LEVEL, DAY_NAMED = "the casino's service level", "the day the inspector named"
# Roles responsible for progress: of the operator, or, while the inspector has it, of government.
OPERATOR_RECIPIENTS = (Role.SHIFT_MANAGER, Role.COMPLIANCE_OFFICER)
GOVERNMENT_RECIPIENTS = (Role.INSPECTOR,)
BATCH_SIZE = 200


def remind_of_overdue(*, now: datetime) -> int:
    """Raises an alert for every overdue dispute without one; returns how many. Idempotent."""
    recording = Dispute.objects.overdue(now).exclude(casino__slug__in=read_only_log_slugs())
    waiting = recording.filter(reminded_at=None).order_by("due_at", "pk")
    return sum(_remind_of_dispute(dispute, now) for dispute in waiting.select_related("casino")[:BATCH_SIZE])


@transaction.atomic
def _remind_of_dispute(dispute: Dispute, now: datetime) -> bool:
    it = lock_dispute(dispute)
    wait = current_waiting_period(it.current_state, it.ladder, it.rung)
    if wait is None or it.reminded_at is not None or not it.is_overdue(now):
        return False
    it.reminded_at = now
    it.save(update_fields=["reminded_at"])
    is_with_government = it.current_state in (DisputeState.WITH_INSPECTOR, DisputeState.DETERMINED)
    raise_alert(
        casino=it.casino,
        duty=DUTY,
        to=GOVERNMENT_RECIPIENTS if is_with_government else OPERATOR_RECIPIENTS,
        statement=f"Dispute {it.reference} waits for too long: {wait.label[:1].lower()}{wait.label[1:]}.",
        clause=SERVICE_LEVEL,
        now=now,
        about=(it.log, it.entry_index),
        table=it.table,
        immediately=False,
        fact_at=it.due_at,
    )
    return True


def remind_of_requests(*, now: datetime) -> int:
    """Raises an alert for every unanswered request past its day without one; returns how many. Idempotent."""
    recording = Step.objects.exclude(dispute__casino__slug__in=read_only_log_slugs())
    requests = recording.filter(kind=entry_kinds.ASKED, dispute__state=DisputeState.WITH_INSPECTOR)
    # Prefilter by UTC date, which only ever includes too many; request_due_at then checks the casino's own clock.
    waiting = requests.filter(~Exists(_ANSWERS), ~Exists(_REMINDERS), said__due_on__lte=now.date().isoformat())
    disputes = waiting.order_by("dispute").values_list("dispute", flat=True).distinct()[:BATCH_SIZE]
    return sum(_remind_of_requests(dispute, now) for dispute in Dispute.objects.filter(pk__in=list(disputes)))


_ANSWERS = (
    Step.objects.filter(kind=entry_kinds.ANSWERED, dispute=OuterRef("dispute"))
    .annotate(answers=Cast(KeyTextTransform("answers", "said"), BigIntegerField()))
    .filter(answers=OuterRef("entry_index"))
)
_REMINDERS = Alert.objects.filter(duty=REQUEST_DUTY, about_log=OuterRef("log"), about_index=OuterRef("entry_index"))


@transaction.atomic
def _remind_of_requests(dispute: Dispute, now: datetime) -> int:
    it = lock_dispute(dispute)
    waiting = open_requests(it)
    reminded = Alert.objects.filter(
        duty=REQUEST_DUTY, about_log=it.log, about_index__in=[each.step.entry_index for each in waiting]
    )
    reminded_indexes = set(reminded.values_list("about_index", flat=True))
    late = [
        (each.step, due)
        for each in waiting
        if (due := request_due_at(it.casino, each.due_on)) <= now and each.step.entry_index not in reminded_indexes
    ]
    for step, due in late:
        raise_alert(
            casino=it.casino,
            duty=REQUEST_DUTY,
            to=OPERATOR_RECIPIENTS,
            statement=f"Dispute {it.reference}: the inspector's request is not answered, and its day is over.",
            clause=DAY_NAMED,
            now=now,
            about=(step.log, step.entry_index),
            table=it.table,
            immediately=False,
            fact_at=due,
        )
    return len(late)
