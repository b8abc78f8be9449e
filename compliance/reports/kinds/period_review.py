"""Period review: the dashboard of a period as PDF with its charts, and every serious finding with its proof."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from compliance.audit.catalogue.finding_code import Severity
from compliance.audit.models import DailyTotals, Finding, FindingQuerySet
from compliance.core.accounts.models import Casino
from compliance.core.corrections.report_section import corrections_between
from compliance.core.web.pdf.sections import Grid, ReportColumn, Row, Section
from compliance.reports.dashboard.figures import DashboardFigures
from compliance.reports.dashboard.panels import build_sections
from compliance.reports.document.assemble import assemble_document
from compliance.reports.document.audit_basis import build_basis, versions_between
from compliance.reports.document.formatting import format_day
from compliance.reports.document.period import Period, period_from_options
from compliance.reports.document.structure import IllustratedDocument
from compliance.reports.kinds.findings import findings_section, last_decisions


def count_rows(casino: Casino, chosen: Mapping[str, Any]) -> int:
    """At least one, because the figures exist for any period."""
    return 1 + _serious_findings(period_from_options(casino, chosen)).count()


def build(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> IllustratedDocument:
    period = period_from_options(casino, chosen)
    figures = DashboardFigures(period, now)
    sections, drawings = build_sections(figures)
    findings = list(_serious_findings(period).order_by("at", "pk").defer("explanation"))
    decided = last_decisions(findings)
    listed = findings_section(findings, decided, casino)
    corrections = corrections_between(casino, period.begins_at, period.ends_at)
    serious = Section(title="Serious findings", grid=listed.grid)
    # First entry of each audited range with play in the period. Its coverage is stated and attached.
    ranges = DailyTotals.objects.filter(log=casino.slug, gaming_day__range=(period.first, period.last))
    indexes = {*ranges.values_list("first", flat=True), *(one.subject_index for one in findings)}
    versions = versions_between(casino, period.begins_at, period.ends_at)
    return assemble_document(
        casino,
        now,
        title="Period review",
        subject=f"{casino.name}, {period.words}",
        sections=(
            *sections,
            serious,
            _signals_section(figures),
            *corrections,
        ),
        basis=build_basis(casino, versions, indexes),
        entries={*(one.subject_index for one in findings), *(one.entry_index for one in decided.values())},
        drawings=drawings,
    )


def _signals_section(figures: DashboardFigures) -> Section:
    headings = (
        ReportColumn("Signal", 2, quotes="code"),
        ReportColumn("Of", 3),
        ReportColumn("Examined for", 2),
        ReportColumn("Test", 4),
        ReportColumn("Rounds", 2, True, quotes="rounds"),
        ReportColumn("p-value", 2, True, quotes="p_value"),
    )
    rows = tuple(
        Row(
            (
                one.code,
                one.subject_label,
                format_day(one.gaming_day),
                one.tested_label,
                f"{one.rounds:,}",
                one.p_value,
            ),
            one.entry_index,
        )
        for one in figures.fairness_signals
    )
    words = "A signal says that chance alone would hardly give these results. It proves nothing by itself."
    grid = Grid(headings, rows, "Nothing in this period was improbable enough for a signal.")
    return Section(title="Fairness signals", texts=(words,), grid=grid)


def _serious_findings(period: Period) -> FindingQuerySet:
    findings = Finding.objects.current().filter(casino=period.casino, severity=Severity.SERIOUS)
    return findings.filter(at__gte=period.begins_at, at__lt=period.ends_at)
