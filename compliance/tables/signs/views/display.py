"""The sign itself, without signing in. A display's secret link also records heartbeats; the link on paper does not."""

from collections.abc import Sequence
from datetime import datetime
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.web.access import public
from compliance.core.web.errors import NotFound
from compliance.tables.signs.models import Sign, SignPurpose
from compliance.tables.signs.presentation.table_hooks import display_facts_for
from compliance.tables.signs.presentation.text import (
    SignFact,
    coming_limit_lines,
    current_limit_facts,
    join_facts,
    screen_facts,
    time_of_day,
    time_with_seconds,
)
from compliance.tables.signs.selectors import active_signs, display_by_token
from compliance.tables.signs.services import refresh_display
from compliance.tables.signs.services.displays import token_digest
from compliance.tables.signs.sign_clock import FIRST_REFRESH_SECONDS, REFRESH_SECONDS, SILENT_AFTER
from rounds.floor.models import Table


@public
@require_safe
def display(request: HttpRequest, token: str) -> HttpResponse:
    """Heartbeat of a display. The query names the signs that were on its screen; only that confirms them, because a
    response may be lost."""
    found, now = display_by_token(token_digest(token)), timezone.now()
    shown = request.GET.getlist("shown")
    if request.method == "GET":
        refresh_display(display=found, shown=shown, now=now)
    signs = _screen_signs(found.table)
    names = [sign.name for sign in signs]
    is_new = not set(names) <= set(shown)
    following = "?" + urlencode([("shown", name) for name in names])
    return _render_display(
        request, found.table, signs, now, following, FIRST_REFRESH_SECONDS if is_new else REFRESH_SECONDS
    )


@public
@require_safe
def live_sign(request: HttpRequest, casino: str, table: str) -> HttpResponse:
    """Target of the QR code on paper: the current sign. Records nothing."""
    tables = Table.objects.filter(casino__slug=casino, slug=table, retired_at=None).select_related("casino")
    found = tables.first()
    if found is None:
        raise NotFound
    return _render_display(request, found, _screen_signs(found), timezone.now(), "?", REFRESH_SECONDS)


def _screen_signs(table: Table) -> list[Sign]:
    return [sign for sign in active_signs([table]) if sign.purpose != SignPurpose.PLAYER_LIMITS]


def _render_display(
    request: HttpRequest, table: Table, signs: Sequence[Sign], now: datetime, next_query: str, seconds: int
) -> HttpResponse:
    announced, in_force = screen_facts(signs, now), current_limit_facts(table, now)
    facts: Sequence[SignFact] = announced or display_facts_for(table, now) or in_force
    context = {
        "floor_table": table,
        "facts": facts,
        # A sign of a change does not replace the sign of the limits.
        "in_force": join_facts(in_force) if announced else "",
        "coming": coming_limit_lines(signs),
        "confirmed": time_of_day(now, table.casino),
        "confirmed_until": time_with_seconds(now + SILENT_AFTER, table.casino),
        "following": next_query,
        "seconds": seconds,
    }
    return render(request, "signs/display.html", context)
