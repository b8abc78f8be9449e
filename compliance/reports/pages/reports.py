"""Pages for requesting reports, following their progress, cancel and retry, reading and downloading them."""

from typing import Any

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from compliance.core.accounts.list_registry import FilteredList, ListQuery
from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.web.access import public, require_roles
from compliance.core.web.errors import NotFound, Refusal
from compliance.core.web.pdf.sections import Grid, Row, Section
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.components import Column, DataTable, FilterPanel, SummaryList, SummaryRow
from compliance.core.web.ui.confirm_page import bound_data
from compliance.core.web.ui.links import casino_url, entry_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.reports.document import structure as documents
from compliance.reports.document.structure import Document
from compliance.reports.errors import ReportGone, ReportNotReady
from compliance.reports.jobs.request import cancel_report, request_report, retry_report
from compliance.reports.kinds import MAY_OPEN, MAY_REPORT
from compliance.reports.models import Report
from compliance.reports.offline.single_file_verifier import VERIFIER
from compliance.reports.pages.forms import FORMS, ReportFilter
from compliance.reports.selectors import access_report, access_report_kind, report_kinds_for, search_reports

reporters_only = require_roles(*MAY_REPORT)
report_readers_only = require_roles(*MAY_OPEN)


@report_readers_only
@require_safe
def casino_list(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request,
        MAY_OPEN,
        lambda casino: casino_url("reports:reports", casino),
        title="Reports",
        caption="Casinos of which you have reports made",
    )


REPORTS = FilteredList(
    "reports:reports", ReportFilter, lambda asked, chosen: search_reports(asked.person, asked.casino, **chosen)
)


@report_readers_only
@require_safe
def reports(request: CasinoRequest, casino: str) -> ListResponse:
    place, (form, rows) = request.casino, REPORTS(ListQuery.from_request(request))
    table = DataTable(
        caption="Reports, newest first",
        columns=(
            Column(
                "Report",
                lambda row: f"{row.title} ({row.pk})",
                sort="title",
                is_row_heading=True,
                link=lambda row: casino_url("reports:report", place, report=row.pk),
            ),
            Column("State", "tag"),
            Column("Asked for by", "asked_by_name", sort="asked_by_name"),
            Column("Asked for", "asked_at", sort="asked_at"),
            Column("Pages", lambda row: "" if row.pages is None else f"{row.pages:,}", is_figure=True, sort="pages"),
            Column("Size", lambda row: _size_text(row), is_figure=True, sort="file_bytes"),
        ),
        rows=rows,
        sort="-asked_at",
        is_caption_hidden=True,
        empty="No report fits." if form.has_changed() else "No report was made yet.",
    )
    kinds = [(kind, casino_url("reports:new", place, kind=kind.slug)) for kind in report_kinds_for(request.user, place)]
    may_schedule = request.user.has_role(*MAY_REPORT, casino=place)
    context = {"table": table, "kinds": kinds, "panel": FilterPanel(form), "may_schedule": may_schedule}
    return list_response(request, "reports/reports.html", context)


def _size_text(report: Report) -> str:
    return "" if report.file_bytes is None else filesizeformat(report.file_bytes)


@report_readers_only
@require_http_methods(["GET", "HEAD", "POST"])
def new_report(request: CasinoRequest, casino: str, kind: str) -> HttpResponse:
    about = access_report_kind(request.user, request.casino, kind)
    form = FORMS[kind](bound_data(request), casino=request.casino, initial=request.GET.dict())
    if request.method == "POST" and form.is_valid():
        try:
            report = request_report(
                casino=request.casino, kind=kind, chosen=form.report_options(), actor=request.user, now=timezone.now()
            )
        except Refusal as refusal:
            form.add_error(None, refusal.full_message)
        else:
            return redirect(casino_url("reports:report", request.casino, report=report.pk))
    return render(request, "reports/new.html", {"casino": request.casino, "kind": about, "form": form})


@report_readers_only
@require_safe
def report(request: CasinoRequest, casino: str, report: int) -> ListResponse:
    """The report's content as a page, for reading on screen and for screen readers."""
    made = access_report(request.user, request.casino, report)
    context = _status_context(made)
    if made.is_done:
        document = documents.decode_document(_read_file(made, ".json"))
        context |= {"subject": document.subject, "sections": _section_contexts(made, document, request)}
    return list_response(request, "reports/report.html", context, lists=("sections",))


@report_readers_only
@require_safe
def report_progress(request: CasinoRequest, casino: str, report: int) -> HttpResponse:
    """Fragment that is polled while the report is generated; loads the whole page once it is ready."""
    made = access_report(request.user, request.casino, report)
    response = render(request, "reports/report-state.html", _status_context(made))
    if not made.is_unfinished:
        response["HX-Refresh"] = "true"
    return response


