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
from compliance.reports.document.basis import build_basis
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
    behind = access_round(casino, int(chosen["round"]))
    found = list(Finding.objects.current().filter(log=casino.slug, subject_index=behind.entry.index).order_by("pk"))
    versions = _rule_versions(casino, behind, found)
    basis = build_basis(casino, versions, [behind.entry.index])
    return assemble_document(
        casino,
        now,
        title=f"Round {behind.played.round}",
        subject=f"Table {behind.entry.table}, gaming day {format_day(behind.played.gaming_day)}",
        sections=(
            _result_section(behind, casino),
            events_section(behind, casino, Figure(0, "The events of the round, to scale.")),
            wagers_section(behind, found),
            _findings_section(found),
        ),
        basis=basis,
        entries=[behind.entry.index],
        drawings=[draw_timeline(behind, found[0].wager if found else "")],
    )


def _rule_versions(casino: Casino, behind: FindingRound, found: list[Finding]) -> list[RuleVersion]:
    ids = {one.version_id for one in found if one.version_id}
    if not ids:
        table = Table.objects.filter(casino=casino, slug=behind.entry.table or "").select_related("casino").first()
        version = version_for(table, behind.began_at) if table else None
        ids = {version.pk} if version else set()
    return list(RuleVersion.objects.filter(pk__in=ids).select_related("approved_by", "casino"))


def _result_section(behind: FindingRound, casino: Casino) -> Section:
    played = behind.played
    facts = [Fact("Entry", f"{behind.entry.index:,}"), Fact("Began", format_local(behind.began_at, casino))]
    if behind.faces:
        shown = f"{'-'.join(map(str, behind.faces))}, total {sum(behind.faces)}"
        facts.append(Fact("Cards" if played.cards else "Dice", shown))
    if played.no_result:
        facts.append(Fact("No result", humanize_slug(played.no_result.reason)))
    for name, said in (("Called", played.called), ("Entered", played.entered)):
        if said is not None:
            facts.append(Fact(name, "-".join(map(str, said.faces))))
    if behind.dealer:
        facts.append(Fact("Dealer position", humanize_slug(behind.dealer)))
    if behind.entry.controller:
        facts.append(Fact("Controller", f"{behind.entry.controller}, its number {behind.entry.sequence}"))
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


def _findings_section(found: list[Finding]) -> Section:
    rows = tuple(Row((one.code, one.sentence), one.entry_index) for one in found)
    grid = Grid((Heading("Code", 1), Heading("What was found", 4)), rows, "Nothing was found about this round.")
    return Section(title="Findings", grid=grid)
