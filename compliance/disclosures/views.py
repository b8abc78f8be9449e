"""Who looked at what, for inspectors and for the casino's own compliance officer."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.models import Casino
from compliance.accounts.requests import CasinoRequest, PersonRequest
from compliance.accounts.views.choosing import choose_casino
from compliance.disclosures.forms import SeenFilter
from compliance.disclosures.models import Seen, Way
from compliance.disclosures.selectors import seen_at
from compliance.patrons.subjects import OVERSEERS
from compliance.web.access import held_by
from compliance.web.components import Column, FilterPanel, Table
from compliance.web.templatetags.kit import local

overseers = held_by(*OVERSEERS)


@overseers
@require_safe
def casinos(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request, OVERSEERS, lambda casino: reverse("disclosures:seen", args=[casino.slug]),
        title="Who looked", caption="Casinos you oversee",
    )  # fmt: skip


@overseers
@never_cache
@require_safe
def seen(request: CasinoRequest, casino: str) -> HttpResponse:
    form = SeenFilter(request.GET, casino=request.casino)
    chosen = form.chosen()
    table = Table(
        caption=f"Who looked at what at {request.casino}",
        columns=columns(request.casino),
        rows=seen_at(request.casino, chosen),
        query=request.GET,
        sort="-at",
        is_caption_hidden=True,
        empty="Nothing fits this search." if any(chosen.values()) else "Nobody took or saw anything yet.",
    )
    context = {"casino": request.casino, "panel": FilterPanel(form, legend="Search and filter"), "table": table}
    return render(request, "disclosures/seen.html", context)


def columns(casino: Casino) -> tuple[Column, ...]:
    return (
        Column("When", lambda row: local(row.at, casino), sort="at", is_row_heading=True, link=_entry),
        Column("Who", "who", sort="by_name"),
        Column("How", lambda row: row.get_way_display(), sort="way"),
        Column("What", "what", sort="what", link=_page),
        Column("Rows", lambda row: "" if row.rows is None else f"{row.rows:,}", sort="rows", is_figure=True),
        Column("Form", "format"),
        Column("Why, or narrowed by", "why"),
    )


def _page(row: Seen) -> str:
    """Where it was seen or taken; what another system reads has no page."""
    return "" if row.way == Way.API else row.address


def _entry(row: Seen) -> str:
    return reverse("evidence:entry", kwargs={"casino": row.log, "index": row.entry_index})
