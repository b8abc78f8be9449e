"""E-mails that a scheduled report is there, or could not be made: a link, because its contents may be personal."""

from datetime import datetime

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse

from compliance.accounts.models import RoleHeld
from compliance.accounts.services.invitations import site_address
from compliance.alerts.delivering import AT_ONCE, try_to_send
from compliance.reports.models import Letter, Report
from compliance.web.letters import write_letter
from compliance.web.moments import Clock


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
    waiting = Letter.objects.select_for_update(skip_locked=True, no_key=True, of=("self",)).due(clock())
    letter = waiting.select_related("report__casino", "report__schedule", "recipient").filter(pk=pk).first()
    return letter is not None and try_to_send(letter, _message(letter), clock)


def _message(letter: Letter) -> EmailMessage:
    report = letter.report
    address = reverse("reports:report", kwargs={"casino": report.casino.slug, "report": report.pk})
    context = {"report": report, "person": letter.recipient, "link": site_address() + address}
    subject, body = write_letter("reports/letters/ready.txt", context)
    headers = {"Message-ID": f"<report.{report.pk}.{letter.pk}@{settings.SITE_NAME}>"}
    return EmailMessage(subject, body, None, [letter.recipient.email], headers=headers)
