"""One table: its state, its last rounds, and everything recorded about it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import attrgetter
from typing import Any

from django.http import QueryDict
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.templatetags.ui import dice, local, tag
from compliance.core.web.ui.cell_values import Lines, Phrase
from compliance.core.web.ui.components import Column, DataTable, FilterPanel, SummaryList, SummaryRow, Tag
from compliance.core.web.ui.links import casino_url, entry_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.core.web.ui.record_notes import ListNotes, record_notes
from compliance.core.web.ui.table_export import AllRows
from compliance.pages.floor_status import REFRESH_SECONDS, TableStatus, load_floor_status, unreported_fault
from compliance.pages.forms import NOT_ROUNDS, RoundCountForm, TimelineFilter
from compliance.pages.timeline.entry_text import describe_entry
from compliance.pages.timeline.round_trace import SEARCH_PAGE_SIZE, find_corrected_entries
from compliance.pages.views.common import (
    PAUSE_PARAMETER,
    format_clock_time,
    page_href,
    readers_only,
    requested_index,
    with_query,
)
from compliance.tables.player_conduct.services import MAY_RECORD
from compliance.tables.signs.presentation.table_hooks import collect_todo_items
from rounds.floor.selectors import access_table
from rounds.intake.entry_kinds import ROUND
from rounds.intake.summaries import format_result, is_faces
from rounds.ledger import EntryQuery, LogEntry, readers, search_entries
from rounds.rulebook.selectors import versions_in_force

NO_ROUND = "No round of this table was recorded yet. Rounds appear here as its controller sends them."


@readers_only
@require_safe
def table(request: CasinoRequest, casino: str, table: str) -> ListResponse:
    found = access_table(request.user, request.casino, table)
    now = timezone.now()
    recall = RoundCountForm(request.GET)
    number = recall.round_count()
    before, after = requested_index(request, "before"), requested_index(request, "after")
    rounds = search_entries(casino, EntryQuery(table=found.slug, kind=ROUND), before=before, after=after, limit=number)
    standing = load_floor_status(request.casino, [found], versions_in_force(request.casino, now), now).table_status(
        found
    )
    context = {
        "floor_table": found,
        "standing": standing,
        "unreported": unreported_fault(found, now),
        "may_record_conduct": request.user.has_role(*MAY_RECORD, casino=request.casino),
        "needs": collect_todo_items([found], now),
        "facts": _status_summary(request.casino, standing),
        "recall": recall,
        "number": number,
        "notes": record_notes(request, table=found.slug),
        "rounds": rounds_table(
            request, found.slug, rounds.entries, query=_export_query(request), whole=export_rounds(casino, found.slug)
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
    return list_response(request, "pages/table.html", context, lists=("rounds",))


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
        rules = format_html('<a href="{}">{}</a>', version.address("version"), version)
    elif now.rules:
        rules = format_html("{} {}", now.rules, tag("No approved version", "warning"))
    is_open = tag(now.open_tag)
    if now.state and now.state.turned_at and now.state.turned_index is not None:
        entry = entry_url(casino, now.state.turned_index)
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
        SummaryRow("Limits in force", Lines(*now.limits) if now.limits else Tag("Not stated", "warning")),
        SummaryRow("Feed", feed),
        SummaryRow("Findings", found),
    ]
    return SummaryList(rows)


@dataclass(frozen=True)
class RecentRoundRow:
    """A round in the list, and whether it was corrected since."""

    entry: LogEntry
    is_taken_back: bool

    @property
    def name(self) -> str | Phrase:
        name = str(self.entry.line_body().get("round", f"Entry {self.entry.index}"))
        return Phrase("{} {}", name, Tag("Taken back", "danger")) if self.is_taken_back else name

    @property
    def faces_and_text(self) -> tuple[list[int], str]:
        """The faces, if the result has them, and the rest of the result in words."""
        body = self.entry.line_body()
        faces, reason = body.get("dice") or body.get("cards"), (body.get("no_result") or {}).get("reason", "")
        if not is_faces(faces):
            return [], format_result(faces, reason)
        return list(faces or ()), format_result(faces, reason) if reason else f"total {sum(faces or ())}"

    @property
    def result(self) -> str:
        faces, text = self.faces_and_text
        return f"{'-'.join(map(str, faces))} {text}".strip()

    @property
    def result_html(self) -> SafeString | str:
        faces, text = self.faces_and_text
        return format_html('{} <span class="unbroken">{}</span>', dice(faces), text) if faces else text

    @property
    def wagers(self) -> str:
        return f"{len(self.entry.line_body().get('wagers', ())):,}"


def recent_rounds(log: str, table: str, entries: Sequence[LogEntry]) -> list[RecentRoundRow]:
    wrong = find_corrected_entries(log, table, entries)
    return [RecentRoundRow(entry, entry.index in wrong) for entry in entries]


def export_rounds(log: str, table: str) -> AllRows:
    """All rounds of a table, not only those shown: rows of the exported file."""
    query = EntryQuery(table=table, kind=ROUND)

    def rows() -> Iterator[RecentRoundRow]:
        entries = readers.iterate_matches(log, query)
        while chunk := list(islice(entries, SEARCH_PAGE_SIZE)):
            yield from recent_rounds(log, table, chunk)

    return AllRows(rows, lambda: readers.count_entries(log, query))


def rounds_table(
    request: CasinoRequest,
    table: str,
    entries: Sequence[LogEntry],
    empty: str = NO_ROUND,
    *,
    query: QueryDict | None = None,
    whole: AllRows | None = None,
) -> DataTable:
    """Rendered as the list of the table's page (exportable with `whole`), and as a part of a round's page."""
    casino, notes = request.casino, ListNotes(request, lambda row: [row.entry.index])
    return DataTable(
        caption="Rounds, the newest first",
        columns=(
            Column(
                "Round",
                "name",
                is_row_heading=True,
                link=lambda row: casino_url("desk:round", casino, index=row.entry.index),
            ),
            Column("Result", "result", display=attrgetter("result_html")),
            Column("Audit", lambda row: notes.of(row).mark),
            Column("When", lambda row: describe_entry(row.entry).at),
            Column("Wagers", "wagers", is_figure=True),
            Column("Reported by", lambda row: row.entry.controller or describe_entry(row.entry).by),
        ),
        rows=recent_rounds(casino.slug, table, entries),
        query=query,
        whole=whole,
        prepare=notes.read,
        page_size=100,
        empty=empty,
        name="rounds",
        is_caption_hidden=True,
    )


@readers_only
@require_safe
def timeline(request: CasinoRequest, casino: str, table: str) -> ListResponse:
    found = access_table(request.user, request.casino, table)
    form = TimelineFilter(request.GET, casino=request.casino)
    query = form.to_query(found.slug)
    before, after = requested_index(request, "before"), requested_index(request, "after")
    entries = search_entries(casino, query, before=before, after=after) if query else readers.SearchPage()
    panel = FilterPanel(form, legend="Choose what and when")
    context = {
        "floor_table": found,
        "panel": panel,
        "happened": [_timeline_item(request.casino, entry) for entry in entries.entries],
        "taken_back": find_corrected_entries(casino, found.slug, entries.entries),
        "is_filtered": bool(panel.active),
        "older": page_href(request, "before", entries.older),
        "newer": page_href(request, "after", entries.newer),
    }
    return list_response(request, "pages/timeline.html", context)


def _timeline_item(casino: Casino, entry: LogEntry) -> dict[str, Any]:
    entry_href = entry_url(casino, entry.index)
    is_round = entry.kind == ROUND
    return {
        "told": describe_entry(entry),
        "entry": entry,
        "entry_href": entry_href,
        "href": casino_url("desk:round", casino, index=entry.index) if is_round else entry_href,
    }
