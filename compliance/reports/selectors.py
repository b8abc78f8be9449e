"""Who may ask for reports and read them. Reports are reached only through access_report."""

from django.db.models import QuerySet

from compliance.accounts.models import Casino, User
from compliance.accounts.roles import GOVERNMENT, Role
from compliance.reports.models import Report
from compliance.web.errors import NotFound

MAY_REPORT = GOVERNMENT | {Role.COMPLIANCE_OFFICER}


def require_reporter(actor: User, casino: Casino) -> None:
    if not actor.holds(*MAY_REPORT, casino=casino):
        raise NotFound


def access_report(user: User, casino: Casino, report_id: int) -> Report:
    report = Report.objects.filter(pk=report_id, casino=casino).select_related("casino").first()
    if report is None or not user.holds(*MAY_REPORT, casino=casino):
        raise NotFound
    return report


def reports_of(casino: Casino) -> QuerySet[Report]:
    return Report.objects.filter(casino=casino).select_related("casino")
