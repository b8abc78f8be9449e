"""Pages of quarantined lines: the list, one line with its bytes, and marking it as dealt with."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from compliance.core.accounts.list_registry import FilteredList, ListQuery
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.access import require_roles
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.components import Column, DataTable, FilterPanel, SummaryList, SummaryRow, Tag
from compliance.core.web.ui.confirm_page import ConfirmPage, bound_data, confirm_page
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from rounds.floor.permissions import MAY_READ
from rounds.intake.models import Quarantined, QuarantineResolution
from rounds.intake.pages.forms import QuarantineFilter, ResolveQuarantinedForm
from rounds.intake.selectors import access_quarantined, quarantine_codes, search_quarantined
from rounds.intake.services.quarantine import resolve_quarantined_line

readers_only = require_roles(*MAY_READ)
MAX_DISPLAYED_BYTES = 20_000


def resolution_of(line: Quarantined) -> QuarantineResolution | None:
    return getattr(line, "dealt_with", None)


def state_tag(line: Quarantined) -> Tag:
    return Tag("Dealt with", "success") if resolution_of(line) else Tag("Waiting", "warning")


QUARANTINE = FilteredList(
    "intake:quarantine",
    lambda asked: QuarantineFilter(asked.parameters, codes=quarantine_codes(asked.casino)),
    lambda asked, chosen: search_quarantined(
        asked.casino, words=chosen["q"], code=chosen["code"], state=chosen["state"]
    ),
)


@readers_only
@require_safe
def quarantine(request: CasinoRequest, casino: str) -> ListResponse:
    form, rows = QUARANTINE(ListQuery.from_request(request))
    is_filtered = any(form.valid_values().values())
    table = DataTable(
        caption=f"Lines refused at {request.casino}",
        columns=(
            Column(
                "Received",
                "received_at",
                sort="received_at",
                is_row_heading=True,
                link=lambda line: casino_url("intake:quarantined", request.casino, line=line.pk),
            ),
            Column("Controller", "controller.name", sort="controller__name"),
            Column("Table", "table", sort="table"),
            Column("Sequence", "sequence", is_figure=True),
            Column("Why", "sentence"),
            Column("State", state_tag),
        ),
        rows=rows,
        sort="-received_at",
        empty="No line fits this search." if is_filtered else "Nothing was refused. Every line that came was taken.",
    )
    context = {"panel": FilterPanel(form, legend="Search and filter"), "table": table}
    return list_response(request, "intake/quarantine.html", context)


@readers_only
@require_safe
def quarantined_line(request: CasinoRequest, casino: str, line: int) -> HttpResponse:
    found = access_quarantined(request.user, request.casino, line)
    raw = bytes(found.line)
    context = {
        "casino": request.casino,
        "line": found,
        "summary": _summary(found),
        "mark": resolution_of(found),
        "text": raw[:MAX_DISPLAYED_BYTES].decode(errors="backslashreplace"),
        "is_cut": len(raw) > MAX_DISPLAYED_BYTES,
    }
    return render(request, "intake/quarantined.html", context)


def _summary(line: Quarantined) -> SummaryList:
    rows = [
        SummaryRow("State", state_tag(line)),
        SummaryRow("Received", local(line.received_at, line.casino)),
        SummaryRow("Controller", line.controller.name),
        SummaryRow("Table", line.table),
        SummaryRow("Sequence", line.sequence),
        SummaryRow("Kind", line.kind),
        SummaryRow("Why it was refused", line.sentence),
        SummaryRow("Reason code", line.code),
        SummaryRow("Where in the line", line.field),
        SummaryRow("Entry of the ledger", f"{line.log}, {line.entry_index}"),
        SummaryRow("SHA-256 of the line", bytes(line.line_sha256).hex()),
    ]
    if line.kept_index is not None:
        rows.insert(7, SummaryRow("What stands instead", f"Entry {line.kept_index}"))
    return SummaryList(rows)


@readers_only
@require_safe
def quarantined_bytes(request: CasinoRequest, casino: str, line: int) -> HttpResponse:
    """The line's bytes as a download."""
    found = access_quarantined(request.user, request.casino, line)
    response = HttpResponse(bytes(found.line), content_type="application/octet-stream")
    response["Content-Disposition"] = f'attachment; filename="quarantined-{found.pk}.txt"'
    return response


@readers_only
@require_http_methods(["GET", "HEAD", "POST"])
def resolve_line(request: CasinoRequest, casino: str, line: int) -> HttpResponse:
    found = access_quarantined(request.user, request.casino, line)
    form = ResolveQuarantinedForm(bound_data(request))
    act = ConfirmPage(
        title="Mark this line as dealt with",
        consequences=(
            "Your name, the time and your note are recorded for good.",
            "The line itself stays in quarantine, byte for byte. It is not sent to the ledger by this.",
        ),
        submit="Mark as dealt with",
        back=casino_url("intake:quarantined", request.casino, line=found.pk),
        back_label="The refused line",
        done="The line is marked as dealt with.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: resolve_quarantined_line(
            quarantined=found, note=form.cleaned_data["note"], actor=request.user, now=timezone.now()
        ),
    )
