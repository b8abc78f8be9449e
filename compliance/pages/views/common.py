"""Shared by the live pages: permission decorator, paging by entry index, clock times."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from compliance.core.web.access import require_roles
from compliance.core.web.local_time import zone_abbreviation, zone_of_place
from rounds.floor.permissions import MAY_READ
from rounds.transparency_log import tree

readers_only = require_roles(*MAY_READ)
# A page that refreshes itself must be pausable (WCAG 2.2.2); this parameter pauses it.
PAUSE_PARAMETER = "still"


def requested_index(request: HttpRequest, name: str) -> int | None:
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and int(text[:20]) <= tree.MAX_SIZE else None


def page_href(request: HttpRequest, name: str, index: int | None) -> str:
    return "" if index is None else with_query(request, {name: str(index)}, without=("before", "after"))


def with_query(request: HttpRequest, changes: dict[str, str], without: tuple[str, ...] = ()) -> str:
    query = request.GET.copy()
    for key in without:
        query.pop(key, None)
    for key, value in changes.items():
        query[key] = value
    return f"?{query.urlencode()}"


def format_clock_time(instant: datetime, place: Any, *, has_tenths: bool = True) -> SafeString:
    """Such as 8:41:07.1 pm AEDT. To the tenth of a second, because the order of a round's events depends on it."""
    local = instant.astimezone(zone_of_place(place))
    tenths = f".{local.microsecond // 100_000}" if has_tenths else ""
    words = (
        f"{local.hour % 12 or 12}:{local:%M:%S}{tenths} {'am' if local.hour < 12 else 'pm'} {zone_abbreviation(local)}"
    )
    return format_html('<time datetime="{}">{}</time>', instant.isoformat(), words)
