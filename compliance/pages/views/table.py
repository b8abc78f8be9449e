"""One table: its state, its last rounds, and everything recorded about it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.templatetags.ui import dice, local, tag
from compliance.core.web.ui.components import Column, FilterPanel, SummaryList, SummaryRow, Table, Tag
from compliance.core.web.ui.table_export import AllRows
from compliance.pages.floor_status import REFRESH_SECONDS, TableStatus, load_floor_status
from compliance.pages.forms import NOT_ROUNDS, RoundCountForm, TimelineFilter
from compliance.pages.timeline.entry_text import describe_entry, format_result, is_faces
from compliance.pages.timeline.round_trace import SEARCH_PAGE_SIZE, find_corrected_entries
from compliance.pages.views.common import (
    PAUSE_PARAMETER,
    entry_address,
    format_clock_time,
    page_address,
    page_href,
    readers_only,
    requested_index,
    with_query,
)
from compliance.tables.player_conduct.services import MAY_RECORD
from compliance.tables.signs.presentation.table_hooks import collect_todo_items
from rounds.floor.selectors import access_table
from rounds.ledger import EntryError, EntryQuery, LogEntry, readers, search_entries
from rounds.rulebook.selectors import versions_in_force

NO_ROUND = "No round of this table was recorded yet. Rounds appear here as its controller sends them."
LINE_BREAK = SafeString("<br>")


@readers_only
@never_cache
@require_safe
def table(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    now = timezone.now()
    recall = RoundCountForm(request.GET)
    number = recall.round_count()
    before, after = requested_index(request, "before"), requested_index(request, "after")
    rounds = search_entries(
        casino, EntryQuery(table=found.slug, kind="round"), before=before, after=after, limit=number
    )
    standing = load_floor_status(request.casino, [found], versions_in_force(request.casino, now), now).table_status(
        found
    )
    context = {
        "casino": request.casino,
        "floor_table": found,
        "standing": standing,
        "may_record_conduct": request.user.has_role(*MAY_RECORD, casino=request.casino),
        "needs": collect_todo_items([found], now),
        "facts": _status_summary(request.casino, standing),
        "recall": recall,
        "number": number,
        "rounds": rounds_table(
            request.casino, found.slug, rounds, query=_export_query(request), whole=export_rounds(casino, found.slug)
        ),
        "older": page_href(request, "before", rounds.older),
        "newer": page_href(request, "after", rounds.newer),
        "is_newest": before is None and after is None,
        "is_still": PAUSE_PARAMETER in request.GET or before is not None or after is not None,
        "is_held": PAUSE_PARAMETER in request.GET,
        "still_href": with_query(request, {PAUSE_PARAMETER: "1"}),
        "moving_href": with_query(request, {}, without=(PAUSE_PARAMETER,)),
        "seconds": REFRESH_SECONDS,
        "as_of": format_clock_time(now, request.casino, has_tenths=False),
        "not_rounds": NOT_ROUNDS,
    }
    return render(request, "pages/table.html", context)


def _export_query(request: CasinoRequest) -> QueryDict:
    """The query without `last` and the pause parameter, which do not filter the exported file."""
    query = request.GET.copy()
    for name in ("last", PAUSE_PARAMETER):
        query.pop(name, None)
    return query


def _status_summary(casino: Casino, now: TableStatus) -> SummaryList:
    version = now.version
    rules: Any = Tag("Not stated", "warning")
    if version is not None:
        rules = format_html(
            '<a href="{}">{}, version {}</a>', version.address("version"), version.title, version.number
        )
    elif now.rules:
        rules = format_html("{} {}", now.rules, tag("No approved version", "warning"))
    is_open = tag(now.open_tag)
    if now.state and now.state.turned_at and now.state.turned_index is not None:
        entry = entry_address(casino, now.state.turned_index)
        is_open = format_html(
            '{} since {}, <a href="{}">entry {}</a>',
            tag(now.open_tag),
            local(now.state.turned_at, casino),
            entry,
            f"{now.state.turned_index:,}",
        )
    feed = format_html("{} {}", tag(now.feed.tag), " ".join(now.feed.sentences))
    found: str | SafeString = "None open"
    if now.findings:
        found = format_html('<a href="{}">{} open</a>', now.findings.href, f"{now.findings.count:,}")
    rows = [
        SummaryRow("State", is_open),
        SummaryRow("Rules in force", rules),
        SummaryRow("Limits in force", _join_lines(now.limits) if now.limits else Tag("Not stated", "warning")),
        SummaryRow("Feed", feed),
        SummaryRow("Findings", found),
    ]
    return SummaryList(rows)


def _join_lines(lines: Any) -> SafeString:
    return format_html_join(LINE_BREAK, "{}", ((line,) for line in lines))


@dataclass(frozen=True)
class RecentRound:
    """A round in the list, and whether it was corrected since."""

    entry: LogEntry
    is_taken_back: bool

    @property
    def name(self) -> SafeString:
        words = format_html("{}", _entry_body(self.entry).get("round", f"Entry {self.entry.index}"))
        return format_html("{} {}", words, tag("Taken back", "danger")) if self.is_taken_back else words

    @property
    def result(self) -> SafeString:
        body = _entry_body(self.entry)
        faces, reason = body.get("dice") or body.get("cards"), (body.get("no_result") or {}).get("reason", "")
        words = format_result(faces, reason)
        if not is_faces(faces):
            return format_html("{}", words)
        total = f"total {sum(faces or ())}"
        return format_html('{} <span class="unbroken">{}</span>', dice(faces or ()), words if reason else total)

    @property
    def wagers(self) -> str:
        return f"{len(_entry_body(self.entry).get('wagers', ())):,}"


def recent_rounds(log: str, table: str, entries: Sequence[LogEntry]) -> list[RecentRound]:
    wrong = find_corrected_entries(log, table, entries)
    return [RecentRound(entry, entry.index in wrong) for entry in entries]


def export_rounds(log: str, table: str) -> AllRows:
    """All rounds of a table, not only those shown: rows of the exported file."""
    query = EntryQuery(table=table, kind="round")

    def rows() -> Iterator[RecentRound]:
        entries = readers.iterate_matches(log, query)
        while chunk := list(islice(entries, SEARCH_PAGE_SIZE)):
            yield from recent_rounds(log, table, chunk)

    return AllRows(rows, lambda: readers.count_entries(log, query))


def rounds_table(
    casino: Casino,
    table: str,
    found: readers.SearchPage,
    empty: str = NO_ROUND,
    *,
    query: QueryDict | None = None,
    whole: AllRows | None = None,
) -> Table:
    """Rendered as the list of the table's page (exportable with `whole`), and as a part of a round's page."""
    return Table(
        caption="Rounds, the newest first",
        columns=(
            Column(
                "Round",
                "name",
                is_row_heading=True,
                link=lambda row: page_address("round", casino, index=row.entry.index),
            ),
            Column("Result", "result"),
            Column("When", lambda row: local(describe_entry(row.entry).at, casino)),
            Column("Wagers", "wagers", is_figure=True),
            Column("Reported by", lambda row: row.entry.controller or describe_entry(row.entry).by),
        ),
        rows=recent_rounds(casino.slug, table, found.entries),
        query=query,
        whole=whole,
        page_size=100,
        empty=empty,
        name="rounds",
        is_caption_hidden=True,
    )


def _entry_body(entry: LogEntry) -> dict[str, Any]:
    try:
        body = entry.content().get("body")
    except EntryError:
        return {}
    return body if isinstance(body, dict) else {}


@readers_only
@never_cache
@require_safe
def timeline(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    form = TimelineFilter(request.GET, casino=request.casino)
    query = form.to_query(found.slug)
    before, after = requested_index(request, "before"), requested_index(request, "after")
    entries = search_entries(casino, query, before=before, after=after) if query else readers.SearchPage()
    panel = FilterPanel(form, legend="Choose what and when")
    context = {
        "casino": request.casino,
        "floor_table": found,
        "panel": panel,
        "happened": [_timeline_item(request.casino, entry) for entry in entries.entries],
        "taken_back": find_corrected_entries(casino, found.slug, entries.entries),
        "is_filtered": bool(panel.active),
        "older": page_href(request, "before", entries.older),
        "newer": page_href(request, "after", entries.newer),
    }
    return render(request, "pages/timeline.html", context)


def _timeline_item(casino: Casino, entry: LogEntry) -> dict[str, Any]:
    entry_href = entry_address(casino, entry.index)
    is_round = entry.kind == "round"
    return {
        "told": describe_entry(entry),
        "entry": entry,
        "entry_href": entry_href,
        "href": page_address("round", casino, index=entry.index) if is_round else entry_href,
    }
