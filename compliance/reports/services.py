"""Asking for a report. Workers make it; the row remembers it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from compliance.accounts.models import Casino, User
from compliance.reports.contents import KINDS
from compliance.reports.errors import NothingToReport, ReportTooLarge
from compliance.reports.models import Report
from compliance.reports.selectors import require_reporter
from compliance.web.bell import ring

MAKE = "compliance.reports.tasks.make_reports"
MOST_ROWS = 20_000


@transaction.atomic
def ask_for_report(*, casino: Casino, kind: str, chosen: Mapping[str, Any], actor: User, now: datetime) -> Report:
    """The entry comes when its pages are there; until then this is a wish."""
    require_reporter(actor, casino)
    rows = KINDS[kind].rows
    if rows is not None:
        number = rows(casino, chosen)
        if number == 0:
            raise NothingToReport
        if number > MOST_ROWS:
            raise ReportTooLarge(f"That is {number:,} rows; one report holds at most {MOST_ROWS:,}.")
    report = Report.objects.create(
        casino=casino, kind=kind, chosen=dict(chosen), asked_by=actor, asked_by_name=actor.name, asked_at=now,
        title=KINDS[kind].title,
    )  # fmt: skip
    ring(MAKE)
    return report
