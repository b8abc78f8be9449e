"""Periodic task of reports. Idempotent: the database holds what is due, so a lost or repeated message changes
nothing."""

from contextlib import suppress

from celery import shared_task
from django.utils import timezone

from compliance.core.web.pdf.signer import CannotSign
from compliance.reports.jobs.generate import generate_waiting_reports
from compliance.reports.jobs.schedules import request_due_reports
from compliance.reports.models import Report
from compliance.reports.signing_certificates import record_certificate_in_all_logs


@shared_task(name=Report.task)
def run_report_jobs() -> None:
    """Schedules first, so that a due report is generated in the same run."""
    # The operator may have replaced the key file. If there is none, the status page reports it.
    with suppress(CannotSign):
        record_certificate_in_all_logs(timezone.now())
    request_due_reports(timezone.now())
    generate_waiting_reports(timezone.now)
