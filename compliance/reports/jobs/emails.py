"""E-mails that a scheduled report is ready or failed. They contain only a link, because reports may contain personal
data."""

from datetime import datetime

from django.core.mail import EmailMessage

from compliance.core.accounts.models import RoleAssignment, User
from compliance.core.web.mail.outbox import EmailPurpose, enqueue_email
from compliance.core.web.mail.render import render_email, site_base_url
from compliance.core.web.models import OutgoingEmail
from compliance.core.web.ui.links import casino_url
from compliance.reports.models import Report
from rounds.ledger import encode_timestamp


def enqueue_report_emails(report: Report, now: datetime) -> None:
    """One e-mail to each current holder of the schedule's roles. Runs in the transaction that finishes the report."""
    if report.schedule is None:
        return
    assigned = RoleAssignment.objects.current().filter(casino=report.casino_id, role__in=report.schedule.to)
    people = User.objects.filter(is_active=True, roles__in=assigned).order_by("pk").distinct()
    for person in people:
        # With the time, because a report that was tried again ends again.
        reference = {"report": report.pk, "person": person.pk, "ended_at": _ended_at_text(report)}
        enqueue_email(PURPOSE.name, person.email, reference, now)


def _ended_at_text(report: Report) -> str | None:
    return encode_timestamp(report.ended_at) if report.ended_at else None


def render_report_email(email: OutgoingEmail) -> EmailMessage | None:
    """None for a report that was tried again since: another e-mail tells how it ends."""
    report = Report.objects.select_related("casino", "schedule").get(pk=email.reference["report"])
    if email.reference.get("ended_at") != _ended_at_text(report):
        return None
    address = casino_url("reports:report", report.casino, report=report.pk)
    person = User.objects.get(pk=email.reference["person"])
    context = {"report": report, "person": person, "link": site_base_url() + address}
    return EmailMessage(*render_email("reports/emails/ready.txt", context))


PURPOSE = EmailPurpose("report", render_report_email)
