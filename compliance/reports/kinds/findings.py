"""Reports of findings: all of a period, or one on a sheet with its round. They never contain inspectors' notes."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from compliance.audit.context.finding_draft import explanation_text
from compliance.audit.models import Finding, FindingQuerySet
from compliance.audit.selectors import amounts_stated_twice, findings_of
from compliance.core.accounts.models import Casino
from compliance.core.corrections.report_section import correction_sections
from compliance.core.corrections.selectors import recorded_indexes
from compliance.core.web.local_time import format_local
from compliance.core.web.pdf.sections import Figure, Grid, LabelledValue, ReportColumn, Row, Section
from compliance.inspection.reviews.finding_round import FindingRound, draw_timeline, event_label, round_of_finding
from compliance.inspection.reviews.models import Decision
from compliance.inspection.reviews.selectors import findings_on_same_entry
from compliance.reports.document.assemble import assemble_document
from compliance.reports.document.audit_basis import build_basis
from compliance.reports.document.structure import IllustratedDocument
from compliance.reports.kinds.round_sheet import wagers_section
from rounds.engine.money import format_cents
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of

HEADINGS = (
    ReportColumn("Code", 6, quotes="code"),
    ReportColumn("What was found", 12, quotes="sentence"),
    ReportColumn("Table", 3, quotes="table"),
    ReportColumn("When", 5),
    ReportColumn("Clause", 2, quotes="clause"),
    ReportColumn("Due", 3, True, "required_cents"),
    ReportColumn("Handed back", 3, True, "found_cents"),
    ReportColumn("Decision", 7),
)


def _selected_findings(casino: Casino, chosen: Mapping[str, Any]) -> FindingQuerySet:
    times = {name: datetime.fromisoformat(chosen[name]) for name in ("since", "until") if chosen.get(name)}
    return findings_of(casino, {**chosen, **times})


def count_discrepancies(casino: Casino, chosen: Mapping[str, Any]) -> int:
    return _selected_findings(casino, chosen).count()


def build_discrepancy_report(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> IllustratedDocument:
    selected = _selected_findings(casino, chosen)
    findings = list(selected.order_by("at", "pk").defer("explanation"))
    decided = last_decisions(findings)
    versions = versions_by_ids({one.version_id for one in findings})
    basis = build_basis(casino, versions, [one.subject_index for one in findings])
    return assemble_document(
        casino,
        now,
        title="Discrepancy report",
        subject=_subject_text(casino, chosen),
        sections=(
            _totals_section(findings, amounts_stated_twice(selected)),
            findings_section(findings, decided, casino),
        ),
        basis=basis,
        entries=_unlisted_entries(findings, decided.values()),
    )


BEYOND, SHORT = "Handed back beyond what was due", "Short of what was due"


def _subject_text(casino: Casino, chosen: Mapping[str, Any]) -> str:
    words = [casino.name]
    for name, says in (("since", "from"), ("until", "until")):
        if chosen.get(name):
            words.append(f"{says} {format_local(datetime.fromisoformat(chosen[name]), casino)}")
    words += [f"{name} {chosen[name]}" for name in ("code", "severity", "table") if chosen.get(name)]
    return ", ".join(words)


def _totals_section(findings: list[Finding], stated_twice: set[int]) -> Section:
    """By code, and together. Money that two findings state is counted once; too much and too little are not set off
    against each other."""

    def differences(those: Iterable[Finding]) -> tuple[int, int]:
        counted = (one for one in those if one.required_cents is not None and one.pk not in stated_twice)
        each = [(one.found_cents or 0) - (one.required_cents or 0) for one in counted]
        return sum(cents for cents in each if cents > 0), -sum(cents for cents in each if cents < 0)

    groups: dict[tuple[str, str], list[Finding]] = defaultdict(list)
    for one in findings:
        groups[one.code, one.severity].append(one)
    rows = tuple(
        Row((code, severity.capitalize(), f"{len(those):,}", *map(format_cents, differences(those))))
        for (code, severity), those in sorted(groups.items())
    )
    headings = (
        ReportColumn("Code", 4),
        ReportColumn("Severity", 2),
        ReportColumn("Findings", 2, True),
        ReportColumn(BEYOND, 3, True),
        ReportColumn(SHORT, 3, True),
    )
    over, short = differences(findings)
    return Section(
        title="In short",
        facts=(
            LabelledValue("Findings", f"{len(findings):,}"),
            LabelledValue(BEYOND, format_cents(over)),
            LabelledValue(SHORT, format_cents(short)),
        ),
        grid=Grid(headings, rows, "Nothing was found."),
    )


def findings_section(found: list[Finding], decided: Mapping[int, Decision], casino: Casino) -> Section:
    rows = tuple(
        Row(
            (
                one.code,
                one.sentence,
                one.table,
                format_local(one.at, casino),
                one.clause,
                format_cents(one.required_cents),
                format_cents(one.found_cents),
                decision_text(decided.get(one.pk)),
            ),
            one.entry_index,
        )
        for one in found
    )
    return Section(title="Findings", grid=Grid(HEADINGS, rows, "Nothing was found in this time."))


def decision_text(decision: Decision | None) -> str:
    return "Not decided" if decision is None else f"{decision.get_outcome_display()}: {decision.reason_label}"


def last_decisions(found: Iterable[Finding]) -> dict[int, Decision]:
    """Last decision by finding, without the notes."""
    rows = Decision.objects.filter(finding__in=[one.pk for one in found]).defer("note", "note_salt")
    return {one.finding_id: one for one in rows.order_by("finding_id", "number")}


def versions_by_ids(ids: set[int | None]) -> list[RuleVersion]:
    return list(
        RuleVersion.objects.filter(pk__in=[one for one in ids if one is not None]).select_related(
            "approved_by", "casino"
        )
    )


def _unlisted_entries(findings: Iterable[Finding], decided: Iterable[Decision]) -> set[int]:
    """Subjects and decisions of the findings. They are attached, but have no row."""
    return {*(one.subject_index for one in findings), *(one.entry_index for one in decided)}


def build_finding_sheet(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> IllustratedDocument:
    finding = Finding.objects.with_rules().get(casino=casino, entry_index=chosen["finding"])
    decided = list(finding.decisions.defer("note", "note_salt").order_by("number"))
    finding_round = round_of_finding(finding)
    sections = [_finding_section(finding, casino)]
    if finding.explanation:
        texts = tuple(explanation_text(finding.version, finding.explanation))
        sections.append(Section(title="How it was worked out", texts=texts))
    drawings = []
    if finding_round is not None:
        drawings.append(draw_timeline(finding_round, finding.wager))
        sections.append(_round_section(finding_round))
        sections.append(wagers_section(finding_round, [finding, *findings_on_same_entry(finding)]))
    sections.append(_decisions_section(decided, casino))
    sections += correction_sections(casino, recorded_indexes(Decision.recorded.filter(finding=finding)))
    basis = build_basis(casino, versions_by_ids({finding.version_id}), [finding.subject_index], in_brief=True)
    return assemble_document(
        casino,
        now,
        title=f"Finding {finding.entry_index:,}: {finding.code}",
        subject=finding.sentence,
        sections=sections,
        basis=basis,
        entries=_unlisted_entries([finding], decided),
        drawings=drawings,
        is_sheet=True,
    )


def _round_section(finding_round: FindingRound) -> Section:
    """The round in one line. Its full table is in the round sheet, and its record is attached here."""
    events = "; ".join(
        f"{event_label(event)}, {finding_round.seconds_since_start(event.at)}" for event in finding_round.events
    )
    return Section(title="The round", texts=(f"{events}.",), figure=Figure(0, "The events of the round, to scale."))


def _finding_section(finding: Finding, casino: Casino) -> Section:
    facts = [LabelledValue("Severity", finding.severity.capitalize()), LabelledValue("Table", finding.table or "None")]
    if finding.required_cents is not None:
        facts += [
            LabelledValue("Due by the rules", format_cents(finding.required_cents)),
            LabelledValue("Handed back", format_cents(finding.found_cents)),
            LabelledValue("Difference", format_cents((finding.found_cents or 0) - finding.required_cents)),
        ]
    if finding.version is not None and finding.clause:
        gist = pack_of(finding.version).clauses.get(finding.clause)
        facts.append(LabelledValue("Clause", f"{finding.clause}: {gist.gist}" if gist else finding.clause))
    if finding.version is not None:
        facts.append(LabelledValue("Rules", str(finding.version)))
    facts += [
        LabelledValue("Happened", format_local(finding.at, casino)),
        LabelledValue("Found", format_local(finding.found_at, casino)),
        LabelledValue("Recorded", f"Entry {finding.entry_index:,}, about entry {finding.subject_index:,}"),
    ]
    amounts = format_cents(finding.required_cents), format_cents(finding.found_cents)
    row = Row((finding.code, finding.sentence, *amounts), finding.entry_index)
    headings = (
        ReportColumn("Code", 3, quotes="code"),
        ReportColumn("As recorded", 8, quotes="sentence"),
        ReportColumn("Due", 2, True, "required_cents"),
        ReportColumn("Handed back", 2, True, "found_cents"),
    )
    grid = Grid(headings, (row,))
    return Section(title="What was found", facts=tuple(facts), grid=grid)


def _decisions_section(decided: list[Decision], casino: Casino) -> Section:
    rows = tuple(
        Row(
            (
                one.get_outcome_display(),
                one.reason_label,
                one.question,
                one.decided_by_name,
                format_local(one.decided_at, casino),
            ),
            one.entry_index,
        )
        for one in decided
    )
    headings = (
        ReportColumn("Decision", 3),
        ReportColumn("Reason", 4),
        ReportColumn("Asked", 5),
        ReportColumn("By", 3),
        ReportColumn("When", 4),
    )
    return Section(title="Decisions", grid=Grid(headings, rows, "Nobody has decided yet."))
