"""Transactional outbox: e-mails are rows written in the transaction of their cause, and workers send them.

Idempotent, delivery at least once: an e-mail is sent before it is marked as sent, so a worker that dies in between
sends it again, with the same Message-ID, by which mailboxes can recognise it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from smtplib import SMTPRecipientsRefused, SMTPResponseException
from typing import Any

import structlog
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Q

from compliance.core.web.jobs.wake import wake
from compliance.core.web.local_time import Clock
from compliance.core.web.models import EmailState, OutgoingEmail

logger = structlog.get_logger(__name__)

SEND_TASK = "compliance.core.web.tasks.send_emails"
# Back-off after each failure; the last value applies to all further attempts.
RETRY_DELAYS = tuple(timedelta(seconds=seconds) for seconds in (10, 30, 60, 120, 300, 600))
MAX_ATTEMPTS = 20
BATCH_SIZE = 200
# Rows contain addresses, so they are deleted after this time.
RETENTION = timedelta(days=90)


@dataclass(frozen=True)
class EmailPurpose:
    """A kind of e-mail. `render` makes the message when it is sent, or returns None if it must not be sent any more.
    `held_back` selects e-mails that cannot be sent now; `on_attempt` runs in the transaction of each attempt."""

    name: str
    render: Callable[[OutgoingEmail], EmailMessage | None]
    held_back: Callable[[], Q] | None = None
    on_attempt: Callable[[OutgoingEmail, datetime], None] = lambda email, now: None


_purposes: dict[str, EmailPurpose] = {}


def register_purposes(*purposes: EmailPurpose) -> None:
    """Apps call it in AppConfig.ready."""
    _purposes.update({purpose.name: purpose for purpose in purposes})


def enqueue_emails(emails: Iterable[OutgoingEmail]) -> None:
    """Writes outbox rows within the caller's transaction; a worker is woken after commit."""
    rows = list(emails)
    for row in rows:
        row.next_try_at = row.created_at
    if OutgoingEmail.objects.bulk_create(rows):
        wake(SEND_TASK)


def enqueue_email(
    purpose: str, to: str, reference: dict[str, Any], now: datetime, *, secret: str = ""
) -> OutgoingEmail:
    email = OutgoingEmail(purpose=purpose, to=to, reference=reference, secret=secret, created_at=now)
    enqueue_emails([email])
    return email


def send_due_emails(clock: Clock) -> int:
    """Sends due e-mails that no other worker has locked; returns how many were sent."""
    sendable = OutgoingEmail.objects.due(clock())
    for purpose in _purposes.values():
        if purpose.held_back is not None:
            sendable = sendable.exclude(Q(purpose=purpose.name) & purpose.held_back())
    due = list(sendable.values_list("pk", flat=True)[:BATCH_SIZE])
    sent = sum(_send_or_postpone(pk, clock) for pk in due)
    if len(due) == BATCH_SIZE:
        wake(SEND_TASK)
    return sent


def _send_or_postpone(pk: int, clock: Clock) -> bool:
    """Isolates failures: an e-mail that cannot be rendered or recorded must not stop those after it."""
    try:
        return _send_one(pk, clock)
    except Exception as error:
        logger.error("email_failed", email=pk, exc_info=True)
        with transaction.atomic():
            email = OutgoingEmail.objects.select_for_update(skip_locked=True, no_key=True).filter(pk=pk).first()
            if email is not None and email.state == EmailState.WAITING:
                _save_attempt(email, f"It could not be prepared ({type(error).__name__}).", clock())
        return False


@transaction.atomic
def _send_one(pk: int, clock: Clock) -> bool:
    unlocked = OutgoingEmail.objects.select_for_update(skip_locked=True, no_key=True).due(clock())
    email = unlocked.filter(pk=pk).first()
    if email is None:
        return False
    purpose = _purposes[email.purpose]
    message = purpose.render(email)
    if message is None:
        email.state, email.secret = EmailState.WITHHELD, ""
        email.save(update_fields=["state", "secret"])
        return False
    message.to = [email.to]
    message.extra_headers["Message-ID"] = f"<{email.purpose}.{email.pk}@{settings.SITE_NAME}>"
    error = _send(message)
    # Read after sending, because this is the time of the event.
    now = clock()
    _save_attempt(email, error, now)
    purpose.on_attempt(email, now)
    return not error


def _save_attempt(email: OutgoingEmail, error: str, now: datetime) -> None:
    email.attempts += 1
    email.last_error = error
    if not error:
        email.state, email.sent_at = EmailState.SENT, now
    elif email.attempts >= MAX_ATTEMPTS:
        email.state = EmailState.GIVEN_UP
    else:
        email.next_try_at = now + RETRY_DELAYS[min(email.attempts, len(RETRY_DELAYS)) - 1]
    if email.state != EmailState.WAITING:
        email.secret = ""
    email.save(update_fields=["state", "attempts", "next_try_at", "sent_at", "last_error", "secret"])


def _send(message: EmailMessage) -> str:
    """Why sending failed, without any e-mail address; "" if the mail server accepted it."""
    try:
        return "" if message.send() else "The mail server took no message."
    except SMTPRecipientsRefused as error:
        codes = sorted({str(code) for code, _ in error.recipients.values()})
        return f"The mail server refused it ({', '.join(codes)})."
    except SMTPResponseException as error:
        return f"The mail server refused it ({error.smtp_code})."
    except (OSError, ValueError) as error:
        return f"The mail server could not be reached ({type(error).__name__})."


def delete_old_emails(now: datetime) -> None:
    OutgoingEmail.objects.filter(created_at__lt=now - RETENTION).exclude(state=EmailState.WAITING).delete()
