"""The access log, for inspectors and the casino's compliance officer."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.web.access import require_roles
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.components import Column, FilterPanel, Table
from compliance.privacy.access_log.forms import AccessLogFilter
from compliance.privacy.access_log.models import AccessLogEntry, AccessMethod
from compliance.privacy.access_log.selectors import access_log_of
from compliance.privacy.personal_data.subjects import OVERSEERS

overseers_only = require_roles(*OVERSEERS)


@overseers_only
@require_safe
def choose_access_log_casino(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request,
        OVERSEERS,
        lambda casino: reverse("disclosures:seen", args=[casino.slug]),
        title="Who looked",
        caption="Casinos you oversee",
    )


@overseers_only
@never_cache
@require_safe
def list_access_log(request: CasinoRequest, casino: str) -> HttpResponse:
    form = AccessLogFilter(request.GET, casino=request.casino)
    chosen = form.valid_values()
    table = Table(
        caption=f"Who looked at what at {request.casino}",
        columns=access_log_columns(request.casino),
        rows=access_log_of(request.casino, chosen),
        query=request.GET,
        sort="-at",
        is_caption_hidden=True,
        empty="Nothing fits this search." if any(chosen.values()) else "Nobody took or saw anything yet.",
    )
    context = {"casino": request.casino, "panel": FilterPanel(form, legend="Search and filter"), "table": table}
    return render(request, "access_log/accesses.html", context)


def access_log_columns(casino: Casino) -> tuple[Column, ...]:
    return (
        Column("When", lambda row: local(row.at, casino), sort="at", is_row_heading=True, link=_entry_link),
        Column("Who", "person_text", sort="by_name"),
        Column("How", lambda row: row.get_way_display(), sort="way"),
        Column("What", "what", sort="what", link=_page_link),
        Column("Rows", lambda row: "" if row.rows is None else f"{row.rows:,}", sort="rows", is_figure=True),
        Column("Form", "format"),
        Column("Why, or narrowed by", "reason_text"),
    )


def _page_link(row: AccessLogEntry) -> str:
    """Where it was seen or exported; API reads have no page."""
    return "" if row.way == AccessMethod.API else row.address


def _entry_link(row: AccessLogEntry) -> str:
    return reverse("evidence:entry", kwargs={"casino": row.log, "index": row.entry_index})
