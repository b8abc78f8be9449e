"""The feeds of a casino by table: state, last contact, missing lines, clock skew."""

from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.access import require_roles
from compliance.core.web.ui.components import Column, DataTable, Tag
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from rounds.floor.permissions import MAY_READ
from rounds.intake.models import Feed
from rounds.intake.permissions import MAX_CLOCK_SKEW, UNKNOWN_KEYS_WINDOW
from rounds.intake.selectors import casino_feeds, feed_counts, unknown_keys_since


@require_roles(*MAY_READ)
@require_safe
def feeds(request: CasinoRequest, casino: str) -> ListResponse:
    now = timezone.now()

    def state_tag(feed: Feed) -> Tag:
        if feed.is_silent(now):
            return Tag("Silent", "danger")
        if feed.missing_count:
            return Tag("Gaps", "warning")
        return Tag("Quiet") if feed.is_open is False else Tag("Well", "success")

    def controller_address(feed: Feed) -> str:
        return casino_url("floor:controller", casino, controller=feed.controller.slug)

    def table_address(feed: Feed) -> str:
        return casino_url("desk:table", casino, table=feed.table)

    table = DataTable(
        caption=f"Feeds at {request.casino}",
        columns=(
            Column("Table", "table", sort="table", is_row_heading=True, link=table_address),
            Column("Controller", "controller.name", sort="controller__name", link=controller_address),
            Column("State", state_tag),
            Column("Last heard", "last_seen_at", sort="last_seen_at"),
            Column("Last number", lambda feed: f"{feed.last_sequence:,}", is_figure=True),
            Column("Missing lines", lambda feed: f"{feed.missing_count:,}", is_figure=True),
            Column("Clock", clock_skew_text, is_figure=True),
        ),
        rows=casino_feeds(request.casino),
        sort="table",
        empty="No controller has sent anything yet.",
    )
    [figures] = feed_counts([request.casino])
    unknown = unknown_keys_since(request.casino, now - UNKNOWN_KEYS_WINDOW)
    context = {"table": table, "figures": figures, "unknown": unknown}
    return list_response(request, "intake/feeds.html", context)


def clock_skew_text(feed: Feed) -> str:
    """The clock skew: our time of receipt minus the controller's sending time. Negative if its clock is fast."""
    seconds = feed.skew_milliseconds / 1000
    if abs(feed.skew_milliseconds) <= MAX_CLOCK_SKEW.total_seconds() * 1000:
        return "right"
    return f"{abs(seconds):,.1f} s {'slow' if seconds > 0 else 'fast'}"
