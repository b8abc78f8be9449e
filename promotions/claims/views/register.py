"""The register of denied claims: searched, exported, printed."""

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.requests import CasinoRequest
from compliance.web.components import Column, FilterPanel, Table, Tag
from compliance.web.templatetags.kit import local, money
from promotions.claims.denials import waited, waited_words
from promotions.claims.exporting import csv_lines
from promotions.claims.forms import DenialFilter
from promotions.claims.models import Claim
from promotions.claims.selectors import search_denials
from promotions.duties import governing
from promotions.terms.views.common import readers

AT_ONCE = 1_000


@readers
@never_cache
@require_safe
def denied(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()
    form = DenialFilter(request.GET)
    chosen = form.chosen()

    def told(row: Claim) -> object:
        assert row.decided() is not None
        decision = row.decision
        after = waited_words(waited(decision, now))
        return f"After {after}" if decision.reasons_told() else Tag(f"Not for {after}", "warning")

    table = Table(
        caption=f"Denied claims at {request.casino}",
        columns=(
            Column("Claim", "reference", sort="number", is_row_heading=True, link=lambda row: row.get_absolute_url()),
            Column("Prize", "prize", sort="prize"),
            Column("Value", lambda row: money(row.value_cents), sort="value_cents", is_figure=True),
            Column("Denied", lambda row: local(row.decision.at, request.casino), sort="decision__at"),
            Column("Reasons", "decision.reasons"),
            Column("Claimant", lambda row: f"Record {row.record_id}" if row.record_id else "Not kept"),
            Column("Told", told),
        ),
        rows=search_denials(request.casino, chosen),
        query=request.GET,
        sort="-decision__at",
        empty="No denied claim fits this search." if any(chosen.values()) else "No claim has been denied.",
    )
    found = governing(request.casino, now)
    context = {
        "casino": request.casino, "table": table, "panel": FilterPanel(form, legend="Search and filter"),
        "denial": found.duties.denial if found else None, "query": request.GET.urlencode(),
    }  # fmt: skip
    return render(request, "claims/denied.html", context)


@readers
@require_safe
def export(request: CasinoRequest, casino: str) -> StreamingHttpResponse:
    rows = search_denials(request.casino, DenialFilter(request.GET).chosen()).order_by("number").iterator(AT_ONCE)
    headers = {"Content-Disposition": f'attachment; filename="denied-claims-{request.casino.slug}.csv"'}
    return StreamingHttpResponse(
        csv_lines(rows, timezone.now()), content_type="text/csv; charset=utf-8", headers=headers
    )
