"""The access log, for inspectors and the casino's compliance officer."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.web.access import require_roles
from compliance.core.web.ui.components import Column, DataTable, FilterPanel
from compliance.core.web.ui.links import casino_url, entry_url
from compliance.core.web.ui.list_response import ListResponse, list_response
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
        lambda casino: casino_url("disclosures:seen", casino),
        title="Who looked",
        caption="Casinos you oversee",
    )


@overseers_only
@require_safe
def list_access_log(request: CasinoRequest, casino: str) -> ListResponse:
    form = AccessLogFilter(request.GET, casino=request.casino)
    chosen = form.valid_values()
    table = DataTable(
        caption=f"Who looked at what at {request.casino}",
        columns=(
            Column("When", "at", sort="at", is_row_heading=True, link=_entry_link),
            Column("Who", "person_text", sort="by_name"),
            Column("How", lambda row: row.get_way_display(), sort="way"),
            Column("What", "what", sort="what", link=_page_link),
            Column("Rows", lambda row: "" if row.rows is None else f"{row.rows:,}", sort="rows", is_figure=True),
            Column("Form", "format"),
            Column("Why, or narrowed by", "reason_text"),
        ),
        rows=access_log_of(request.casino, chosen),
        sort="-at",
        is_caption_hidden=True,
        empty="Nothing fits this search." if any(chosen.values()) else "Nobody took or saw anything yet.",
    )
    context = {"panel": FilterPanel(form, legend="Search and filter"), "table": table}
    return list_response(request, "access_log/accesses.html", context)


def _page_link(row: AccessLogEntry) -> str:
    """Where it was seen or exported; API reads have no page."""
    return "" if row.way == AccessMethod.API else row.address


def _entry_link(row: AccessLogEntry) -> str:
    return entry_url(row.log, row.entry_index)
