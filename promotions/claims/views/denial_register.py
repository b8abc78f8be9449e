"""Register of denied claims: search, CSV export, print."""

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.core.accounts.requests import CasinoRequest
from compliance.core.web.templatetags.ui import local, money
from compliance.core.web.ui.components import Column, FilterPanel, Table, Tag
from promotions.claims.csv_export import csv_lines
from promotions.claims.denials import format_waiting_time, waiting_time
from promotions.claims.forms import DenialFilter
from promotions.claims.models import Claim
from promotions.claims.selectors import search_denials
from promotions.shared.duties import promotion_rules_at
from promotions.terms.views.common import readers

EXPORT_CHUNK_SIZE = 1_000


@readers
@never_cache
@require_safe
def denied_claims(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()
    form = DenialFilter(request.GET)
    chosen = form.valid_values()

    def told_cell(row: Claim) -> object:
        assert row.get_decision() is not None
        decision = row.decision
        after = format_waiting_time(waiting_time(decision, now))
        return f"After {after}" if decision.get_reasons_told() else Tag(f"Not for {after}", "warning")

    table = Table(
        caption=f"Denied claims at {request.casino}",
        columns=(
            Column("Claim", "reference", sort="number", is_row_heading=True, link=lambda row: row.get_absolute_url()),
            Column("Prize", "prize", sort="prize"),
            Column("Value", lambda row: money(row.value_cents), sort="value_cents", is_figure=True),
            Column("Denied", lambda row: local(row.decision.at, request.casino), sort="decision__at"),
            Column("Reasons", "decision.reasons"),
            Column("Claimant", lambda row: f"Record {row.record_id}" if row.record_id else "Not kept"),
            Column("Told", told_cell),
        ),
        rows=search_denials(request.casino, chosen),
        query=request.GET,
        sort="-decision__at",
        empty="No denied claim fits this search." if any(chosen.values()) else "No claim has been denied.",
    )
    found = promotion_rules_at(request.casino, now)
    context = {
        "casino": request.casino,
        "table": table,
        "panel": FilterPanel(form, legend="Search and filter"),
        "denial": found.duties.denial if found else None,
        "query": request.GET.urlencode(),
    }
    return render(request, "claims/denied.html", context)


@readers
@require_safe
def export_denials(request: CasinoRequest, casino: str) -> StreamingHttpResponse:
    rows = (
        search_denials(request.casino, DenialFilter(request.GET).valid_values())
        .order_by("number")
        .iterator(EXPORT_CHUNK_SIZE)
    )
    headers = {"Content-Disposition": f'attachment; filename="denied-claims-{request.casino.slug}.csv"'}
    return StreamingHttpResponse(
        csv_lines(rows, timezone.now()), content_type="text/csv; charset=utf-8", headers=headers
    )