@report_readers_only
@require_POST
def cancel(request: CasinoRequest, casino: str, report: int) -> HttpResponse:
    made = access_report(request.user, request.casino, report)
    cancel_report(report=made, actor=request.user, now=timezone.now())
    messages.success(request, "The report is cancelled.")
    return redirect(casino_url("reports:report", request.casino, report=made.pk))


@report_readers_only
@require_POST
def retry(request: CasinoRequest, casino: str, report: int) -> HttpResponse:
    made = access_report(request.user, request.casino, report)
    retry_report(report=made, actor=request.user)
    messages.success(request, "The report is made again.")
    return redirect(casino_url("reports:report", request.casino, report=made.pk))


def _status_context(made: Report) -> dict[str, Any]:
    casino = made.casino
    rows = [
        SummaryRow("State", made.tag),
        SummaryRow("Asked for by", made.asked_by_name),
        SummaryRow("Asked for", local(made.asked_at, casino)),
    ]
    if made.schedule_id:
        rows.append(SummaryRow("Made by schedule", "Yes"))
    if made.is_done:
        assert made.entry_index is not None
        entry = entry_url(casino, made.entry_index)
        rows += [
            SummaryRow("Made", local(made.made_at, casino)),
            SummaryRow("Pages", f"{made.pages:,}"),
            SummaryRow("Records attached, each with its proof", f"{made.records:,}"),
            SummaryRow("SHA-256 of the file", format_html('<code class="copyable">{}</code>', made.file_sha256)),
            *_signature_rows(made),
            SummaryRow("Recorded as", f"Entry {made.entry_index:,}", entry, "Open"),
        ]
    return {"casino": casino, "report": made, "summary": SummaryList(rows), "size": _size_text(made)}


def _signature_rows(made: Report) -> list[SummaryRow]:
    """Empty for reports made before files were signed."""
    signed = getattr(made, "signed_file", None)
    if signed is None:
        return []
    fingerprint = format_html('<code class="copyable">{}</code>', signed.certificate_sha256)
    return [SummaryRow("Signed with the certificate", fingerprint, reverse("reports:certificates"), "Compare")]


def _section_contexts(made: Report, document: Document, request: CasinoRequest) -> list[dict[str, Any]]:
    def figure_context(section: Section) -> dict[str, str] | None:
        if section.figure is None:
            return None
        place = casino_url("reports:figure", made.casino, report=made.pk, figure=section.figure.number)
        return {"src": place, "alt": section.figure.alt}

    sections = (*document.sections, *document.basis)
    return [section_context(section, place, request, figure_context(section)) for place, section in enumerate(sections)]


def section_context(
    section: Section, place: int, request: CasinoRequest, figure: dict[str, str] | None
) -> dict[str, Any]:
    """Template context of a section. `place` distinguishes its table's paging from the others."""
    table = _grid_table(section.grid, section.title, place, request) if section.grid else None
    facts = SummaryList([SummaryRow(fact.name, fact.value) for fact in section.facts]) if section.facts else None
    return {"title": section.title, "texts": section.texts, "facts": facts, "table": table, "figure": figure}


def _grid_table(grid: Grid, title: str, place: int, request: CasinoRequest) -> DataTable:
    def cell_getter(number: int) -> Any:
        return lambda row: row.cells[number]

    def entry_of(row: Row) -> str:
        return "" if row.entry is None else entry_url(request.casino, row.entry)

    return DataTable(
        caption=title,
        columns=[
            Column(
                head.text,
                cell_getter(number),
                is_figure=head.is_figure,
                is_row_heading=number == 0,
                link=entry_of if number == 0 else None,
            )
            for number, head in enumerate(grid.headings)
        ],
        rows=grid.rows,
        name=f"s{place}",
        is_caption_hidden=True,
        empty=grid.empty,
    )


def _read_file(made: Report, suffix: str) -> bytes:
    if not made.is_done:
        raise ReportNotReady
    try:
        return made.path(suffix).read_bytes()
    except OSError as error:
        raise ReportGone from error


@report_readers_only
@require_safe
def download_report(request: CasinoRequest, casino: str, report: int) -> Any:
    made = access_report(request.user, request.casino, report)
    if not made.is_done:
        raise ReportNotReady
    try:
        file = made.path(".pdf").open("rb")
    except OSError as error:
        raise ReportGone from error
    return FileResponse(file, as_attachment=True, filename=made.file_name, content_type="application/pdf")


@report_readers_only
@require_safe
def report_figure(request: CasinoRequest, casino: str, report: int, figure: int) -> HttpResponse:
    made = access_report(request.user, request.casino, report)
    figures = documents.decode_document(_read_file(made, ".json")).figures
    if figure >= len(figures):
        raise NotFound
    return HttpResponse(figures[figure].encode(), content_type="image/svg+xml")


@public
@require_safe
def download_verifier(request: HttpRequest) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{VERIFIER.file_name}"'}
    return HttpResponse(VERIFIER.content, content_type="text/x-python; charset=utf-8", headers=headers)
