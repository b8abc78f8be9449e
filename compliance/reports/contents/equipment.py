"""The register of equipment and inspections: what failed, what was tried, which dice and shakers lay where."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet

from compliance.accounts.models import Casino
from compliance.equipment.states import CardsCounted, Custody, Fault, InspectionMade
from compliance.reports.assembling import assemble, entries_named
from compliance.reports.basis import basis_of, versions_between
from compliance.reports.contents.duties import breaches, breaches_section
from compliance.reports.document import Drawn, Fact, Grid, Heading, Row, Section
from compliance.reports.period import Period, period_of
from compliance.web.moments import moment_text
from rounds.rulebook.calculator.words import plain

FAMILIES = ("Faults", "Equipment")


def count(casino: Casino, chosen: Mapping[str, Any]) -> int:
    period = period_of(casino, chosen)
    return _custody(period).count() + sum(
        _within(model, period).count() for model in (Fault, InspectionMade, CardsCounted)
    )


def build(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> Drawn:
    period = period_of(casino, chosen)
    faults, inspections = list(_within(Fault, period)), list(_within(InspectionMade, period))
    custody, cards = list(_custody(period)), list(_within(CardsCounted, period))
    sections = (
        _short(faults, inspections, custody),
        _faults_section(faults, casino),
        _inspections_section(inspections, casino),
        _custody_section(custody, casino, now),
        _cards_section(cards, casino),
        breaches_section(breaches(period, FAMILIES), period),
    )
    versions = versions_between(casino, period.begins_at, period.ends_at)
    return assemble(
        casino, now,
        title="Register of equipment and inspections",
        subject=f"{casino.name}, {period.words}",
        sections=sections,
        basis=basis_of(casino, versions, entries_named(sections)),
        entries={*_ends_of(faults), *(one.removed_index for one in custody if one.removed_index is not None)},
    )  # fmt: skip


def _within(model: Any, period: Period) -> QuerySet[Any]:
    rows = model.objects.filter(log=period.casino.slug, at__gte=period.begins_at, at__lt=period.ends_at)
    found: QuerySet[Any] = rows.order_by("at", "index")
    return found


def _custody(period: Period) -> QuerySet[Custody]:
    """Whatever lay at a table at some time of the period."""
    still = Q(removed_at=None) | Q(removed_at__gte=period.begins_at)
    return Custody.objects.filter(still, log=period.casino.slug, at__lt=period.ends_at).order_by("at", "index")


def _ends_of(faults: Iterable[Fault]) -> Iterator[int]:
    for one in faults:
        yield from (index for index in (one.mended_index, one.returned_index, one.alert_index) if index is not None)


def _short(faults: list[Fault], inspections: list[InspectionMade], custody: list[Custody]) -> Section:
    return Section(
        title="In short",
        facts=(
            Fact("Faults", f"{len(faults):,}, of which {sum(one.stops_play for one in faults):,} stopped play"),
            Fact("Not over yet", f"{sum(one.state != 'over' for one in faults):,}"),
            Fact("Inspections", f"{len(inspections):,}, of which {_failed(inspections):,} failed"),
            Fact("Dice, shakers and shoes at tables", f"{len(custody):,}"),
        ),
    )


def _failed(inspections: Iterable[InspectionMade]) -> int:
    return sum(not one.has_passed for one in inspections)


def _faults_section(faults: list[Fault], casino: Casino) -> Section:
    headings = (
        Heading("Table", 2, quotes="table"), Heading("Fault", 3), Heading("What failed", 4), Heading("Reported", 4),
        Heading("By", 3), Heading("Clause", 2), Heading("Play", 3), Heading("Mended", 5), Heading("Back in play", 5),
    )  # fmt: skip
    rows = tuple(
        Row(
            (
                one.table, one.name, f"{plain(one.equipment)}: {plain(one.effect).lower()}",
                moment_text(one.at, casino), one.by, one.clause, "Stopped" if one.stops_play else "Went on",
                _when_by(one.mended_at, one.mended_by, casino), _when_by(one.returned_at, one.returned_by, casino),
            ),
            one.index,
        )
        for one in faults
    )  # fmt: skip
    return Section(title="Faults", grid=Grid(headings, rows, "No fault was reported in this time."))


def _when_by(at: datetime | None, by: str, casino: Casino) -> str:
    return "" if at is None else ", ".join(filter(None, (moment_text(at, casino), by)))


def _inspections_section(inspections: list[InspectionMade], casino: Casino) -> Section:
    headings = (
        Heading("Table", 2, quotes="table"), Heading("Tried", 4), Heading("Occasion", 4),
        Heading("Times", 2, True, "body.trials"), Heading("When", 4), Heading("By", 4), Heading("Result", 2),
    )  # fmt: skip
    rows = tuple(
        Row(
            (
                one.table, plain(one.item), f"{plain(one.occasion)} {one.shift}".strip(), f"{one.trials:,}",
                moment_text(one.at, casino), one.by or plain(one.position), "Passed" if one.has_passed else "Failed",
            ),
            one.index,
        )
        for one in inspections
    )  # fmt: skip
    return Section(title="Inspections", grid=Grid(headings, rows, "Nothing was tried in this time."))


def _custody_section(custody: list[Custody], casino: Casino, now: datetime) -> Section:
    headings = (
        Heading("Table", 2, quotes="table"), Heading("What", 3), Heading("Number", 3), Heading("Placed", 4),
        Heading("By", 3), Heading("Removed", 4), Heading("Lay there for", 3, True),
    )  # fmt: skip
    rows = tuple(
        Row(
            (
                one.table, f"{one.get_piece_display()} {one.type}".strip(), one.name, moment_text(one.at, casino),
                one.by, _removed_words(one, casino), lasting_words(one.stayed(now)),
            ),
            one.index,
        )
        for one in custody
    )  # fmt: skip
    return Section(title="Dice, shakers and shoes", grid=Grid(headings, rows, "None was recorded at a table."))


def _removed_words(one: Custody, casino: Casino) -> str:
    if one.removed_at is None:
        return "Still there"
    why = f": {plain(one.removed_because).lower()}" if one.removed_because else ""
    return f"{moment_text(one.removed_at, casino)}{why}"


def lasting_words(lasted: timedelta) -> str:
    hours, minutes = divmod(int(lasted.total_seconds()) // 60, 60)
    return f"{hours:,} h {minutes:02} min"


def _cards_section(cards: list[CardsCounted], casino: Casino) -> Section:
    headings = (
        Heading("Table", 2, quotes="table"), Heading("Shoe", 3), Heading("Decks", 2, True), Heading("Cards", 2, True),
        Heading("Foreign cards", 2, True), Heading("When", 4), Heading("By", 3),
    )  # fmt: skip
    rows = tuple(
        Row(
            (
                one.table, one.shoe, _number(one.decks), _number(one.cards), f"{one.foreign_cards:,}",
                moment_text(one.at, casino), one.by,
            ),
            one.index,
        )
        for one in cards
    )  # fmt: skip
    return Section(title="Cards counted", grid=Grid(headings, rows, "No cards were counted in this time."))


def _number(count: int | None) -> str:
    return "" if count is None else f"{count:,}"
