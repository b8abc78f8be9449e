"""A casino's log: its state, its growth, and the search."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST, require_safe

from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.charts import Point, bar_chart, svg_response
from compliance.core.web.ui.components import Chart, Column, DataTable, FilterPanel, SummaryList, SummaryRow, Tag
from compliance.core.web.ui.links import casino_url, entry_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.core.web.ui.table_export import AllRows
from compliance.transparency.ledger_pages.forms import EntrySearchForm
from compliance.transparency.ledger_pages.selectors import MAY_READ, may_export
from compliance.transparency.ledger_pages.services import request_log_verification
from compliance.transparency.ledger_pages.views.common import exporters_only, readers_only
from compliance.transparency.witness_registry.selectors import active_witnesses
from compliance.transparency.witness_registry.witness_status import load_witness_status
from rounds.ledger import EntryQuery, LogEntry, proofs, readers, search_entries, size_of, verify
from rounds.ledger import entry_kinds as ledger_kinds
from rounds.transparency_log import tree

CHART_DAYS = 30


@readers_only
@require_safe
def choose_ledger(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request,
        MAY_READ,
        lambda casino: casino_url("evidence:ledger", casino),
        title="Ledgers",
        caption="Casinos whose ledger you may read",
    )


@readers_only
@require_safe
def ledger_detail(request: CasinoRequest, casino: str) -> ListResponse:
    form = EntrySearchForm(request.GET, casino=request.casino)
    query = form.to_query()
    if query and form.cleaned_data["index"] is not None:
        return redirect(entry_url(request.casino, form.cleaned_data["index"]))
    before, after = _index_parameter(request, "before"), _index_parameter(request, "after")
    page = search_entries(casino, query, before=before, after=after) if query else readers.SearchPage()
    days = readers.entry_counts_by_day(casino, request.casino.zone, timezone.now(), CHART_DAYS)
    panel = FilterPanel(form, legend="Search the log")
    is_taker = may_export(request.user, request.casino)
    context = {
        "may_take": is_taker,
        "summary": _log_summary(request.casino),
        "verification": _verification_context(request.casino),
        "panel": panel,
        "table": _entries_table(request, page, query, is_search=bool(panel.active), has_ticks=is_taker),
        "unread_words": _unindexed_notice(page),
        "older": _page_url(request, "before", page.older),
        "newer": _page_url(request, "after", page.newer),
        "chart": _growth_chart(request.casino, days),
    }
    return list_response(request, "ledger_pages/ledger.html", context)


def _unindexed_notice(page: readers.SearchPage) -> str:
    if not page.unread:
        return ""
    newest = "newest entry was" if page.unread == 1 else f"{page.unread:,} newest entries were"
    return f"The {newest} not searched yet for rounds and people. That takes some seconds: load the page again."


def _index_parameter(request: CasinoRequest, name: str) -> int | None:
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and int(text[:20]) <= tree.MAX_SIZE else None


def _page_url(request: CasinoRequest, name: str, index: int | None) -> str:
    if index is None:
        return ""
    query = request.GET.copy()
    for key in ("before", "after"):
        query.pop(key, None)
    query[name] = str(index)
    return f"?{query.urlencode()}"


def _log_summary(casino: Casino) -> SummaryList:
    signed = proofs.newest_checkpoint(casino.slug)
    rows = [SummaryRow("Entries", f"{size_of(casino.slug):,}")]
    if signed is None:
        rows.append(SummaryRow("Last checkpoint", "None yet. One is signed every minute."))
    else:
        rows += [
            SummaryRow("Last checkpoint", local(signed.signed_at, casino)),
            SummaryRow("Entries it covers", f"{signed.head.size:,}"),
            SummaryRow("Its root", format_html('<code class="copyable">{}</code>', signed.head.root.hex())),
        ]
    rows.append(SummaryRow("Watched from outside by", _witness_summary(casino)))
    rows.append(SummaryRow("Read by the rest of the service", _consumer_summary(casino)))
    return SummaryList(rows)


def _witness_summary(casino: Casino) -> SafeString:
    now = timezone.now()
    statuses = [load_witness_status(witness, now) for witness in active_witnesses(casino)]
    words = "; ".join(f"{one.witness.name}: {one.state.value.lower()}" for one in statuses) or "Nobody yet"
    return format_html('<a href="{}">{}</a>', casino_url("witnesses:witnesses", casino), words)


def _consumer_summary(casino: Casino) -> str:
    behind = [one for one in readers.consumer_lags() if one.log == casino.slug and one.entries > 0]
    if not behind:
        return "Up to the last entry."
    most = max(one.entries for one in behind)
    return f"Still reading: the slowest part is {most:,} {'entry' if most == 1 else 'entries'} behind."


def _verification_context(casino: Casino) -> dict[str, object]:
    last = verify.last_verification(casino.slug)
    return {"last": last, "last_tag": _verification_tag(last), "running": verify.running_verification(casino.slug)}


def _verification_tag(last: verify.RecordedVerification | None) -> Tag:
    if last is None:
        return Tag("Never verified", "warning")
    if not last.is_whole:
        return Tag("Does not fit", "danger")
    return Tag("Fits", "success") if last.is_complete else Tag("Fits so far", "info")


def _entries_table(
    request: CasinoRequest, page: readers.SearchPage, query: EntryQuery | None, *, is_search: bool, has_ticks: bool
) -> DataTable:
    casino = request.casino

    def checkbox(entry: LogEntry) -> SafeString:
        return format_html(
            '<label class="choice"><input type="checkbox" name="entry" value="{}">'
            '<span class="visually-hidden">Choose entry {}</span></label>',
            entry.index,
            entry.index,
        )

    columns = [
        Column(
            "Entry",
            lambda entry: f"{entry.index:,}",
            is_figure=True,
            is_row_heading=True,
            link=lambda entry: entry_url(casino, entry.index),
        ),
        Column("Recorded", "recorded_at"),
        Column("What", lambda entry: kind.label if (kind := ledger_kinds.find_kind(entry.kind)) else ""),
        Column("Kind", "kind"),
        Column("Table", "table"),
    ]
    return DataTable(
        caption="Entries that fit, newest first" if is_search else "Entries, newest first",
        columns=[Column("Choose", checkbox, is_control=True), *columns] if has_ticks else columns,
        rows=page.entries,
        whole=AllRows(
            lambda: readers.iterate_matches(casino.slug, query), lambda: readers.count_entries(casino.slug, query)
        )
        if query
        else None,
        page_size=readers.PAGE_SIZE,
        empty="No entry fits this search." if is_search else "Nothing was recorded yet.",
        name="entries",
    )


def _growth_chart(casino: Casino, days: list[readers.DailyEntryCount]) -> Chart:
    total = sum(day.entries for day in days)
    return Chart(
        src=casino_url("evidence:growth", casino),
        alt=f"{total:,} entries in the last {CHART_DAYS} days.",
        table=DataTable(
            caption="Entries by day",
            columns=(
                Column("Day", lambda row: f"{row.day:%a} {row.day.day} {row.day:%b %Y}", is_row_heading=True),
                Column("Entries", lambda row: f"{row.entries:,}", is_figure=True),
            ),
            rows=days,
            name="days",
        ),
    )


@readers_only
@require_safe
def growth_chart_svg(request: CasinoRequest, casino: str) -> HttpResponse:
    days = readers.entry_counts_by_day(casino, request.casino.zone, timezone.now(), CHART_DAYS)
    points = [Point(f"{day.day.day} {day.day:%b}", day.entries) for day in days]
    title = f"How the log of {request.casino} grew"
    return svg_response(bar_chart(title=title, x_label="Day", y_label="Entries", points=points))


@readers_only
@require_safe
def verification_progress(request: CasinoRequest, casino: str) -> HttpResponse:
    """htmx fragment: the part of the page that changes while a verification runs."""
    context = {
        "verification": _verification_context(request.casino),
        "may_take": may_export(request.user, request.casino),
    }
    return render(request, "ledger_pages/verification.html", context | {"casino": request.casino})


@exporters_only
@require_POST
def start_verification(request: CasinoRequest, casino: str) -> HttpResponse:
    request_log_verification(casino=request.casino, actor=request.user, now=timezone.now())
    messages.success(request, "The log is being verified from its first entry. The result becomes an entry of its own.")
    return redirect(casino_url("evidence:ledger", request.casino))
