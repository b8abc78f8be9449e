"""One table: how it stands, its last rounds, and everything that was recorded of it."""

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

from compliance.accounts.models import Casino
from compliance.accounts.requests import CasinoRequest
from compliance.conduct.services import MAY_RECORD
from compliance.desk.forms import NOT_ROUNDS, RecallForm, TimelineFilter
from compliance.desk.live import TableNow, floor_now
from compliance.desk.telling import is_faces, result_words, tell
from compliance.desk.tracing import AT_ONCE, taken_back
from compliance.desk.views.places import (
    RENEWED_SECONDS,
    STILL,
    address_of,
    clock,
    entry_address,
    page_href,
    place_asked,
    readers,
    with_query,
)
from compliance.signs.offers import needs_of
from compliance.web.components import Column, FilterPanel, SummaryList, SummaryRow, Table, Tag
from compliance.web.exporting import Whole
from compliance.web.templatetags.kit import dice, local, tag
from rounds.floor.selectors import access_table
from rounds.ledger.errors import EntryError
from rounds.ledger.following import Recorded
from rounds.ledger.searching import Found, Wanted, count_entries, every_entry, search
from rounds.rulebook.selectors import versions_in_force

NO_ROUND = "No round of this table was recorded yet. Rounds appear here as its controller sends them."
LINE_BREAK = SafeString("<br>")


@readers
@never_cache
@require_safe
def table(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    now = timezone.now()
    recall = RecallForm(request.GET)
    number = recall.number()
    before, after = place_asked(request, "before"), place_asked(request, "after")
    rounds = search(casino, Wanted(table=found.slug, kind="round"), before=before, after=after, limit=number)
    standing = floor_now(request.casino, [found], versions_in_force(request.casino, now), now).of(found)
    context = {
        "casino": request.casino,
        "floor_table": found,
        "standing": standing,
        "may_record_conduct": request.user.holds(*MAY_RECORD, casino=request.casino),
        "needs": needs_of([found], now),
        "facts": _facts(request.casino, standing),
        "recall": recall,
        "number": number,
        "rounds": rounds_table(
            request.casino, found.slug, rounds, query=_without_recall(request), whole=every_round(casino, found.slug)
        ),
        "older": page_href(request, "before", rounds.older),
        "newer": page_href(request, "after", rounds.newer),
        "is_newest": before is None and after is None,
        "is_still": STILL in request.GET or before is not None or after is not None,
        "is_held": STILL in request.GET,
        "still_href": with_query(request, {STILL: "1"}),
        "moving_href": with_query(request, {}, without=(STILL,)),
        "seconds": RENEWED_SECONDS,
        "as_of": clock(now, request.casino, has_tenths=False),
        "not_rounds": NOT_ROUNDS,
    }
    return render(request, "desk/table.html", context)


def _without_recall(request: CasinoRequest) -> QueryDict:
    """How many are shown, and whether the page stands still, narrow no file."""
    query = request.GET.copy()
    for name in ("last", STILL):
        query.pop(name, None)
    return query


def _facts(casino: Casino, now: TableNow) -> SummaryList:
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
            '{} since {}, <a href="{}">entry {}</a>', tag(now.open_tag), local(now.state.turned_at, casino), entry,
            f"{now.state.turned_index:,}",
        )  # fmt: skip
    feed = format_html("{} {}", tag(now.feed.tag), " ".join(now.feed.sentences))
    found: str | SafeString = "None open"
    if now.findings:
        found = format_html('<a href="{}">{} open</a>', now.findings.href, f"{now.findings.count:,}")
    rows = [
        SummaryRow("State", is_open),
        SummaryRow("Rules in force", rules),
        SummaryRow("Limits in force", _lines(now.limits) if now.limits else Tag("Not stated", "warning")),
        SummaryRow("Feed", feed),
        SummaryRow("Findings", found),
    ]
    return SummaryList(rows)


