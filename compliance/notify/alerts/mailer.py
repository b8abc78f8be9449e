"""E-mails about alerts, each attempt recorded as a step; and escalation, which e-mails the next people."""

from datetime import datetime

from django.core.mail import EmailMessage
from django.db import models, transaction

from compliance.core.accounts.models import User
from compliance.core.web.local_time import Clock, format_local
from compliance.core.web.mail.outbox import EmailPurpose, enqueue_emails
from compliance.core.web.mail.render import render_email, site_base_url
from compliance.core.web.models import OutgoingEmail
from compliance.core.web.ui.links import casino_url
from compliance.notify.alerts.ladder import ladder_of
from compliance.notify.alerts.models import Alert
from compliance.notify.alerts.services import EMAIL_PURPOSE, emails_to, record_step
from compliance.notify.alerts.states import AlertStepKind
from rounds.ledger import read_only_log_slugs

BATCH_SIZE = 200


def render_alert_email(email: OutgoingEmail) -> EmailMessage:
    alert = _alert_of(email)
    address = casino_url("alerts:alert", alert.casino, alert=alert.entry_index)
    context = {
        "alert": alert,
        "person": _recipient_of(email),
        "link": site_base_url() + address,
        "fact_at": format_local(alert.fact_at, alert.casino),
        "raised_at": format_local(alert.raised_at, alert.casino),
    }
    return EmailMessage(*render_email("alerts/emails/alert.txt", context))


def record_attempt(email: OutgoingEmail, now: datetime) -> None:
    alert, role = _alert_of(email), email.reference["role"]
    if email.last_error:
        step, detail = AlertStepKind.FAILED, email.last_error
    else:
        step, detail = AlertStepKind.SENT, ""
        if role in alert.to:
            # Only roles that the rules name count as delivery; people reached by escalation do not.
            Alert.objects.filter(pk=alert.pk, delivered_at=None).update(delivered_at=now)
    record_step(alert, step, now, person=_recipient_of(email), roles=[role], attempt=email.attempts, detail=detail)


def held_back() -> models.Q:
    """If the log is read-only the e-mail could not be recorded, and would be sent again and again."""
    return models.Q(reference__log__in=list(read_only_log_slugs()))


def _alert_of(email: OutgoingEmail) -> Alert:
    reference = email.reference
    alerts = Alert.objects.select_related("casino")
    alert = alerts.get(log=reference["log"], entry_index=reference["alert"])
    # Unsaved: the level at which this person is notified.
    alert.level = reference["level"]
    return alert


def _recipient_of(email: OutgoingEmail) -> User:
    return User.objects.get(pk=email.reference["person"])


PURPOSE = EmailPurpose(EMAIL_PURPOSE, render_alert_email, held_back, record_attempt)


def escalate_due(clock: Clock) -> int:
    """Escalates each alert whose next rung is due; returns the number of rungs."""
    climbed = 0
    while due := list(_alerts_to_escalate(clock()).values_list("pk", flat=True)[:BATCH_SIZE]):
        # However long the workers were down, each rung is climbed once and in order.
        rungs = sum(_escalate_one(pk, clock) for pk in due)
        climbed += rungs
        if not rungs:
            break
    return climbed


def _alerts_to_escalate(now: datetime) -> models.QuerySet[Alert]:
    waiting = Alert.objects.waiting().exclude(casino__slug__in=read_only_log_slugs())
    return waiting.filter(escalates_at__lte=now).order_by("escalates_at", "pk")


@transaction.atomic
def _escalate_one(pk: int, clock: Clock) -> bool:
    now = clock()
    locked = _alerts_to_escalate(now).select_for_update(skip_locked=True, no_key=True, of=("self",))
    alert = locked.select_related("casino").filter(pk=pk).first()
    if alert is None:
        return False
    rungs = ladder_of(alert)
    if alert.level >= len(rungs):
        Alert.objects.filter(pk=pk).update(escalates_at=None)
        return False
    roles = [role.value for role in rungs[alert.level].roles]
    alert.level += 1
    alert.told = list(dict.fromkeys([*alert.told, *roles]))
    emails = emails_to(alert, alert.told, now)
    next_due_at = rungs[alert.level].due_at(alert.raised_at) if alert.level < len(rungs) else None
    alert.escalates_at = now if next_due_at and not emails else next_due_at
    alert.save(update_fields=["level", "told", "escalates_at"])
    enqueue_emails(emails)
    waited = int((now - alert.raised_at).total_seconds() // 60)
    record_step(alert, AlertStepKind.ESCALATED, now, roles=roles, detail=f"Not acknowledged after {waited} min.")
    return True
