"""Register of equipment and inspections: faults, inspections, and where dice and shakers were."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet

from compliance.core.accounts.models import Casino
from compliance.core.corrections.report_section import corrections_between
from compliance.core.web.local_time import format_local
from compliance.core.web.pdf.sections import Grid, LabelledValue, ReportColumn, Row, Section
from compliance.reports.document.assemble import assemble_document, entries_in_sections
from compliance.reports.document.audit_basis import build_basis, versions_between
from compliance.reports.document.period import Period, period_from_options
from compliance.reports.document.structure import IllustratedDocument
from compliance.reports.kinds.duty_breaches import breaches_section, findings_of_families
from compliance.tables.equipment.entry_kinds import RETURNED
from compliance.tables.equipment.projections import CardsCounted, Custody, Fault, InspectionMade
from compliance.tables.equipment.verify import MANUAL_KINDS
from rounds.rulebook.labels import humanize_slug

FAMILIES = ("Faults", "Equipment")


def count_rows(casino: Casino, chosen: Mapping[str, Any]) -> int:
    period = period_from_options(casino, chosen)
    return _custody_within(period).count() + sum(
        _rows_within(model, period).count() for model in (Fault, InspectionMade, CardsCounted)
    )


def build(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> IllustratedDocument:
    period = period_from_options(casino, chosen)
    faults, inspections = list(_rows_within(Fault, period)), list(_rows_within(InspectionMade, period))
    custody, cards = list(_custody_within(period)), list(_rows_within(CardsCounted, period))
    sections = (
        _summary_section(faults, inspections, custody),
        _faults_section(faults, casino),
        _inspections_section(inspections, casino),
        _custody_section(custody, casino, now),
        _cards_section(cards, casino),
        breaches_section(findings_of_families(period, FAMILIES), period),
        *corrections_between(casino, period.begins_at, period.ends_at, {*MANUAL_KINDS, RETURNED}),
    )
    versions = versions_between(casino, period.begins_at, period.ends_at)
    return assemble_document(
        casino,
        now,
        title="Register of equipment and inspections",
        subject=f"{casino.name}, {period.words}",
        sections=sections,
        basis=build_basis(casino, versions, entries_in_sections(sections)),
        entries={*_fault_end_entries(faults), *(one.removed_index for one in custody if one.removed_index is not None)},
    )


def _rows_within(model: Any, period: Period) -> QuerySet[Any]:
    rows = model.objects.filter(log=period.casino.slug, at__gte=period.begins_at, at__lt=period.ends_at)
    found: QuerySet[Any] = rows.order_by("at", "index")
    return found


def _custody_within(period: Period) -> QuerySet[Custody]:
    """Custody at a table during any part of the period."""
    still = Q(removed_at=None) | Q(removed_at__gte=period.begins_at)
    return Custody.objects.filter(still, log=period.casino.slug, at__lt=period.ends_at).order_by("at", "index")


def _fault_end_entries(faults: Iterable[Fault]) -> Iterator[int]:
    for one in faults:
        yield from (index for index in (one.mended_index, one.returned_index, one.alert_index) if index is not None)


def _summary_section(faults: list[Fault], inspections: list[InspectionMade], custody: list[Custody]) -> Section:
    return Section(
        title="In short",
        facts=(
            LabelledValue(
                "Faults", f"{len(faults):,}, of which {sum(one.stops_play for one in faults):,} stopped play"
            ),
            LabelledValue("Not over yet", f"{sum(one.state != 'over' for one in faults):,}"),
            LabelledValue("Inspections", f"{len(inspections):,}, of which {_count_failed(inspections):,} failed"),
            LabelledValue("Dice, shakers and shoes at tables", f"{len(custody):,}"),
        ),
    )


def _count_failed(inspections: Iterable[InspectionMade]) -> int:
    return sum(not one.has_passed for one in inspections)


def _faults_section(faults: list[Fault], casino: Casino) -> Section:
    headings = (
        ReportColumn("Table", 2, quotes="table"),
        ReportColumn("Fault", 3),
        ReportColumn("What failed", 4),
        ReportColumn("Reported", 4),
        ReportColumn("By", 3),
        ReportColumn("Clause", 2),
        ReportColumn("Play", 3),
        ReportColumn("Mended", 5),
        ReportColumn("Back in play", 5),
    )
    rows = tuple(
        Row(
            (
                one.table,
                one.name,
                f"{humanize_slug(one.equipment)}: {humanize_slug(one.effect).lower()}",
                format_local(one.at, casino),
                one.by,
                one.clause,
                "Stopped" if one.stops_play else "Went on",
                _time_and_person(one.mended_at, one.mended_by, casino),
                _time_and_person(one.returned_at, one.returned_by, casino),
            ),
            one.index,
        )
        for one in faults
    )
    return Section(title="Faults", grid=Grid(headings, rows, "No fault was reported in this time."))


def _time_and_person(at: datetime | None, by: str, casino: Casino) -> str:
    return "" if at is None else ", ".join(filter(None, (format_local(at, casino), by)))


def _inspections_section(inspections: list[InspectionMade], casino: Casino) -> Section:
    headings = (
        ReportColumn("Table", 2, quotes="table"),
        ReportColumn("Tried", 4),
        ReportColumn("Occasion", 4),
        ReportColumn("Times", 2, True, "body.trials"),
        ReportColumn("When", 4),
        ReportColumn("By", 4),
        ReportColumn("Result", 2),
    )
    rows = tuple(
        Row(
            (
                one.table,
                humanize_slug(one.item),
                f"{humanize_slug(one.occasion)} {one.shift}".strip(),
                f"{one.trials:,}",
                format_local(one.at, casino),
                one.by or humanize_slug(one.position),
                "Passed" if one.has_passed else "Failed",
            ),
            one.index,
        )
        for one in inspections
    )
    return Section(title="Inspections", grid=Grid(headings, rows, "Nothing was tried in this time."))


def _custody_section(custody: list[Custody], casino: Casino, now: datetime) -> Section:
    headings = (
        ReportColumn("Table", 2, quotes="table"),
        ReportColumn("What", 3),
        ReportColumn("Number", 3),
        ReportColumn("Placed", 4),
        ReportColumn("By", 3),
        ReportColumn("Removed", 4),
        ReportColumn("Lay there for", 3, True),
    )
    rows = tuple(
        Row(
            (
                one.table,
                f"{one.get_piece_display()} {one.type}".strip(),
                one.name,
                format_local(one.at, casino),
                one.by,
                _removal_text(one, casino),
                format_duration(one.time_at_table(now)),
            ),
            one.index,
        )
        for one in custody
    )
    return Section(title="Dice, shakers and shoes", grid=Grid(headings, rows, "None was recorded at a table."))


def _removal_text(one: Custody, casino: Casino) -> str:
    if one.removed_at is None:
        return "Still there"
    why = f": {humanize_slug(one.removed_because).lower()}" if one.removed_because else ""
    return f"{format_local(one.removed_at, casino)}{why}"


def format_duration(lasted: timedelta) -> str:
    hours, minutes = divmod(int(lasted.total_seconds()) // 60, 60)
    return f"{hours:,} h {minutes:02} min"


def _cards_section(cards: list[CardsCounted], casino: Casino) -> Section:
    headings = (
        ReportColumn("Table", 2, quotes="table"),
        ReportColumn("Shoe", 3),
        ReportColumn("Decks", 2, True),
        ReportColumn("Cards", 2, True),
        ReportColumn("Foreign cards", 2, True),
        ReportColumn("When", 4),
        ReportColumn("By", 3),
    )
    rows = tuple(
        Row(
            (
                one.table,
                one.shoe,
                _count_text(one.decks),
                _count_text(one.cards),
                f"{one.foreign_cards:,}",
                format_local(one.at, casino),
                one.by,
            ),
            one.index,
        )
        for one in cards
    )
    return Section(title="Cards counted", grid=Grid(headings, rows, "No cards were counted in this time."))


def _count_text(count: int | None) -> str:
    return "" if count is None else f"{count:,}"
