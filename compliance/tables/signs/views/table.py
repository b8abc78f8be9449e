"""One table, made for a tablet: its to-do items, signs and available actions."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.corrections.selectors import record_lines
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.record_notes import record_notes
from compliance.tables.signs.permissions import MAY_MANAGE_DISPLAYS, SUPERVISORS
from compliance.tables.signs.presentation.table_hooks import all_actions, collect_todo_items
from compliance.tables.signs.presentation.text import time_of_day
from compliance.tables.signs.selectors import active_signs, display_statuses, entries_by_sign, manual_entries
from compliance.tables.signs.views.common import PAGE_REFRESH_SECONDS, readers_only, sign_statuses
from rounds.floor.selectors import access_table


@readers_only
@require_safe
def table(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    now = timezone.now()
    signs = sign_statuses(active_signs([found]), now)
    notes = record_notes(request, set().union(*entries_by_sign([status.sign for status in signs]).values()))
    may_act = request.user.has_role(*SUPERVISORS, casino=request.casino)
    context = {
        "casino": request.casino,
        "floor_table": found,
        "signs": [(status, notes.tag(status.tag)) for status in signs],
        "notes": notes,
        "corrections": record_lines(request.user, request.casino, manual_entries(found)),
        "needs": collect_todo_items([found], now),
        "actions": [
            (action.label, casino_url(action.url_name, casino, table=table)) for action in all_actions() if may_act
        ],
        "displays": [(each, each.is_silent(now)) for each in display_statuses([found])],
        "may_act": may_act,
        "may_set_up": request.user.has_role(*MAY_MANAGE_DISPLAYS, casino=request.casino),
        "as_of": time_of_day(now, request.casino),
        "seconds": PAGE_REFRESH_SECONDS,
    }
    return render(request, "signs/table.html", context)
