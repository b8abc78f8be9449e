"""Board of a casino: all active signs, all displays, and which displays are silent."""

from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.corrections.list_marks import CorrectionMarks, Parts, no_entry
from compliance.core.web.ui.components import Column, DataTable, Tag, Task, TaskList
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.core.web.ui.record_notes import ListNotes
from compliance.tables.signs.models import Showing
from compliance.tables.signs.presentation.table_hooks import TodoItem, collect_todo_items
from compliance.tables.signs.presentation.text import relative_time, time_of_day
from compliance.tables.signs.selectors import DisplayStatus, active_signs, display_statuses, entries_by_sign
from compliance.tables.signs.views.common import PAGE_REFRESH_SECONDS, SignStatus, readers_only, sign_statuses
from rounds.floor import models
from rounds.floor.permissions import MAY_READ


@readers_only
@require_safe
def casinos(request: PersonRequest) -> HttpResponse:
    def board_url(casino: Casino) -> str:
        return casino_url("signs:board", casino)

    return choose_casino(request, MAY_READ, board_url, title="Signs", caption="Casinos whose signs you see")


@readers_only
@require_safe
def board(request: CasinoRequest, casino: str) -> ListResponse:
    now = timezone.now()
    tables = list(models.Table.objects.in_use(now).filter(casino=request.casino).select_related("casino"))
    context = {
        "needs": task_list(collect_todo_items(tables, now)),
        "signs": sign_table(request, sign_statuses(active_signs(tables), now)),
        "displays": display_table(request.casino, display_statuses(tables), now),
        "tables": table_links(request.casino, tables),
        "as_of": time_of_day(now, request.casino),
        "seconds": PAGE_REFRESH_SECONDS,
    }
    return list_response(request, "signs/board.html", context, lists=("signs", "displays", "tables"))


def task_list(needs: list[TodoItem]) -> TaskList:
    """On the board each item links to its table, where the button is."""
    tasks = [Task(f"{need.table}: {need.label}", need.state, _todo_url(need), need.hint) for need in needs]
    return TaskList(tasks, "What the tables need now")


def _todo_url(item: TodoItem) -> str:
    if not item.button:
        return item.href
    return casino_url("signs:table", item.table.casino, table=item.table.slug)


def sign_table(request: CasinoRequest, signs: list[SignStatus]) -> DataTable:
    casino, entries = request.casino, entries_by_sign([status.sign for status in signs])
    notes = ListNotes(request, lambda row: entries[row.sign.pk])
    movements = [Parts(Showing.recorded.all(), "sign_id", index) for index in ("shown_index", "removed_index")]
    marks = CorrectionMarks(casino, movements, no_entry, lambda row: row.sign.pk, also_read=notes.read)

    def notice_left(row: SignStatus) -> Any:
        return "" if row.minutes_left is None else f"{row.minutes_left} min"

    def takes_effect(row: SignStatus) -> Any:
        if row.announced_at is None:
            return ""
        return f"{time_of_day(row.announced_at, casino)}, {relative_time(row.announced_at, row.now).lower()}"

    return DataTable(
        caption="Signs",
        columns=(
            Column(
                "Table",
                lambda row: row.sign.table.name,
                is_row_heading=True,
                link=lambda row: casino_url("signs:table", casino, table=row.sign.table.slug),
            ),
            Column("State", lambda row: notes.tag(row, row.tag)),
            Column("It says", lambda row: row.words),
            Column("Confirmed since", "clock.displayed_since"),
            Column("Notice left", notice_left, is_figure=True),
            Column("Takes effect", takes_effect),
            marks.column,
        ),
        rows=signs,
        prepare=marks.read,
        empty="No sign is announced. Signs appear here when a limit change or a closing is planned.",
        name="signs",
        is_caption_hidden=True,
    )


def display_table(casino: Casino, displays: list[DisplayStatus], now: datetime) -> DataTable:
    def state(row: DisplayStatus) -> Tag:
        if row.last_seen_at is None:
            return Tag("Not seen yet", "warning")
        return Tag("Silent", "danger") if row.is_silent(now) else Tag("Showing", "success")

    return DataTable(
        caption="Displays",
        columns=(
            Column("Display", lambda row: row.display.name, is_row_heading=True),
            Column(
                "Table",
                lambda row: row.display.table.name,
                link=lambda row: casino_url("signs:table", casino, table=row.display.table.slug),
            ),
            Column("State", state),
            Column("Last confirmed", "last_seen_at"),
        ),
        rows=displays,
        empty="No display is set up. Choose a table to set one up, or print the sign.",
        name="displays",
        is_caption_hidden=True,
    )


def table_links(casino: Casino, tables: list[models.Table]) -> DataTable:
    columns = (
        Column(
            "Table", "name", is_row_heading=True, link=lambda row: casino_url("signs:table", casino, table=row.slug)
        ),
        Column("Short name", "slug"),
    )
    return DataTable(
        caption="Tables",
        columns=columns,
        rows=tables,
        empty="There are no tables yet.",
        name="tables",
        is_caption_hidden=True,
    )