def _lines(lines: Any) -> SafeString:
    return format_html_join(LINE_BREAK, "{}", ((line,) for line in lines))


@dataclass(frozen=True)
class Recalled:
    """A round as people recall it, and whether it was taken back since."""

    entry: Recorded
    is_taken_back: bool

    @property
    def name(self) -> SafeString:
        words = format_html("{}", _said(self.entry).get("round", f"Entry {self.entry.index}"))
        return format_html("{} {}", words, tag("Taken back", "danger")) if self.is_taken_back else words

    @property
    def result(self) -> SafeString:
        said = _said(self.entry)
        faces, reason = said.get("dice") or said.get("cards"), (said.get("no_result") or {}).get("reason", "")
        words = result_words(faces, reason)
        if not is_faces(faces):
            return format_html("{}", words)
        total = f"total {sum(faces or ())}"
        return format_html('{} <span class="unbroken">{}</span>', dice(faces or ()), words if reason else total)

    @property
    def wagers(self) -> str:
        return f"{len(_said(self.entry).get('wagers', ())):,}"


def recalled(log: str, table: str, entries: Sequence[Recorded]) -> list[Recalled]:
    wrong = taken_back(log, table, entries)
    return [Recalled(entry, entry.index in wrong) for entry in entries]


def every_round(log: str, table: str) -> Whole:
    """All rounds of a table, whatever of them its page shows: for the file of them."""
    wanted = Wanted(table=table, kind="round")

    def rows() -> Iterator[Recalled]:
        entries = every_entry(log, wanted)
        while stretch := list(islice(entries, AT_ONCE)):
            yield from recalled(log, table, stretch)

    return Whole(rows, lambda: count_entries(log, wanted))


def rounds_table(
    casino: Casino, table: str, found: Found, empty: str = NO_ROUND, *,
    query: QueryDict | None = None, whole: Whole | None = None,
) -> Table:  # fmt: skip
    """The round's own page shows those before it as a part of itself; the table's page is their list."""
    return Table(
        caption="Rounds, the newest first",
        columns=(
            Column(
                "Round", "name", is_row_heading=True,
                link=lambda row: address_of("round", casino, index=row.entry.index),
            ),
            Column("Result", "result"),
            Column("When", lambda row: local(tell(row.entry).at, casino)),
            Column("Wagers", "wagers", is_figure=True),
            Column("Reported by", lambda row: row.entry.controller or tell(row.entry).by),
        ),
        rows=recalled(casino.slug, table, found.entries),
        query=query,
        whole=whole,
        page_size=100,
        empty=empty,
        name="rounds",
        is_caption_hidden=True,
    )  # fmt: skip


def _said(entry: Recorded) -> dict[str, Any]:
    try:
        body = entry.content().get("body")
    except EntryError:
        return {}
    return body if isinstance(body, dict) else {}


@readers
@never_cache
@require_safe
def timeline(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    form = TimelineFilter(request.GET, casino=request.casino)
    wanted = form.wanted(found.slug)
    before, after = place_asked(request, "before"), place_asked(request, "after")
    entries = search(casino, wanted, before=before, after=after) if wanted else Found()
    panel = FilterPanel(form, legend="Choose what and when")
    context = {
        "casino": request.casino,
        "floor_table": found,
        "panel": panel,
        "happened": [_happened(request.casino, entry) for entry in entries.entries],
        "taken_back": taken_back(casino, found.slug, entries.entries),
        "is_filtered": bool(panel.active),
        "older": page_href(request, "before", entries.older),
        "newer": page_href(request, "after", entries.newer),
    }
    return render(request, "desk/timeline.html", context)


def _happened(casino: Casino, entry: Recorded) -> dict[str, Any]:
    entry_href = entry_address(casino, entry.index)
    is_round = entry.kind == "round"
    return {
        "told": tell(entry),
        "entry": entry,
        "entry_href": entry_href,
        "href": address_of("round", casino, index=entry.index) if is_round else entry_href,
    }
