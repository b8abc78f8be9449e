"""E-mails that a scheduled report is ready or failed. They contain only a link, because reports may contain personal
data."""

from datetime import datetime

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse

from compliance.core.accounts.models import RoleAssignment
from compliance.core.web.local_time import Clock
from compliance.core.web.mail.render import render_email, site_base_url
from compliance.notify.alerts.mailer import BATCH_SIZE, send_outbox_row
from compliance.reports.models import Report, ReportEmail


def enqueue_emails(report: Report, now: datetime) -> None:
    """Adds an outbox row for each current holder of the schedule's roles. Runs in the transaction that finishes the
    report."""
    if report.schedule is None:
        return
    assignments = RoleAssignment.objects.current().filter(
        casino=report.casino_id, role__in=report.schedule.to, user__is_active=True
    )
    people = assignments.order_by("user_id").values_list("user_id", flat=True).distinct()
    ReportEmail.objects.bulk_create(
        ReportEmail(report=report, recipient_id=person, next_try_at=now) for person in people
    )


def send_report_emails(clock: Clock) -> int:
    """Sends due outbox rows that no other worker has locked. Returns how many were sent."""
    due = list(ReportEmail.objects.due(clock()).values_list("pk", flat=True)[:BATCH_SIZE])
    return sum(_send_email(pk, clock) for pk in due)


@transaction.atomic
def _send_email(pk: int, clock: Clock) -> bool:
    waiting = ReportEmail.objects.select_for_update(skip_locked=True, no_key=True, of=("self",)).due(clock())
    email = waiting.select_related("report__casino", "report__schedule", "recipient").filter(pk=pk).first()
    return email is not None and send_outbox_row(email, _build_message(email), clock)


def _build_message(email: ReportEmail) -> EmailMessage:
    report = email.report
    address = reverse("reports:report", kwargs={"casino": report.casino.slug, "report": report.pk})
    context = {"report": report, "person": email.recipient, "link": site_base_url() + address}
    subject, body = render_email("reports/emails/ready.txt", context)
    headers = {"Message-ID": f"<report.{report.pk}.{email.pk}@{settings.SITE_NAME}>"}
    return EmailMessage(subject, body, None, [email.recipient.email], headers=headers)
