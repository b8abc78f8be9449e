"""One table on a tablet: what it needs now, its signs with one tap each, and what can be done here."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.requests import CasinoRequest
from compliance.signs.faces import time_of_day
from compliance.signs.offers import every_action, needs_of
from compliance.signs.selectors import displays_now, wanted_signs
from compliance.signs.standing import MAY_SET_UP, SUPERVISORS
from compliance.signs.views.presenting import RENEWED_SECONDS, readers, signs_now
from rounds.floor.selectors import access_table


@readers
@never_cache
@require_safe
def table(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    now = timezone.now()
    may_act = request.user.holds(*SUPERVISORS, casino=request.casino)
    context = {
        "casino": request.casino,
        "floor_table": found,
        "signs": signs_now(wanted_signs([found]), now),
        "needs": needs_of([found], now),
        "actions": [
            (action.label, reverse(action.url_name, kwargs={"casino": casino, "table": table}))
            for action in every_action()
            if may_act
        ],
        "displays": [(each, each.is_silent(now)) for each in displays_now([found])],
        "may_act": may_act,
        "may_set_up": request.user.holds(*MAY_SET_UP, casino=request.casino),
        "as_of": time_of_day(now, request.casino),
        "seconds": RENEWED_SECONDS,
    }
    return render(request, "signs/table.html", context)
