"""The sign itself. A display's own link confirms what it shows; the link on paper only shows it."""

from collections.abc import Sequence
from datetime import datetime
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.signs.clock import FIRST_REFRESH_SECONDS, REFRESH_SECONDS, SILENT_AFTER
from compliance.signs.faces import Fact, facts_on, standing_facts, time_of_day, time_to_the_second
from compliance.signs.models import Purpose, Sign
from compliance.signs.offers import face_of
from compliance.signs.selectors import display_with, wanted_signs
from compliance.signs.services import refresh_display
from compliance.signs.services.displays import digest_of
from compliance.web.access import public
from compliance.web.errors import NotFound
from rounds.floor.models import Table


@public
@never_cache
@require_safe
def display(request: HttpRequest, token: str) -> HttpResponse:
    """Each request says which signs the screen had until then. Only that confirms them: an answer may not arrive."""
    found, now = display_with(digest_of(token)), timezone.now()
    shown = request.GET.getlist("shown")
    if request.method == "GET":
        refresh_display(display=found, shown=shown, now=now)
    signs = _on_the_screen(found.table)
    names = [sign.name for sign in signs]
    is_new = not set(names) <= set(shown)
    following = "?" + urlencode([("shown", name) for name in names])
    return _page(request, found.table, signs, now, following, FIRST_REFRESH_SECONDS if is_new else REFRESH_SECONDS)


@public
@never_cache
@require_safe
def live(request: HttpRequest, casino: str, table: str) -> HttpResponse:
    """For whoever scans the code on paper: what the sign says now. It confirms nothing."""
    tables = Table.objects.filter(casino__slug=casino, slug=table, retired_at=None).select_related("casino")
    found = tables.first()
    if found is None:
        raise NotFound
    return _page(request, found, _on_the_screen(found), timezone.now(), "?", REFRESH_SECONDS)


def _on_the_screen(table: Table) -> list[Sign]:
    return [sign for sign in wanted_signs([table]) if sign.purpose != Purpose.PLAYER_LIMITS]


def _page(
    request: HttpRequest, table: Table, signs: Sequence[Sign], now: datetime, following: str, seconds: int
) -> HttpResponse:
    facts: Sequence[Fact] = facts_on(signs, now) or face_of(table, now) or standing_facts(table, now)
    context = {
        "floor_table": table,
        "facts": facts,
        "confirmed": time_of_day(now, table.casino),
        "confirmed_until": time_to_the_second(now + SILENT_AFTER, table.casino),
        "following": following,
        "seconds": seconds,
    }
    return render(request, "signs/display.html", context)
