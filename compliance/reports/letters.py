"""E-mails that a scheduled report is there, or could not be made: a link, because its contents may be personal."""

from collections.abc import Callable
from datetime import datetime

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse

from compliance.accounts.models import RoleHeld
from compliance.accounts.services.invitations import site_address
from compliance.alerts.delivering import AT_ONCE, MOST_ATTEMPTS, next_try_at, send_message
from compliance.alerts.states import Sending
from compliance.reports.models import Letter, Report
from compliance.web.letters import write_letter

Clock = Callable[[], datetime]


def post_letters(report: Report, now: datetime) -> None:
    """To whoever holds one of the schedule's roles now. Part of what finishes the report."""
    if report.schedule is None:
        return
    held = RoleHeld.objects.current().filter(casino=report.casino_id, role__in=report.schedule.to, user__is_active=True)
    people = held.order_by("user_id").values_list("user_id", flat=True).distinct()
    Letter.objects.bulk_create(Letter(report=report, recipient_id=person, next_try_at=now) for person in people)


def send_letters(clock: Clock) -> int:
    """Send whatever is due and nobody else is sending; how many were sent."""
    due = list(Letter.objects.due(clock()).values_list("pk", flat=True)[:AT_ONCE])
    return sum(_send(pk, clock) for pk in due)


@transaction.atomic
def _send(pk: int, clock: Clock) -> bool:
    """A message is sent before it is marked as sent: a worker that dies in between sends it twice, never not at all."""
    waiting = Letter.objects.select_for_update(skip_locked=True, no_key=True, of=("self",)).due(clock())
    letter = waiting.select_related("report__casino", "report__schedule", "recipient").filter(pk=pk).first()
    if letter is None:
        return False
    letter.attempts += 1
    trouble, now = send_message(_message(letter)), clock()
    if not trouble:
        letter.state, letter.sent_at = Sending.SENT, now
    elif letter.attempts >= MOST_ATTEMPTS:
        letter.state = Sending.GIVEN_UP
    else:
        letter.next_try_at = next_try_at(letter.attempts, now)
    letter.save(update_fields=["state", "sent_at", "attempts", "next_try_at"])
    return not trouble


def _message(letter: Letter) -> EmailMessage:
    report = letter.report
    address = reverse("reports:report", kwargs={"casino": report.casino.slug, "report": report.pk})
    context = {"report": report, "person": letter.recipient, "link": site_address() + address}
    subject, body = write_letter("reports/letters/ready.txt", context)
    headers = {"Message-ID": f"<report.{report.pk}.{letter.pk}@{settings.SITE_NAME}>"}
    return EmailMessage(subject, body, None, [letter.recipient.email], headers=headers)
