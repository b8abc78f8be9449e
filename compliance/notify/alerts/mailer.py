"""Work of the alert workers: send due e-mails, retry failed ones, escalate. Idempotent, delivery at least once: an
e-mail is sent before it is recorded as sent, so a worker that dies in between sends it again, with the same
Message-ID, by which mailboxes can recognise it."""

from datetime import datetime, timedelta
from smtplib import SMTPRecipientsRefused, SMTPResponseException
from typing import Any, Protocol

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import models, transaction
from django.urls import reverse

from compliance.core.web.jobs.wake import wake
from compliance.core.web.local_time import Clock, format_local
from compliance.core.web.mail.render import render_email, site_base_url
from compliance.notify.alerts.ladder import ladder_of
from compliance.notify.alerts.models import Alert, Delivery
from compliance.notify.alerts.services import DELIVER_TASK, build_deliveries, record_step
from compliance.notify.alerts.states import DeliveryState, StepKind
from rounds.ledger import read_only_log_slugs

# Back-off after each failure; the last value applies to all further attempts.
RETRY_DELAYS = tuple(timedelta(seconds=seconds) for seconds in (10, 30, 60, 120, 300, 600))
MAX_ATTEMPTS = 20
BATCH_SIZE = 200


def deliver_due(clock: Clock) -> int:
    """Sends due e-mails that no other worker has locked; returns how many were sent."""
    # If the log is read-only the e-mail could not be recorded, and would be sent again and again.
    recording = Delivery.objects.due(clock()).exclude(alert__casino__slug__in=read_only_log_slugs())
    due = list(recording.values_list("pk", flat=True)[:BATCH_SIZE])
    sent = sum(_deliver_one(pk, clock) for pk in due)
    if len(due) == BATCH_SIZE:
        wake(DELIVER_TASK)
    return sent


@transaction.atomic
def _deliver_one(pk: int, clock: Clock) -> bool:
    waiting = Delivery.objects.select_for_update(skip_locked=True, no_key=True, of=("self",))
    delivery = waiting.due(clock()).select_related("alert__casino", "recipient").filter(pk=pk).first()
    if delivery is None:
        return False
    delivery.attempts += 1
    # The step is recorded with the level at which this person was notified.
    alert = delivery.alert
    alert.level = delivery.level
    trouble = _send_alert_email(delivery)
    # Read after sending, because this is the time of the event.
    now, step = clock(), {"person": delivery.recipient, "roles": [delivery.role], "attempt": delivery.attempts}
    if trouble:
        _schedule_retry(delivery, now)
        record_step(alert, StepKind.FAILED, now, detail=trouble, **step)  # type: ignore[arg-type]
        return False
    delivery.state, delivery.sent_at = DeliveryState.SENT, now
    delivery.save(update_fields=["state", "sent_at", "attempts"])
    if delivery.role in alert.to:
        # Only roles that the rules name count as delivery; people reached by escalation do not.
        Alert.objects.filter(pk=delivery.alert_id, delivered_at=None).update(delivered_at=now)
    record_step(alert, StepKind.SENT, now, **step)  # type: ignore[arg-type]
    return True


def _schedule_retry(delivery: Delivery, now: datetime) -> None:
    if delivery.attempts >= MAX_ATTEMPTS:
        delivery.state = DeliveryState.GIVEN_UP
    delivery.next_try_at = next_try_at(delivery.attempts, now)
    delivery.save(update_fields=["state", "next_try_at", "attempts"])


def next_try_at(attempts: int, now: datetime) -> datetime:
    return now + RETRY_DELAYS[min(attempts, len(RETRY_DELAYS)) - 1]


def _send_alert_email(delivery: Delivery) -> str:
    alert, person = delivery.alert, delivery.recipient
    address = reverse("alerts:alert", kwargs={"casino": alert.casino.slug, "alert": alert.entry_index})
    context = {
        "alert": alert,
        "person": person,
        "link": site_base_url() + address,
        "fact_at": format_local(alert.fact_at, alert.casino),
        "raised_at": format_local(alert.raised_at, alert.casino),
    }
    subject, body = render_email("alerts/emails/alert.txt", context)
    message_id = f"<alert.{alert.log}.{alert.entry_index}.{delivery.pk}@{settings.SITE_NAME}>"
    message = EmailMessage(subject, body, None, [person.email], headers={"Message-ID": message_id})
    return send_email(message)


def send_email(message: EmailMessage) -> str:
    """Why sending failed, without any e-mail address; "" if the mail server accepted it."""
    try:
        return "" if message.send() else "The mail server took no message."
    except SMTPRecipientsRefused as error:
        return (
            f"The mail server refused it ({', '.join(sorted({str(code) for code, _ in error.recipients.values()}))})."
        )
    except SMTPResponseException as error:
        return f"The mail server refused it ({error.smtp_code})."
    except (OSError, ValueError) as error:
        return f"The mail server could not be reached ({type(error).__name__})."


class OutboxRow(Protocol):
    """Outbox row of another app: an e-mail that waits to be sent."""

    state: Any
    attempts: Any
    next_try_at: Any
    sent_at: Any

    def save(self, *, update_fields: list[str]) -> None: ...


def send_outbox_row(row: OutboxRow, email: EmailMessage, clock: Clock) -> bool:
    """Sends the e-mail of a locked row.
    Sent before it is marked: a worker that dies in between sends it twice, never not at all."""
    row.attempts += 1
    trouble, now = send_email(email), clock()
    if not trouble:
        row.state, row.sent_at = DeliveryState.SENT, now
    elif row.attempts >= MAX_ATTEMPTS:
        row.state = DeliveryState.GIVEN_UP
    else:
        row.next_try_at = next_try_at(row.attempts, now)
    row.save(update_fields=["state", "sent_at", "attempts", "next_try_at"])
    return not trouble


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
    people = build_deliveries(alert, alert.told, now)
    next_due_at = rungs[alert.level].due_at(alert.raised_at) if alert.level < len(rungs) else None
    alert.escalates_at = now if next_due_at and not people else next_due_at
    alert.save(update_fields=["level", "told", "escalates_at"])
    Delivery.objects.bulk_create(people)
    waited = int((now - alert.raised_at).total_seconds() // 60)
    record_step(alert, StepKind.ESCALATED, now, roles=roles, detail=f"Not acknowledged after {waited} min.")
    wake(DELIVER_TASK)
    return True
