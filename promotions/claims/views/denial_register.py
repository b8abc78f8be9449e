"""Register of denied claims: search, CSV export, print."""

import csv
from collections.abc import Iterable, Iterator
from datetime import datetime

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.templatetags.ui import local, money
from compliance.core.web.ui.components import Column, FilterPanel, Table, Tag
from compliance.core.web.ui.table_export import PlainValue, escape_formula
from promotions.claims.denials import format_waiting_time, waiting_time
from promotions.claims.forms import DenialFilter
from promotions.claims.models import Claim
from promotions.claims.selectors import search_denials
from promotions.shared.duties import promotion_rules_at
from promotions.terms.views.common import readers
from rounds.ledger import encode_timestamp

EXPORT_CHUNK_SIZE = 1_000
CSV_HEADINGS = (
    "claim", "promotion", "prize", "value_cents", "claimed_at", "denied_at", "reasons", "told_at", "told_by",
    "minutes_until_told", "personal_record", "ledger_entry",
)  # fmt: skip


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
    """Streamed CSV, without names: reading those is an access that must be recorded."""
    rows = (
        search_denials(request.casino, DenialFilter(request.GET).valid_values())
        .order_by("number")
        .iterator(EXPORT_CHUNK_SIZE)
    )
    headers = {"Content-Disposition": f'attachment; filename="denied-claims-{request.casino.slug}.csv"'}
    return StreamingHttpResponse(
        _csv_lines(rows, timezone.now()), content_type="text/csv; charset=utf-8", headers=headers
    )


class _EchoBuffer:
    """File-like object for csv.writer that returns each line, so that the response can stream."""

    def write(self, line: str) -> str:
        return line


def _csv_lines(claims: Iterable[Claim], now: datetime) -> Iterator[str]:
    writer = csv.writer(_EchoBuffer())
    yield writer.writerow(CSV_HEADINGS)
    for claim in claims:
        yield writer.writerow([escape_formula(value) for value in _claim_row(claim, now)])


def _claim_row(claim: Claim, now: datetime) -> tuple[PlainValue, ...]:
    decision = claim.get_decision()
    assert decision is not None
    notification = decision.get_reasons_told()
    return (
        claim.reference,
        claim.promotion.reference,
        claim.prize,
        claim.value_cents,
        encode_timestamp(claim.claimed_at),
        encode_timestamp(decision.at),
        decision.reasons,
        encode_timestamp(notification.told_at) if notification else "",
        notification.method if notification else "",
        int(waiting_time(decision, now).total_seconds()) // 60 if notification else "",
        claim.record_id or "",
        decision.entry_index,
    )
