"""Demo reports: a certificate of each ledger, and a scheduled daily audit report."""

from datetime import datetime

from compliance.core.accounts.demo import demo_email
from compliance.core.accounts.models import User
from compliance.core.accounts.roles import Role
from compliance.reports.jobs.request import request_report
from compliance.reports.jobs.schedules import schedule_report
from compliance.reports.kinds import MAY_REPORT
from compliance.reports.models import Report, Schedule
from compliance.reports.states import ScheduleInterval


def make_demo_reports(now: datetime) -> None:
    """Idempotent: skips casinos that have a report or a schedule."""
    inspector = User.objects.get(email=demo_email(Role.INSPECTOR))
    for casino in inspector.casinos_with(*MAY_REPORT):
        if not Report.objects.filter(casino=casino).exists():
            request_report(casino=casino, kind="certificate", chosen={}, actor=inspector, now=now)
        if not Schedule.objects.filter(casino=casino).exists():
            schedule_report(
                casino=casino, kind="daily", every=ScheduleInterval.DAY, to=[Role.INSPECTOR], actor=inspector, now=now
            )
