"""Whether sequence numbers of a table's controllers are missing in a period,
as a page that can be printed and shown.
"""

from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.ui.components import Column, DataTable
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.transparency.ledger_pages.completeness import CompletenessStatement, completeness_statement
from compliance.transparency.ledger_pages.forms import CompletenessForm
from compliance.transparency.ledger_pages.selectors import may_export
from compliance.transparency.ledger_pages.views.common import readers_only


@readers_only
@require_safe
def completeness(request: CasinoRequest, casino: str) -> ListResponse:
    form = CompletenessForm(request.GET or None, casino=request.casino)
    stated = completeness_statement(request.casino, **form.cleaned_data) if form.is_bound and form.is_valid() else None
    context: dict[str, object] = {"form": form, "stated": stated}
    if stated is not None:
        context |= {
            "feeds": _feeds_table(stated),
            "silences": _silences_table(stated),
            "take_href": _export_url(request, stated),
        }
    return list_response(request, "ledger_pages/completeness.html", context, lists=("feeds", "silences"))


def _export_url(request: CasinoRequest, statement: CompletenessStatement) -> str:
    href = f"{casino_url('evidence:new-bundle', request.casino)}?first={statement.first}&last={statement.last}"
    return href if may_export(request.user, request.casino) else ""


def _feeds_table(statement: CompletenessStatement) -> DataTable:
    return DataTable(
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
        empty="No controller sent a numbered line for this table in that time.",
    )


def _silences_table(statement: CompletenessStatement) -> DataTable:
    return DataTable(
        caption="When a controller was silent",
        columns=(
            Column("Controller", "controller", is_row_heading=True),
            Column("Last heard of", "since"),
            Column("Heard of again", lambda row: row.until or "Not in this time"),
        ),
        rows=statement.silences,
        name="silences",
        empty="None of its controllers was silent.",
    )
