"""The feeds of a casino, table by table: heard when, what is missing, whose clock is off."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.requests import CasinoRequest
from compliance.web.access import held_by
from compliance.web.components import Column, Table, Tag
from compliance.web.templatetags.kit import local
from rounds.floor.standing import MAY_READ
from rounds.intake.models import Feed
from rounds.intake.selectors import feeds_at, feeds_in_figures, unknown_keys_since
from rounds.intake.standing import LONGEST_SKEW, UNKNOWN_KEYS_SHOWN


@held_by(*MAY_READ)
@never_cache
@require_safe
def feeds(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()

    def state_of(feed: Feed) -> Tag:
        if feed.is_silent(now):
            return Tag("Silent", "danger")
        if feed.missing:
            return Tag("Gaps", "warning")
        return Tag("Quiet") if feed.is_open is False else Tag("Well", "success")

    def controller_address(feed: Feed) -> str:
        return reverse("floor:controller", kwargs={"casino": casino, "controller": feed.controller.slug})

    def table_address(feed: Feed) -> str:
        return reverse("desk:table", kwargs={"casino": casino, "table": feed.table})

    table = Table(
        caption=f"Feeds at {request.casino}",
        columns=(
            Column("Table", "table", sort="table", is_row_heading=True, link=table_address),
            Column("Controller", "controller.name", sort="controller__name", link=controller_address),
            Column("State", state_of),
            Column("Last heard", lambda feed: local(feed.last_seen_at, request.casino), sort="last_seen_at"),
            Column("Last number", lambda feed: f"{feed.last_sequence:,}", is_figure=True),
            Column("Missing lines", lambda feed: f"{feed.missing:,}", is_figure=True),
            Column("Clock", clock_words, is_figure=True),
        ),
        rows=feeds_at(request.casino),
        query=request.GET,
        sort="table",
        empty="No controller has sent anything yet.",
    )  # fmt: skip
    [figures] = feeds_in_figures([request.casino])
    unknown = unknown_keys_since(request.casino, now - UNKNOWN_KEYS_SHOWN)
    context = {"casino": request.casino, "table": table, "figures": figures, "unknown": unknown}
    return render(request, "intake/feeds.html", context)


def clock_words(feed: Feed) -> str:
    """How long a batch took to reach us by the controller's clock; one that is fast arrives before it was sent."""
    seconds = feed.skew_milliseconds / 1000
    if abs(feed.skew_milliseconds) <= LONGEST_SKEW.total_seconds() * 1000:
        return "right"
    return f"{abs(seconds):,.1f} s {'slow' if seconds > 0 else 'fast'}"
