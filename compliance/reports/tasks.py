"""The bell of reports. PostgreSQL remembers what to make and send: a lost ring or a second changes nothing."""

from contextlib import suppress

from celery import shared_task
from django.utils import timezone

from compliance.core.web.pdf.signer import CannotSign
from compliance.reports.jobs.emails import send_report_emails
from compliance.reports.jobs.generate import generate_waiting_reports
from compliance.reports.jobs.request import GENERATE_TASK
from compliance.reports.jobs.schedules import request_due_reports
from compliance.reports.signing_certificates import record_certificate_in_all_logs


@shared_task(name=GENERATE_TASK)
def make_reports() -> None:
    """What is due by schedule first, so that it is made and told of in the same turn."""
    # Whoever runs the service may have put another key there. Without any, the status page says so.
    with suppress(CannotSign):
        record_certificate_in_all_logs(timezone.now())
    request_due_reports(timezone.now())
    generate_waiting_reports(timezone.now)
    send_report_emails(timezone.now)
