"""Permissions on reports. Reports and schedules are fetched only through access_*."""

from django.db.models import Q, QuerySet

from compliance.core.accounts.models import Casino, User
from compliance.core.web.errors import NotFound
from compliance.reports.kinds import MAY_REPORT, REPORT_KINDS, ReportKind
from compliance.reports.models import Report, Schedule


def report_kinds_for(user: User, casino: Casino) -> list[ReportKind]:
    """Kinds that this person may request and read at a casino."""
    return [kind for kind in REPORT_KINDS.values() if user.has_role(*kind.readers, casino=casino)]


def access_report_kind(user: User, casino: Casino, slug: str) -> ReportKind:
    kind = REPORT_KINDS.get(slug)
    if kind is None or not user.has_role(*kind.readers, casino=casino):
        raise NotFound
    return kind


def require_reporter(actor: User, casino: Casino) -> None:
    """Requires a role that may read every kind of report."""
    if not actor.has_role(*MAY_REPORT, casino=casino):
        raise NotFound


def access_report(user: User, casino: Casino, report_id: int) -> Report:
    report = Report.objects.filter(pk=report_id, casino=casino).select_related("casino").first()
    if report is None:
        raise NotFound
    access_report_kind(user, casino, report.kind)
    return report


def access_schedule(user: User, casino: Casino, schedule_id: int) -> Schedule:
    schedule = Schedule.objects.filter(pk=schedule_id, casino=casino).select_related("casino").first()
    if schedule is None or not user.has_role(*MAY_REPORT, casino=casino):
        raise NotFound
    return schedule


def search_reports(user: User, casino: Casino, *, words: str = "", kind: str = "", state: str = "") -> QuerySet[Report]:
    kinds = [each.slug for each in report_kinds_for(user, casino)]
    reports = Report.objects.filter(casino=casino, kind__in=kinds).select_related("casino")
    if words:
        by_text = Q(title__icontains=words) | Q(asked_by_name__icontains=words)
        number = words if words.isascii() and words.isdigit() and len(words) < 10 else ""
        reports = reports.filter(by_text | Q(pk=int(number)) if number else by_text)
    if kind:
        reports = reports.filter(kind=kind)
    return reports.filter(state=state) if state else reports


def schedules_of(casino: Casino) -> QuerySet[Schedule]:
    return Schedule.objects.filter(casino=casino).select_related("casino")
