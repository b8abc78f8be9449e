"""Register of denied claims: search, CSV export, print."""

from django.http import StreamingHttpResponse
from django.views.decorators.http import require_safe

from compliance.core.accounts.list_registry import FilteredList, ListQuery
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.ui.components import Column, DataTable, FilterPanel, Tag
from compliance.core.web.ui.list_response import ListResponse, export_response, list_response
from promotions.claims.denials import format_waiting_time, waiting_time
from promotions.claims.forms import DenialFilter
from promotions.claims.models import Claim, ReasonsTold
from promotions.claims.selectors import search_denials
from promotions.shared.duties import promotion_rules_at
from promotions.terms.views.common import readers
from rounds.ledger import encode_timestamp

DENIALS = FilteredList("claims:denied", DenialFilter, lambda asked, chosen: search_denials(asked.casino, chosen))


@readers
@require_safe
def denied_claims(request: CasinoRequest, casino: str) -> ListResponse:
    asked = ListQuery.from_request(request)
    now, (form, rows) = asked.now, DENIALS(asked)

    def told_cell(row: Claim) -> object:
        assert row.get_decision() is not None
        decision = row.decision
        after = format_waiting_time(waiting_time(decision, now))
        return f"After {after}" if decision.get_reasons_told() else Tag(f"Not for {after}", "warning")

    table = DataTable(
        caption=f"Denied claims at {request.casino}",
        columns=(
            Column("Claim", "reference", sort="number", is_row_heading=True, link=lambda row: row.get_absolute_url()),
            Column("Prize", "prize", sort="prize"),
            Column("Value", "value_cents", sort="value_cents", is_money=True),
            Column("Denied", "decision.at", sort="decided_at"),
            Column("Reasons", "decision.reasons"),
            Column("Claimant", lambda row: f"Record {row.record_id}" if row.record_id else "Not kept"),
            Column("Told", told_cell),
        ),
        rows=rows,
        query=request.GET,
        sort="-decided_at",
        empty="No denied claim fits this search." if any(form.valid_values().values()) else "No claim has been denied.",
    )
    found = promotion_rules_at(request.casino, now)
    context = {
        "table": table,
        "panel": FilterPanel(form, legend="Search and filter"),
        "denial": found.duties.denial if found else None,
        "query": request.GET.urlencode(),
    }
    return list_response(request, "claims/denied.html", context)


@readers
@require_safe
def export_denials(request: CasinoRequest, casino: str) -> StreamingHttpResponse:
    """The register as CSV with every fact for programs, without names: reading those is an access that must be
    recorded."""
    asked = ListQuery.from_request(request)
    _, rows = DENIALS(asked)

    def told(claim: Claim) -> ReasonsTold | None:
        return claim.decision.get_reasons_told()

    def minutes_until_told(claim: Claim) -> int | None:
        return int(waiting_time(claim.decision, asked.now).total_seconds()) // 60 if told(claim) else None

    table = DataTable(
        caption=f"Register of denied claims at {request.casino}",
        columns=(
            Column("claim", "reference"),
            Column("promotion", "promotion.reference"),
            Column("prize", "prize"),
            Column("value_cents", "value_cents"),
            Column("claimed_at", lambda row: encode_timestamp(row.claimed_at)),
            Column("denied_at", lambda row: encode_timestamp(row.decision.at)),
            Column("reasons", "decision.reasons"),
            Column("told_at", lambda row: encode_timestamp(found.told_at) if (found := told(row)) else None),
            Column("told_by", lambda row: found.method if (found := told(row)) else None),
            Column("minutes_until_told", minutes_until_told),
            Column("personal_record", "record_id"),
            Column("ledger_entry", "decision.entry_index"),
        ),
        rows=rows.order_by("number"),
        query=request.GET,
    )
    return export_response(request, table, "csv")
