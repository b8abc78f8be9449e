"""The period review: the dashboard of a period on paper, with its charts, and every serious finding with its proof."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from compliance.accounts.models import Casino
from compliance.audit.codes import Severity
from compliance.audit.models import Finding, FindingQuerySet, PlayedDay
from compliance.reports.assembling import assemble
from compliance.reports.basis import basis_of, versions_between
from compliance.reports.contents.findings import findings_section, last_decisions
from compliance.reports.dashboard.figures import Figures
from compliance.reports.dashboard.panels import sections_of
from compliance.reports.document import Drawn, Section
from compliance.reports.period import Period, period_of


def count(casino: Casino, chosen: Mapping[str, Any]) -> int:
    """One for the figures, which are there for any period."""
    return 1 + _serious(period_of(casino, chosen)).count()


def build(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> Drawn:
    period = period_of(casino, chosen)
    sections, drawings = sections_of(Figures(period, now))
    found = list(_serious(period).order_by("at", "pk").defer("explanation"))
    decided = last_decisions(found)
    listed = findings_section(found, decided, casino)
    serious = Section(title="Serious findings", grid=listed.grid)
    # Where each audited range with play of the period begins: its coverage is stated and attached.
    ranges = PlayedDay.objects.filter(log=casino.slug, gaming_day__range=(period.first, period.last))
    indexes = {*ranges.values_list("first", flat=True), *(one.subject_index for one in found)}
    versions = versions_between(casino, period.begins_at, period.ends_at)
    return assemble(
        casino, now,
        title="Period review",
        subject=f"{casino.name}, {period.words}",
        sections=(*sections, serious),
        basis=basis_of(casino, versions, indexes),
        entries={*(one.subject_index for one in found), *(one.entry_index for one in decided.values())},
        drawings=drawings,
    )  # fmt: skip


def _serious(period: Period) -> FindingQuerySet:
    found = Finding.objects.standing().filter(casino=period.casino, severity=Severity.SERIOUS)
    return found.filter(at__gte=period.begins_at, at__lt=period.ends_at)
