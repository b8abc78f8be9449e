"""Every table of a casino at a glance. The page renews itself; without scripts there is a link that does it."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.requests import CasinoRequest
from compliance.desk.forms import FloorFilter
from compliance.desk.live import TableNow, floor_now, search_tables
from compliance.desk.views.places import RENEWED_SECONDS, STILL, clock, readers, with_query
from compliance.web.components import FilterPanel, Table
from rounds.floor.standing import MAY_STATE_FACTS
from rounds.rulebook.selectors import versions_in_force

A_PAGE = 60


@readers
@never_cache
@require_safe
def floor(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()
    versions = versions_in_force(request.casino, now)
    form = FloorFilter(request.GET, versions=versions)
    chosen = form.chosen()
    fitting = search_tables(request.casino, now, chosen["q"], chosen["show"], chosen["rules"])
    page = Table(caption="Tables", columns=(), rows=fitting, query=request.GET, page_size=A_PAGE)
    shown = list(page.page.object_list)
    around = floor_now(request.casino, shown, versions, now)
    tables = [around.of(table) for table in shown]
    context = {
        "casino": request.casino,
        "as_of": clock(now, request.casino, has_tenths=False),
        "panel": FilterPanel(form, legend="Search and filter"),
        "table": page,
        "tables": tables,
        "summary": in_short(tables),
        "is_filtered": any(chosen.values()),
        "may_add": request.user.holds(*MAY_STATE_FACTS, casino=request.casino),
        "quarantine": reverse("intake:quarantine", kwargs={"casino": casino}),
        "seconds": RENEWED_SECONDS,
        "is_still": STILL in request.GET,
        "still_href": with_query(request, {STILL: "1"}),
        "moving_href": with_query(request, {}, without=(STILL,)),
    }
    return render(request, "desk/floor.html", context)


def in_short(tables: list[TableNow]) -> str:
    """12 tables: 9 open, 2 closed, 1 not reported; 1 needs a look."""
    counts = {"open": 0, "closed": 0, "not reported": 0}
    for table in tables:
        counts[{True: "open", False: "closed", None: "not reported"}[table.is_open]] += 1
    parts = ", ".join(f"{number} {words}" for words, number in counts.items() if number)
    troubled = sum(table.feed.is_troubled for table in tables)
    look = f"; {troubled} {'needs' if troubled == 1 else 'need'} a look" if troubled else ""
    return f"{len(tables)} table{'' if len(tables) == 1 else 's'}: {parts}{look}." if tables else ""
