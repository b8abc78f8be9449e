"""The demo's first report: a certificate of each ledger, asked for once and made by the worker like any other."""

from datetime import datetime

from compliance.accounts.demo import email_of
from compliance.accounts.models import User
from compliance.accounts.roles import Role
from compliance.reports.contents import MAY_REPORT
from compliance.reports.models import Report
from compliance.reports.services import ask_for_report


def make_demo_reports(now: datetime) -> None:
    """Idempotent: a casino of which a report was asked for needs no other."""
    inspector = User.objects.get(email=email_of(Role.INSPECTOR))
    for casino in inspector.casinos_with(*MAY_REPORT):
        if not Report.objects.filter(casino=casino).exists():
            ask_for_report(casino=casino, kind="certificate", chosen={}, actor=inspector, now=now)
