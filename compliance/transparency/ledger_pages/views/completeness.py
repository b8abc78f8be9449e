"""Whether sequence numbers of a table's controllers are missing in a period,
as a page that can be printed and shown.
"""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.components import Column, Table
from compliance.transparency.ledger_pages.completeness import CompletenessStatement, completeness_statement
from compliance.transparency.ledger_pages.forms import CompletenessForm
from compliance.transparency.ledger_pages.selectors import may_export
from compliance.transparency.ledger_pages.views.common import address_of, readers_only


@readers_only
@never_cache
@require_safe
def completeness(request: CasinoRequest, casino: str) -> HttpResponse:
    form = CompletenessForm(request.GET or None, casino=request.casino)
    stated = completeness_statement(request.casino, **form.cleaned_data) if form.is_bound and form.is_valid() else None
    context = {"casino": request.casino, "form": form, "stated": stated}
    if stated is not None:
        context |= {
            "feeds": _feeds_table(request, stated),
            "silences": _silences_table(request, stated),
            "take_href": _export_url(request, stated),
        }
    return render(request, "ledger_pages/completeness.html", context)


def _export_url(request: CasinoRequest, statement: CompletenessStatement) -> str:
    href = f"{address_of('new-bundle', request.casino)}?first={statement.first}&last={statement.last}"
    return href if may_export(request.user, request.casino) else ""


def _feeds_table(request: CasinoRequest, statement: CompletenessStatement) -> Table:
    return Table(
        caption="Controllers and their numbers",
        columns=(
            Column("Controller", "controller", is_row_heading=True),
            Column("Numbers", "numbers"),
            Column("Lines", lambda row: f"{row.line_count:,}", is_figure=True),
            Column("Missing", "missing_text"),
            Column("They follow", "previous_number_text"),
            Column("Recorded before or after", "recorded_elsewhere_text"),
            Column("Set aside in quarantine", "quarantined_text"),
        ),
        rows=statement.feeds,
        query=request.GET,
        empty="No controller sent a numbered line for this table in that time.",
    )


def _silences_table(request: CasinoRequest, statement: CompletenessStatement) -> Table:
    place = request.casino
    return Table(
        caption="When a controller was silent",
        columns=(
            Column("Controller", "controller", is_row_heading=True),
            Column("Last heard of", lambda row: local(row.since, place)),
            Column("Heard of again", lambda row: local(row.until, place) if row.until else "Not in this time"),
        ),
        rows=statement.silences,
        query=request.GET,
        name="silences",
        empty="None of its controllers was silent.",
    )
