"""Every table of a casino at a glance. The page refreshes itself; without JavaScript a link does it."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import islice

from django.db.models import QuerySet
from django.views.decorators.http import require_safe

from compliance.core.accounts.list_registry import FilteredList, ListQuery
from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.ui.components import Column, DataTable, FilterPanel
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.core.web.ui.table_export import AllRows
from compliance.pages.floor_status import REFRESH_SECONDS, TableStatus, load_floor_status, search_tables
from compliance.pages.forms import FloorFilter
from compliance.pages.views.common import PAUSE_PARAMETER, format_clock_time, readers_only, with_query
from rounds.floor import models as floor_models
from rounds.floor.permissions import MAY_STATE_FACTS
from rounds.intake.summaries import format_result
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import versions_in_force

TABLES_A_PAGE = 60
EXPORT_CHUNK = 500


FLOOR = FilteredList(
    "desk:floor",
    lambda asked: FloorFilter(asked.parameters, versions=versions_in_force(asked.casino, asked.now)),
    lambda asked, chosen: search_tables(asked.casino, asked.now, chosen["q"], chosen["show"], chosen["rules"]),
)


@readers_only
@require_safe
def floor(request: CasinoRequest, casino: str) -> ListResponse:
    asked = ListQuery.from_request(request)
    now, (form, fitting) = asked.now, FLOOR(asked)
    assert isinstance(form, FloorFilter)
    versions = form.versions
    page = DataTable(
        caption="Tables",
        columns=COLUMNS,
        rows=fitting,
        query=request.GET,
        page_size=TABLES_A_PAGE,
        whole=export_tables(request.casino, fitting, versions, now),
    )
    shown = list(page.page.object_list)
    around = load_floor_status(request.casino, shown, versions, now)
    tables = [around.table_status(table) for table in shown]
    context = {
        "as_of": format_clock_time(now, request.casino, has_tenths=False),
        "panel": FilterPanel(form, legend="Search and filter"),
        "table": page,
        "tables": tables,
        "summary": summarise_tables(tables),
        "is_filtered": any(form.valid_values().values()),
        "may_add": request.user.has_role(*MAY_STATE_FACTS, casino=request.casino),
        "quarantine": casino_url("intake:quarantine", casino),
        "seconds": REFRESH_SECONDS,
        "is_still": PAUSE_PARAMETER in request.GET,
        "still_href": with_query(request, {PAUSE_PARAMETER: "1"}),
        "moving_href": with_query(request, {}, without=(PAUSE_PARAMETER,)),
    }
    return list_response(request, "pages/floor.html", context)


def export_tables(
    casino: Casino, fitting: QuerySet[floor_models.Table], versions: Mapping[str, RuleVersion], now: datetime
) -> AllRows:
    """All tables that match the filter, not only the page shown: rows of the exported file."""

    def rows() -> Iterator[TableStatus]:
        tables = fitting.iterator(EXPORT_CHUNK)
        while chunk := list(islice(tables, EXPORT_CHUNK)):
            around = load_floor_status(casino, chunk, versions, now)
            yield from map(around.table_status, chunk)

    return AllRows(rows, fitting.count)


def _last_result(now_at: TableStatus) -> str:
    state = now_at.state
    return format_result(state.faces, state.no_result) if state and state.round_at else ""


def _rules_label(now_at: TableStatus) -> str:
    if now_at.version:
        return str(now_at.version)
    return f"{now_at.rules}: no approved version" if now_at.rules else "Not stated"


# Columns of the exported list: the contents of a card.
COLUMNS = (
    Column("Table", "table.name", is_row_heading=True),
    Column("State", "open_tag"),
    Column("Play stopped", lambda now_at: "; ".join(f"{it.tag.label}: fault {it.name}" for it in now_at.stopped)),
    Column("Last result", _last_result),
    Column("Last round", lambda now_at: now_at.state.round_at if now_at.state else None),
    Column("Limits", lambda now_at: "; ".join(now_at.limits) or "Not stated"),
    Column("Rules", _rules_label),
    Column("Feed", "feed.tag"),
    Column("What was heard", lambda now_at: " ".join(now_at.feed.sentences)),
    Column("In quarantine", "quarantined", is_figure=True),
    Column("Open findings", lambda now_at: now_at.findings.count if now_at.findings else 0, is_figure=True),
)


def summarise_tables(tables: list[TableStatus]) -> str:
    """Such as: 12 tables: 9 open, 2 closed, 1 not reported; 1 needs a look."""
    counts = {"open": 0, "closed": 0, "not reported": 0}
    for table in tables:
        counts[{True: "open", False: "closed", None: "not reported"}[table.is_open]] += 1
    parts = ", ".join(f"{number} {words}" for words, number in counts.items() if number)
    troubled = sum(table.feed.is_troubled for table in tables)
    look = f"; {troubled} {'needs' if troubled == 1 else 'need'} a look" if troubled else ""
    return f"{len(tables)} table{'' if len(tables) == 1 else 's'}: {parts}{look}." if tables else ""
