"""Daily audit report: a gaming day in figures, its findings, and its audit coverage."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from compliance.audit.models import Finding, PackedRound
from compliance.core.accounts.models import Casino
from compliance.core.corrections.report_section import corrections_between
from compliance.core.web.local_time import format_local
from compliance.core.web.pdf.sections import Figure, Grid, LabelledValue, ReportColumn, Row, Section
from compliance.core.web.ui.charts import Point, bar_chart, render_svg
from compliance.reports.document.assemble import entries_in_sections
from compliance.reports.document.audit_basis import build_basis
from compliance.reports.document.formatting import format_day
from compliance.reports.document.period import DAY, day_starts_of
from compliance.reports.document.structure import Document, IllustratedDocument
from compliance.reports.kinds.findings import findings_section, last_decisions
from rounds.engine.money import format_cents
from rounds.intake.columns.round_encoding import VERDICT_INDEX, decode_wagers
from rounds.rulebook.models import RuleVersion

ROUNDS_PER_QUERY = 5_000


@dataclass
class AuditedTableDay:
    """One table on one gaming day. Open streak wagers are counted on the day they end."""

    rounds: int = 0
    voids: int = 0
    wagers: int = 0
    staked_cents: int = 0
    returned_cents: int = 0


def build(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> IllustratedDocument:
    day = date.fromisoformat(chosen["day"])
    rounds = PackedRound.objects.filter(log=casino.slug, gaming_day=day, taken_back_index=None)
    tables = _totals_by_table(casino, day)
    indexes = list(rounds.order_by("entry_index").values_list("entry_index", flat=True))
    findings = _findings_on_rounds(casino, indexes)
    decided = last_decisions(findings)
    versions = RuleVersion.objects.filter(casino=casino, approved_at__isnull=False).select_related(
        "approved_by", "casino"
    )
    used = [one for one in versions if one.effective_at and one.effective_at <= now]
    basis = build_basis(casino, _newest_versions(used), indexes)
    drawing = bar_chart(
        title=f"Findings by table, {format_day(day)}",
        x_label="Table",
        y_label="Findings",
        points=[Point(table, Counter(one.table for one in findings)[table]) for table in sorted(tables)]
        or [Point("", 0)],
    )
    entries = {index for one in findings for index in (one.entry_index, one.subject_index)}
    entries |= {one.entry_index for one in decided.values()} | basis.entries
    since, until = day_starts_of(casino, [day, day + DAY])
    corrected = corrections_between(casino, since, until)
    entries |= entries_in_sections(corrected)
    document = Document(
        title="Daily audit report",
        casino=casino.name,
        log=casino.slug,
        made_at=format_local(now, casino),
        subject=f"{casino.name}, gaming day {format_day(day)}",
        sections=(
            _summary_section(tables, findings),
            _tables_section(tables, findings),
            Section(
                title="Findings by table", figure=Figure(0, f"{len(findings):,} findings at {len(tables):,} tables.")
            ),
            findings_section(findings, decided, casino),
            *corrected,
        ),
        basis=basis.sections,
        entries=tuple(sorted(entries)),
        figures=(render_svg(drawing).decode(),),
    )
    return IllustratedDocument(document, [drawing])


def _newest_versions(versions: list[RuleVersion]) -> list[RuleVersion]:
    return list(
        {one.rules: one for one in sorted(versions, key=lambda one: one.effective_at or one.proposed_at)}.values()
    )


def _totals_by_table(casino: Casino, day: date) -> dict[str, AuditedTableDay]:
    tables: dict[str, AuditedTableDay] = {}
    rows = PackedRound.objects.filter(log=casino.slug, gaming_day=day, taken_back_index=None)
    for table, is_void, packed in rows.values_list("table", "is_void", "wagers").iterator(ROUNDS_PER_QUERY):
        wagers = decode_wagers([bytes(packed)])
        settled = wagers[wagers["verdict"] != VERDICT_INDEX["open"]]
        one = tables.setdefault(table, AuditedTableDay())
        one.rounds += 1
        one.voids += bool(is_void)
        one.wagers += len(settled)
        one.staked_cents += int(settled["stake"].sum())
        one.returned_cents += int(settled["returned"].sum())
    return tables


def _findings_on_rounds(casino: Casino, indexes: list[int]) -> list[Finding]:
    if not indexes:
        return []
    rows = Finding.objects.current().filter(log=casino.slug, subject_index__range=(indexes[0], indexes[-1]))
    index_set = set(indexes)
    return [one for one in rows.order_by("at", "pk").defer("explanation") if one.subject_index in index_set]


def _summary_section(tables: Mapping[str, AuditedTableDay], findings: list[Finding]) -> Section:
    staked, returned = (
        sum(getattr(one, name) for one in tables.values()) for name in ("staked_cents", "returned_cents")
    )
    codes = Counter(one.code for one in findings)
    rows = tuple(Row((code, f"{number:,}")) for code, number in sorted(codes.items()))
    return Section(
        title="In short",
        facts=(
            LabelledValue("Tables played", f"{len(tables):,}"),
            LabelledValue("Rounds", f"{sum(one.rounds for one in tables.values()):,}"),
            LabelledValue("Without result", f"{sum(one.voids for one in tables.values()):,}"),
            LabelledValue("Wagers settled", f"{sum(one.wagers for one in tables.values()):,}"),
            LabelledValue("Staked", format_cents(staked)),
            LabelledValue("Handed back", format_cents(returned)),
            LabelledValue("Findings", f"{len(findings):,}"),
        ),
        grid=Grid((ReportColumn("Code", 4), ReportColumn("Findings", 1, True)), rows, "Nothing was found."),
    )


def _tables_section(tables: Mapping[str, AuditedTableDay], findings: list[Finding]) -> Section:
    counted = Counter(one.table for one in findings)
    rows = tuple(
        Row(
            (
                table,
                f"{one.rounds:,}",
                f"{one.wagers:,}",
                format_cents(one.staked_cents),
                format_cents(one.returned_cents),
                f"{counted[table]:,}",
            )
        )
        for table, one in sorted(tables.items())
    )
    headings = (
        ReportColumn("Table", 3),
        ReportColumn("Rounds", 2, True),
        ReportColumn("Wagers", 2, True),
        ReportColumn("Staked", 3, True),
        ReportColumn("Handed back", 3, True),
        ReportColumn("Findings", 2, True),
    )
    return Section(title="By table", grid=Grid(headings, rows, "No round was played on this day."))
