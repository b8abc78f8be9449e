"""The demo's first reports: a certificate of each ledger, and the daily audit report by schedule."""

from datetime import datetime

from compliance.accounts.demo import email_of
from compliance.accounts.models import User
from compliance.accounts.roles import Role
from compliance.reports.contents import MAY_REPORT
from compliance.reports.models import Report, Schedule
from compliance.reports.scheduling import schedule_report
from compliance.reports.services import ask_for_report
from compliance.reports.states import Every


def make_demo_reports(now: datetime) -> None:
    """Idempotent: a casino that has a report or a schedule needs no other."""
    inspector = User.objects.get(email=email_of(Role.INSPECTOR))
    for casino in inspector.casinos_with(*MAY_REPORT):
        if not Report.objects.filter(casino=casino).exists():
            ask_for_report(casino=casino, kind="certificate", chosen={}, actor=inspector, now=now)
        if not Schedule.objects.filter(casino=casino).exists():
            schedule_report(casino=casino, kind="daily", every=Every.DAY, to=[Role.INSPECTOR], actor=inspector, now=now)
