"""Registers of a casino's equipment, with the records of controllers and people alike."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.templatetags.ui import local, money
from compliance.core.web.ui.components import Column, FilterPanel, Table, Tag
from compliance.tables.equipment.projections import CardsCounted, ChipsMoved, Custody, Fault, InspectionMade, Piece
from compliance.tables.equipment.views.common import address_of, entry_link, humanize_slug, readers_only
from rounds.floor.models import Table as FloorTable


class RegisterFilter(forms.Form):
    table = forms.ChoiceField(label="Table", required=False)

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        tables = FloorTable.objects.filter(casino=casino).order_by("name").values_list("slug", "name")
        self.fields["table"].choices = [("", "All"), *tables]  # type: ignore[attr-defined]

    def filter_rows(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        self.is_valid()
        chosen = self.cleaned_data.get("table", "")
        return rows.filter(table=chosen) if chosen else rows


def _register_page(
    request: CasinoRequest,
    title: str,
    rows: QuerySet[Any],
    columns: Sequence[Column],
    records: Sequence[str],
    empty: str,
) -> HttpResponse:
    """One register page. `records` are the entry kinds that can be recorded from it, after choosing a table."""
    place = request.casino
    form = RegisterFilter(request.GET, casino=place)
    table = Table(
        caption=title,
        columns=(
            Column("When", lambda row: local(row.at, place), sort="at", is_row_heading=True),
            Column("Table", "table", sort="table", link=lambda row: address_of("table", place, table=row.table)),
            *columns,
            Column("By", "by"),
            Column("Entry", lambda row: entry_link(place, row.index)),
        ),
        rows=form.filter_rows(rows.filter(log=place.slug)),
        query=request.GET,
        sort="-at",
        empty=empty,
    )
    context = {
        "casino": place,
        "title": title,
        "table": table,
        "panel": FilterPanel(form, legend="Choose a table"),
        "records": records,
    }
    return render(request, "equipment/register.html", context)


@readers_only
@never_cache
@require_safe
def faults(request: CasinoRequest, casino: str) -> HttpResponse:
    columns = (
        Column("Fault", "name", link=lambda row: address_of("fault", request.casino, fault=row.index)),
        Column("What", lambda row: f"{humanize_slug(row.equipment)}: {row.effect.replace('-', ' ')}"),
        Column("State", "tag"),
        Column("Mended", lambda row: local(row.mended_at, request.casino)),
        Column("Back in play", lambda row: local(row.returned_at, request.casino)),
        Column("Signed by", "returned_by"),
    )
    return _register_page(request, "Faults", Fault.objects.all(), columns, (), "No fault was reported.")


@readers_only
@never_cache
@require_safe
def dice(request: CasinoRequest, casino: str) -> HttpResponse:
    columns = (Column("Set", "name", sort="name"), Column("Sealed", _sealed_cell), *_custody_columns(request))
    return _register_page(
        request,
        "Dice and how long they stayed",
        Custody.objects.of_piece(Piece.DICE),
        columns,
        ("dice-placed",),
        "No dice were recorded.",
    )


def _sealed_cell(row: Custody) -> str | Tag:
    if row.is_sealed is None:
        return "Not stated"
    return "Yes" if row.is_sealed else Tag("Not sealed", "warning")


def _custody_columns(request: CasinoRequest) -> tuple[Column, ...]:
    now = timezone.now()
    return (
        Column("Taken away", lambda row: local(row.removed_at, request.casino) or Tag("At the table", "info")),
        Column("Stayed", lambda row: format_hours(row.time_at_table(now).total_seconds()), is_figure=True),
        Column("Why", lambda row: row.removed_because.replace("-", " ")),
    )


def format_hours(seconds: float) -> str:
    """Whole minutes, such as "24 h 0 min"."""
    sign, whole = "−" if seconds < 0 else "", abs(int(seconds)) // 60
    return f"{sign}{whole // 60:,} h {whole % 60} min"


@readers_only
@never_cache
@require_safe
def shakers(request: CasinoRequest, casino: str) -> HttpResponse:
    columns = (Column("Shaker or tumbler", "name", sort="name"), Column("Kind", "type"), *_custody_columns(request))
    rows = Custody.objects.of_piece(Piece.SHAKER)
    return _register_page(request, "Shakers and tumblers", rows, columns, ("shaker-placed",), "No shaker was recorded.")


@readers_only
@never_cache
@require_safe
def inspections(request: CasinoRequest, casino: str) -> HttpResponse:
    columns = (
        Column("What", lambda row: humanize_slug(row.item)),
        Column("Occasion", lambda row: f"{humanize_slug(row.occasion)}{', ' + row.shift if row.shift else ''}"),
        Column("Tried", "trials", is_figure=True),
        Column("Numbers", lambda row: ", ".join("-".join(map(str, faces)) for faces in row.entered)),
        Column("Outcome", lambda row: Tag("Worked", "success") if row.has_passed else Tag("Did not work", "danger")),
        Column("As", lambda row: humanize_slug(row.position)),
    )
    return _register_page(
        request, "Inspections", InspectionMade.objects.all(), columns, ("inspection",), "Nothing was inspected yet."
    )


@readers_only
@never_cache
@require_safe
def cards(request: CasinoRequest, casino: str) -> HttpResponse:
    columns = (
        Column("Shoe", "shoe", sort="shoe"),
        Column("Decks", "decks", is_figure=True),
        Column("Cards", "cards", is_figure=True),
        Column("Foreign", lambda row: Tag(str(row.foreign_cards), "danger") if row.foreign_cards else "0"),
        Column("Round", "round"),
        Column("Note", "note"),
    )
    kinds = ("deck-count", "foreign-card", "shoe-changed")
    return _register_page(request, "Cards", CardsCounted.objects.all(), columns, kinds, "No cards were counted yet.")


@readers_only
@never_cache
@require_safe
def chips(request: CasinoRequest, casino: str) -> HttpResponse:
    columns = (
        Column("Set", "chip_set", sort="chip_set"),
        Column("Colour", "colour", sort="colour"),
        Column("Value", lambda row: money(row.value_cents), is_figure=True),
        Column("Issued", lambda row: row.chips if row.chips > 0 else "", is_figure=True),
        Column("Taken back", lambda row: -row.chips if row.chips < 0 else "", is_figure=True),
        Column("Whose", "holder"),
        Column("Marker", lambda row: money(row.marker_cents), is_figure=True),
        Column("Paid", lambda row: money(row.paid_cents), is_figure=True),
        Column("Issued at", lambda row: row.issued_at if row.issued_at != row.table else ""),
    )
    kinds = ("chips-issued", "chips-redeemed")
    title = "Chips without value"
    return _register_page(
        request, title, ChipsMoved.objects.all(), columns, kinds, "No chips without value were recorded."
    )
