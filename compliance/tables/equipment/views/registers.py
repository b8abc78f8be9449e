"""Registers of a casino's equipment, with the records of controllers and people alike."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.list_registry import FilteredList, ListQuery
from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.corrections.list_marks import CorrectionMarks
from compliance.core.web.ui.components import Column, DataTable, FilterPanel, Tag
from compliance.core.web.ui.forms import FilterForm
from compliance.core.web.ui.links import casino_url, entry_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.core.web.ui.record_notes import ListNotes
from compliance.tables.equipment.models import ManualLine
from compliance.tables.equipment.projections import CardsCounted, ChipsMoved, Custody, Fault, InspectionMade, Piece
from compliance.tables.equipment.views.common import entries_of_fault, readers_only
from rounds.floor.models import Table as FloorTable
from rounds.intake import entry_kinds
from rounds.ledger import EntryKind, is_taken_back
from rounds.ledger.entry_kinds import find_kind
from rounds.rulebook.labels import humanize_slug


class RegisterFilter(FilterForm):
    table = forms.ChoiceField(label="Table", required=False)

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        tables = FloorTable.objects.filter(casino=casino).order_by("name").values_list("slug", "name")
        self.fields["table"].choices = [("", "All"), *tables]  # type: ignore[attr-defined]


def _register_list(name: str, records: Callable[[], QuerySet[Any]]) -> FilteredList:
    def rows(asked: ListQuery, chosen: dict[str, str]) -> QuerySet[Any]:
        return records().filter(log=asked.casino.slug, **({"table": chosen["table"]} if chosen["table"] else {}))

    return FilteredList(f"equipment:{name}", lambda asked: RegisterFilter(asked.parameters, casino=asked.casino), rows)


FAULTS = _register_list("faults", Fault.objects.all)
DICE = _register_list("dice", lambda: Custody.objects.of_piece(Piece.DICE))
SHAKERS = _register_list("shakers", lambda: Custody.objects.of_piece(Piece.SHAKER))
INSPECTIONS = _register_list("inspections", InspectionMade.objects.all)
CARDS = _register_list("cards", CardsCounted.objects.all)
CHIPS = _register_list("chips", ChipsMoved.objects.all)
KINDS_BY_REGISTER: Mapping[FilteredList, tuple[EntryKind, ...]] = {
    FAULTS: (entry_kinds.FAULT, entry_kinds.FAULT_CLEARED),
    DICE: (entry_kinds.DICE_PLACED, entry_kinds.DICE_REMOVED),
    SHAKERS: (entry_kinds.SHAKER_PLACED, entry_kinds.SHAKER_REMOVED),
    INSPECTIONS: (entry_kinds.INSPECTION,),
    CARDS: (entry_kinds.SHOE_CHANGED, entry_kinds.DECK_COUNT, entry_kinds.FOREIGN_CARD),
    CHIPS: (entry_kinds.CHIPS_ISSUED, entry_kinds.CHIPS_REDEEMED),
}


def _register_page(
    request: CasinoRequest,
    title: str,
    register: FilteredList,
    columns: Sequence[Column],
    records: Sequence[str],
    empty: str,
    notes: ListNotes | None = None,
) -> ListResponse:
    """One register page. `records` are the entry kinds that can be recorded from it, after choosing a table."""
    place = request.casino
    form, rows = register(ListQuery.from_request(request))
    table = DataTable(
        caption=title,
        columns=(
            Column("When", "at", sort="at", is_row_heading=True),
            Column(
                "Table", "table", sort="table", link=lambda row: casino_url("equipment:table", place, table=row.table)
            ),
            *columns,
            Column("By", "by"),
            Column("Entry", lambda row: f"Entry {row.index:,}", link=lambda row: entry_url(place, row.index)),
        ),
        rows=rows,
        sort="-at",
        empty=empty,
        prepare=notes.read if notes else None,
    )
    withdrawn = _withdrawn_table(place, register, form.valid_values()["table"])
    context = {
        "title": title,
        "table": table,
        "withdrawn": withdrawn,
        "panel": FilterPanel(form, legend="Choose a table"),
        "records": records,
    }
    return list_response(request, "equipment/register.html", context, lists=("table", "withdrawn"))


def _withdrawn_table(casino: Casino, register: FilteredList, table: str) -> DataTable:
    """What people recorded and withdrew. The register itself has what counts: its rows go when they are withdrawn."""
    marks, kinds = CorrectionMarks(casino), KINDS_BY_REGISTER[register]
    rows = ManualLine.recorded.filter(is_taken_back(), casino=casino, kind__in=kinds).select_related("table")
    return DataTable(
        caption="Withdrawn records",
        columns=(
            Column("When", "at", sort="at", is_row_heading=True),
            Column("Table", "table.name", sort="table__name"),
            Column("What", _summary_cell),
            Column("By", "by_name"),
            Column(
                "Entry", lambda row: f"Entry {row.entry_index:,}", link=lambda row: entry_url(casino, row.entry_index)
            ),
            marks.column,
        ),
        rows=rows.filter(table__slug=table) if table else rows,
        sort="-at",
        name="withdrawn",
        prepare=marks.read,
        empty="No record of this kind was withdrawn.",
    )


def _summary_cell(line: ManualLine) -> str:
    kind = find_kind(line.kind)
    return f"{kind.label}: {kind.summarize(line.body)}".strip(": ") if kind else line.kind


@readers_only
@require_safe
def faults(request: CasinoRequest, casino: str) -> ListResponse:
    notes = ListNotes(request, entries_of_fault)
    columns = (
        Column("Fault", "name", link=lambda row: casino_url("equipment:fault", request.casino, fault=row.index)),
        Column("What", lambda row: f"{humanize_slug(row.equipment)}: {row.effect.replace('-', ' ')}"),
        Column("State", lambda row: notes.tag(row, row.tag)),
        Column("Mended", "mended_at"),
        Column("Back in play", "returned_at"),
        Column("Signed by", "returned_by"),
    )
    return _register_page(request, "Faults", FAULTS, columns, (), "No fault was reported.", notes)


@readers_only
@require_safe
def dice(request: CasinoRequest, casino: str) -> ListResponse:
    columns = (Column("Set", "name", sort="name"), Column("Sealed", _sealed_cell), *_custody_columns())
    return _register_page(
        request,
        "Dice and how long they stayed",
        DICE,
        columns,
        (entry_kinds.DICE_PLACED,),
        "No dice were recorded.",
    )


def _sealed_cell(row: Custody) -> str | Tag:
    if row.is_sealed is None:
        return "Not stated"
    return "Yes" if row.is_sealed else Tag("Not sealed", "warning")


def _custody_columns() -> tuple[Column, ...]:
    now = timezone.now()
    return (
        Column("Taken away", lambda row: row.removed_at or Tag("At the table", "info")),
        Column("Stayed", lambda row: format_hours(row.time_at_table(now).total_seconds()), is_figure=True),
        Column("Why", lambda row: row.removed_because.replace("-", " ")),
    )


def format_hours(seconds: float) -> str:
    """Whole minutes, such as "24 h 0 min"."""
    sign, whole = "−" if seconds < 0 else "", abs(int(seconds)) // 60
    return f"{sign}{whole // 60:,} h {whole % 60} min"


@readers_only
@require_safe
def shakers(request: CasinoRequest, casino: str) -> ListResponse:
    columns = (Column("Shaker or tumbler", "name", sort="name"), Column("Kind", "type"), *_custody_columns())
    empty = "No shaker was recorded."
    return _register_page(request, "Shakers and tumblers", SHAKERS, columns, (entry_kinds.SHAKER_PLACED,), empty)


@readers_only
@require_safe
def inspections(request: CasinoRequest, casino: str) -> ListResponse:
    notes = ListNotes(request, lambda row: [row.index])

    def outcome(row: InspectionMade) -> Tag:
        return notes.tag(row, Tag("Worked", "success") if row.has_passed else Tag("Did not work", "danger"))

    columns = (
        Column("What", lambda row: humanize_slug(row.item)),
        Column("Occasion", lambda row: f"{humanize_slug(row.occasion)}{', ' + row.shift if row.shift else ''}"),
        Column("Tried", "trials", is_figure=True),
        Column("Numbers", lambda row: ", ".join("-".join(map(str, faces)) for faces in row.entered)),
        Column("Outcome", outcome),
        Column("As", lambda row: humanize_slug(row.position)),
    )
    empty = "Nothing was inspected yet."
    return _register_page(request, "Inspections", INSPECTIONS, columns, (entry_kinds.INSPECTION,), empty, notes)


@readers_only
@require_safe
def cards(request: CasinoRequest, casino: str) -> ListResponse:
    columns = (
        Column("Shoe", "shoe", sort="shoe"),
        Column("Decks", "decks", is_figure=True),
        Column("Cards", "cards", is_figure=True),
        Column("Foreign", lambda row: Tag(str(row.foreign_cards), "danger") if row.foreign_cards else "0"),
        Column("Round", "round"),
        Column("Note", "note"),
    )
    kinds = (entry_kinds.DECK_COUNT, entry_kinds.FOREIGN_CARD, entry_kinds.SHOE_CHANGED)
    return _register_page(request, "Cards", CARDS, columns, kinds, "No cards were counted yet.")


@readers_only
@require_safe
def chips(request: CasinoRequest, casino: str) -> ListResponse:
    columns = (
        Column("Set", "chip_set", sort="chip_set"),
        Column("Colour", "colour", sort="colour"),
        Column("Value", "value_cents", is_money=True),
        Column("Issued", lambda row: row.chips if row.chips > 0 else "", is_figure=True),
        Column("Taken back", lambda row: -row.chips if row.chips < 0 else "", is_figure=True),
        Column("Whose", "holder"),
        Column("Marker", "marker_cents", is_money=True),
        Column("Paid", "paid_cents", is_money=True),
        Column("Issued at", lambda row: row.issued_at if row.issued_at != row.table else ""),
    )
    kinds = (entry_kinds.CHIPS_ISSUED, entry_kinds.CHIPS_REDEEMED)
    title = "Chips without value"
    return _register_page(request, title, CHIPS, columns, kinds, "No chips without value were recorded.")
