"""Sheet of one round: its events, equipment, every wager, and the findings about them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from compliance.audit.models import Finding
from compliance.audit.projections.rounds import round_from_entry
from compliance.core.accounts.models import Casino
from compliance.core.web.errors import NotFound
from compliance.core.web.local_time import format_local
from compliance.inspection.reviews.finding_round import FindingRound, draw_timeline, event_label
from compliance.reports.document.assemble import assemble_document
from compliance.reports.document.audit_basis import build_basis
from compliance.reports.document.formatting import format_amount, format_day
from compliance.reports.document.structure import Fact, Figure, Grid, Heading, IllustratedDocument, Row, Section
from rounds.floor.models import Table
from rounds.floor.selectors import version_for
from rounds.ledger import entry_at
from rounds.rulebook.labels import humanize_slug
from rounds.rulebook.models import RuleVersion


def access_round(casino: Casino, index: int) -> FindingRound:
    """The round recorded in this entry of the casino's log."""
    entry = entry_at(casino.slug, index)
    played = round_from_entry(entry) if entry is not None and entry.kind == "round" else None
    if entry is None or played is None:
        raise NotFound
    return FindingRound(entry, played)


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
        Fact("Entry", f"{finding_round.entry.index:,}"),
        Fact("Began", format_local(finding_round.began_at, casino)),
    ]
    if finding_round.faces:
        faces = f"{'-'.join(map(str, finding_round.faces))}, total {sum(finding_round.faces)}"
        facts.append(Fact("Cards" if played.cards else "Dice", faces))
    if played.no_result:
        facts.append(Fact("No result", humanize_slug(played.no_result.reason)))
    for name, reported in (("Called", played.called), ("Entered", played.entered)):
        if reported is not None:
            facts.append(Fact(name, "-".join(map(str, reported.faces))))
    if finding_round.dealer:
        facts.append(Fact("Dealer position", humanize_slug(finding_round.dealer)))
    if finding_round.entry.controller:
        facts.append(Fact("Controller", f"{finding_round.entry.controller}, its number {finding_round.entry.sequence}"))
    return Section(title="Result", facts=tuple(facts))


def events_section(behind: FindingRound, casino: Casino, figure: Figure) -> Section:
    rows = tuple(
        Row((event_label(event), behind.seconds_since_start(event.at), format_local(event.at, casino)))
        for event in behind.events
    )
    headings = (Heading("Event", 4), Heading("After the beginning", 2, True), Heading("When", 3))
    return Section(title="What happened when", figure=figure, grid=Grid(headings, rows))


def wagers_section(behind: FindingRound, found: list[Finding]) -> Section:
    rows = tuple(
        Row(
            (
                one.wager.id,
                one.holder,
                one.bet_words,
                format_amount(one.wager.stake),
                format_amount(one.wager.returned),
                format_amount(one.due_cents),
                one.found.code if one.found else "",
            ),
            behind.entry.index,
        )
        for one in behind.wagers(found)
    )
    headings = (
        Heading("Wager", 3),
        Heading("Whose", 2),
        Heading("Box", 4),
        Heading("Stake", 2, True, "body.wagers.*.stake"),
        Heading("Handed back", 2, True, "body.wagers.*.returned"),
        Heading("Due", 2, True),
        Heading("Finding", 4),
    )
    return Section(title="Every wager", grid=Grid(headings, rows, "Nobody had wagered."))


def _findings_section(findings: list[Finding]) -> Section:
    rows = tuple(Row((one.code, one.sentence), one.entry_index) for one in findings)
    grid = Grid((Heading("Code", 1), Heading("What was found", 4)), rows, "Nothing was found about this round.")
    return Section(title="Findings", grid=grid)
