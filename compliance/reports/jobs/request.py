"""Requests for reports, cancel and retry. A row is queued, and a worker generates the report."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from compliance.core.accounts.models import Casino, User
from compliance.core.web.jobs.job import cancel_job, retry_job
from compliance.core.web.jobs.wake import wake
from compliance.reports.errors import NothingToReport
from compliance.reports.jobs.size_limits import count_rows_within_limit
from compliance.reports.kinds import REPORT_KINDS
from compliance.reports.models import Report
from compliance.reports.selectors import access_report_kind


@transaction.atomic
def request_report(*, casino: Casino, kind: str, chosen: Mapping[str, Any], actor: User, now: datetime) -> Report:
    """Queues a report. Its entry is appended once the pages are generated."""
    access_report_kind(actor, casino, kind)
    if count_rows_within_limit(casino, kind, chosen) == 0:
        raise NothingToReport(f"There are no {REPORT_KINDS[kind].of} in what you chose.")
    report = Report.objects.create(
        casino=casino,
        kind=kind,
        chosen=dict(chosen),
        asked_by=actor,
        asked_by_name=actor.name,
        asked_at=now,
        title=REPORT_KINDS[kind].title,
    )
    wake(Report.task)
    return report


def cancel_report(*, report: Report, actor: User, now: datetime) -> Report:
    access_report_kind(actor, report.casino, report.kind)
    return cancel_job(report, by_name=actor.name, now=now)


def retry_report(*, report: Report, actor: User) -> Report:
    access_report_kind(actor, report.casino, report.kind)
    return retry_job(report)
