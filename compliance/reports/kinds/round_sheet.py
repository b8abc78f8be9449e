"""Sheet of one round: its events, equipment, every wager, and the findings about them."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from compliance.audit.models import Finding
from compliance.audit.projections.rounds import round_from_entry
from compliance.core.accounts.models import Casino
from compliance.core.web.errors import NotFound
from compliance.core.web.local_time import format_local
from compliance.core.web.pdf.sections import Figure, Grid, LabelledValue, ReportColumn, Row, Section
from compliance.inspection.reviews.finding_round import FindingRound, FindingWager, draw_timeline, event_label
from compliance.reports.document.assemble import assemble_document
from compliance.reports.document.audit_basis import build_basis
from compliance.reports.document.formatting import format_day
from compliance.reports.document.structure import IllustratedDocument
from rounds.engine.money import format_cents
from rounds.floor.models import Table
from rounds.floor.selectors import version_for
from rounds.intake.entry_kinds import ROUND
from rounds.ledger import entry_at
from rounds.rulebook.labels import humanize_slug, void_reason_label
from rounds.rulebook.models import RuleVersion

STAKE = "body.wagers.*.stake"


def access_round(casino: Casino, index: int) -> FindingRound:
    """The round recorded in this entry of the casino's log."""
    entry = entry_at(casino.slug, index)
    played = round_from_entry(entry) if entry is not None and entry.kind == ROUND else None
    if entry is None or played is None:
        raise NotFound
    return FindingRound(casino, entry, played)


def build(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> IllustratedDocument:
    finding_round = access_round(casino, int(chosen["round"]))
    findings = list(
        Finding.objects.current().filter(log=casino.slug, subject_index=finding_round.entry.index).order_by("pk")
    )
    versions = _rule_versions(casino, finding_round, findings)
    basis = build_basis(casino, versions, [finding_round.entry.index])
    return assemble_document(
        casino,
        now,
        title=f"Round {finding_round.played.round}",
        subject=f"Table {finding_round.entry.table}, gaming day {format_day(finding_round.played.gaming_day)}",
        sections=(
            _result_section(finding_round, casino),
            events_section(finding_round, casino, Figure(0, "The events of the round, to scale.")),
            wagers_section(finding_round, findings),
            _findings_section(findings),
        ),
        basis=basis,
        entries=[finding_round.entry.index],
        drawings=[draw_timeline(finding_round, findings[0].wager if findings else "")],
    )


def _rule_versions(casino: Casino, finding_round: FindingRound, findings: list[Finding]) -> list[RuleVersion]:
    ids = {one.version_id for one in findings if one.version_id}
    if not ids:
        table = (
            Table.objects.filter(casino=casino, slug=finding_round.entry.table or "").select_related("casino").first()
        )
        version = version_for(table, finding_round.began_at) if table else None
        ids = {version.pk} if version else set()
    return list(RuleVersion.objects.filter(pk__in=ids).select_related("approved_by", "casino"))


def _result_section(finding_round: FindingRound, casino: Casino) -> Section:
    played = finding_round.played
    facts = [
        LabelledValue("Entry", f"{finding_round.entry.index:,}"),
        LabelledValue("Began", format_local(finding_round.began_at, casino)),
    ]
    if finding_round.faces:
        faces = f"{'-'.join(map(str, finding_round.faces))}, total {sum(finding_round.faces)}"
        facts.append(LabelledValue("Cards" if played.cards else "Dice", faces))
    if played.no_result:
        facts.append(LabelledValue("No result", void_reason_label(played.no_result.reason)))
    for name, reported in (("Called", played.called), ("Entered", played.entered)):
        if reported is not None:
            facts.append(LabelledValue(name, "-".join(map(str, reported.faces))))
    if finding_round.dealer:
        facts.append(LabelledValue("Dealer position", humanize_slug(finding_round.dealer)))
    if finding_round.entry.controller:
        facts.append(
            LabelledValue("Controller", f"{finding_round.entry.controller}, its number {finding_round.entry.sequence}")
        )
    return Section(title="Result", facts=tuple(facts))


def events_section(behind: FindingRound, casino: Casino, figure: Figure) -> Section:
    rows = tuple(
        Row((event_label(event), behind.seconds_since_start(event.at), format_local(event.at, casino)))
        for event in behind.events
    )
    headings = (ReportColumn("Event", 4), ReportColumn("After the beginning", 2, True), ReportColumn("When", 3))
    return Section(title="What happened when", figure=figure, grid=Grid(headings, rows))


def wagers_section(behind: FindingRound, found: list[Finding]) -> Section:
    """Every wager as it stood when betting closed. First stakes, and what was handed back later, have columns where
    there are any: the verifier compares the amounts that the entry states with it."""
    wagers = behind.wagers(found)
    has_changes = any(one.view.wager.changes for one in wagers)
    columns: list[tuple[ReportColumn, Callable[[FindingWager], str]]] = [
        (ReportColumn("Wager", 3), lambda one: one.view.wager.id),
        (ReportColumn("Whose", 2), lambda one: one.holder),
        (ReportColumn("Box", 4), lambda one: "; ".join(behind.box_lines(one))),
    ]
    if has_changes:
        columns.append((ReportColumn("First stake", 2, True, STAKE), lambda one: format_cents(one.view.wager.stake)))
    columns += [
        (ReportColumn("Stake", 2, True, "" if has_changes else STAKE), lambda one: format_cents(one.view.stake_cents)),
        (
            ReportColumn("Handed back", 2, True, "body.wagers.*.returned"),
            lambda one: format_cents(one.view.wager.returned),
        ),
    ]
    if any(one.view.later_cents for one in wagers):
        columns.append((ReportColumn("Later", 2, True), lambda one: format_cents(one.view.later_cents)))
    columns += [
        (ReportColumn("Due", 2, True), lambda one: format_cents(one.assessment.due_cents)),
        (ReportColumn("Finding", 4), lambda one: one.found.code if one.found else ""),
    ]
    rows = tuple(Row(tuple(cell(one) for _, cell in columns), behind.entry.index) for one in wagers)
    grid = Grid(tuple(column for column, _ in columns), rows, "Nobody had wagered.")
    return Section(title="Every wager", grid=grid)


def _findings_section(findings: list[Finding]) -> Section:
    rows = tuple(Row((one.code, one.sentence), one.entry_index) for one in findings)
    grid = Grid(
        (ReportColumn("Code", 1), ReportColumn("What was found", 4)), rows, "Nothing was found about this round."
    )
    return Section(title="Findings", grid=grid)
