"""Asking for a report. Workers make it; the row remembers it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from compliance.accounts.models import Casino, User
from compliance.reports.contents import KINDS
from compliance.reports.errors import NothingToReport
from compliance.reports.models import Report
from compliance.reports.selectors import access_kind
from compliance.reports.sizes import rows_in
from compliance.web.bell import ring

MAKE = "compliance.reports.tasks.make_reports"


@transaction.atomic
def ask_for_report(*, casino: Casino, kind: str, chosen: Mapping[str, Any], actor: User, now: datetime) -> Report:
    """The entry comes when its pages are there; until then this is a wish."""
    access_kind(actor, casino, kind)
    if rows_in(casino, kind, chosen) == 0:
        raise NothingToReport(f"There are no {KINDS[kind].of} in what you chose.")
    report = Report.objects.create(
        casino=casino, kind=kind, chosen=dict(chosen), asked_by=actor, asked_by_name=actor.name, asked_at=now,
        title=KINDS[kind].title,
    )  # fmt: skip
    ring(MAKE)
    return report
