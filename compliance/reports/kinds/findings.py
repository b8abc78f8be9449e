"""Reports of findings: all of a period, or one on a sheet with its round. They never contain inspectors' notes."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from compliance.audit.models import Finding, FindingQuerySet
from compliance.audit.selectors import findings_of
from compliance.core.accounts.models import Casino
from compliance.core.web.local_time import format_local
from compliance.inspection.reviews.finding_round import FindingRound, draw_timeline, event_label, round_of_finding
from compliance.inspection.reviews.models import Decision
from compliance.inspection.reviews.selectors import findings_on_same_entry
from compliance.reports.document.assemble import assemble_document
from compliance.reports.document.audit_basis import build_basis
from compliance.reports.document.formatting import format_amount
from compliance.reports.document.structure import Fact, Figure, Grid, Heading, IllustratedDocument, Row, Section
from compliance.reports.kinds.round_sheet import wagers_section
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of

HEADINGS = (
    Heading("Code", 6, quotes="code"), Heading("What was found", 12, quotes="sentence"),
    Heading("Table", 3, quotes="table"), Heading("When", 5), Heading("Clause", 2, quotes="clause"),
    Heading("Due", 3, True, "required_cents"), Heading("Handed back", 3, True, "found_cents"), Heading("Decision", 7),
)  # fmt: skip


def _selected_findings(casino: Casino, chosen: Mapping[str, Any]) -> FindingQuerySet:
    times = {name: datetime.fromisoformat(chosen[name]) for name in ("since", "until") if chosen.get(name)}
    return findings_of(casino, {**chosen, **times})


def count_discrepancies(casino: Casino, chosen: Mapping[str, Any]) -> int:
    return _selected_findings(casino, chosen).count()


def build_discrepancy_report(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> IllustratedDocument:
    findings = list(_selected_findings(casino, chosen).order_by("at", "pk").defer("explanation"))
    decided = last_decisions(findings)
    versions = versions_by_ids({one.version_id for one in findings})
    basis = build_basis(casino, versions, [one.subject_index for one in findings])
    return assemble_document(
        casino,
        now,
        title="Discrepancy report",
        subject=_subject_text(casino, chosen),
        sections=(_totals_section(findings), findings_section(findings, decided, casino)),
        basis=basis,
        entries=_unlisted_entries(findings, decided.values()),
    )


def _subject_text(casino: Casino, chosen: Mapping[str, Any]) -> str:
    words = [casino.name]
    for name, says in (("since", "from"), ("until", "until")):
        if chosen.get(name):
            words.append(f"{says} {format_local(datetime.fromisoformat(chosen[name]), casino)}")
    words += [f"{name} {chosen[name]}" for name in ("code", "severity", "table") if chosen.get(name)]
    return ", ".join(words)


def _totals_section(findings: list[Finding]) -> Section:
    groups: dict[tuple[str, str], list[Finding]] = defaultdict(list)
    for one in findings:
        groups[one.code, one.severity].append(one)
    rows = tuple(
        Row((code, severity.capitalize(), f"{len(those):,}", format_amount(_total_difference(those))))
        for (code, severity), those in sorted(groups.items())
    )
    headings = (
        Heading("Code", 4),
        Heading("Severity", 2),
        Heading("Findings", 2, True),
        Heading("Difference", 3, True),
    )
    return Section(
        title="In short",
        facts=(
            Fact("Findings", f"{len(findings):,}"),
            Fact("Handed back beyond what was due", format_amount(_total_difference(findings))),
        ),
        grid=Grid(headings, rows, "Nothing was found."),
    )


def _total_difference(findings: Iterable[Finding]) -> int:
    return sum((one.found_cents or 0) - one.required_cents for one in findings if one.required_cents is not None)


def findings_section(found: list[Finding], decided: Mapping[int, Decision], casino: Casino) -> Section:
    rows = tuple(
        Row(
            (
                one.code,
                one.sentence,
                one.table,
                format_local(one.at, casino),
                one.clause,
                format_amount(one.required_cents),
                format_amount(one.found_cents),
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
        sections.append(Section(title="How it was worked out", texts=tuple(finding.explanation)))
    drawings = []
    if finding_round is not None:
        drawings.append(draw_timeline(finding_round, finding.wager))
        sections.append(_round_section(finding_round))
        sections.append(wagers_section(finding_round, [finding, *findings_on_same_entry(finding)]))
    sections.append(_decisions_section(decided, casino))
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
    facts = [Fact("Severity", finding.severity.capitalize()), Fact("Table", finding.table or "None")]
    if finding.required_cents is not None:
        facts += [
            Fact("Due by the rules", format_amount(finding.required_cents)),
            Fact("Handed back", format_amount(finding.found_cents)),
            Fact("Difference", format_amount((finding.found_cents or 0) - finding.required_cents)),
        ]
    if finding.version is not None and finding.clause:
        gist = pack_of(finding.version).clauses.get(finding.clause)
        facts.append(Fact("Clause", f"{finding.clause}: {gist.gist}" if gist else finding.clause))
    if finding.version is not None:
        facts.append(Fact("Rules", str(finding.version)))
    facts += [
        Fact("Happened", format_local(finding.at, casino)),
        Fact("Found", format_local(finding.found_at, casino)),
        Fact("Recorded", f"Entry {finding.entry_index:,}, about entry {finding.subject_index:,}"),
    ]
    amounts = format_amount(finding.required_cents), format_amount(finding.found_cents)
    row = Row((finding.code, finding.sentence, *amounts), finding.entry_index)
    headings = (
        Heading("Code", 3, quotes="code"),
        Heading("As recorded", 8, quotes="sentence"),
        Heading("Due", 2, True, "required_cents"),
        Heading("Handed back", 2, True, "found_cents"),
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
        Heading("Decision", 3),
        Heading("Reason", 4),
        Heading("Asked", 5),
        Heading("By", 3),
        Heading("When", 4),
    )
    return Section(title="Decisions", grid=Grid(headings, rows, "Nobody has decided yet."))
