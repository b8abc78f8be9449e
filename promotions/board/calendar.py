"""Calendar of a casino's promotions: filings, draws, claim deadlines."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.ui.components import Column, DataTable, Tag
from compliance.core.web.ui.list_response import ListResponse, list_response
from promotions.draws.selectors import draws_of, unnotified_draws
from promotions.draws.states import DrawState
from promotions.draws.views.draws import STATE_TAGS as DRAW_TAGS
from promotions.shared.duties import promotion_rules_at
from promotions.shared.permissions import MAY_WRITE
from promotions.terms.content.filing_deadline import latest_filing_time
from promotions.terms.models import TermsVersion
from promotions.terms.selectors import current_versions, drafts_of
from promotions.terms.views.common import readers

LOOK_AHEAD = timedelta(days=60)
LOOK_BACK = timedelta(days=14)


@dataclass(frozen=True)
class CalendarEvent:
    """A calendar event. Its URL is built when it is rendered."""

    at: datetime
    what: str
    name: str
    href: Callable[[], str]
    tag: Tag | None = None


@readers
@require_safe
def calendar(request: CasinoRequest, casino: str) -> ListResponse:
    now = timezone.now()
    events = sorted(
        calendar_events(request.casino, now, is_writer=request.user.has_role(*MAY_WRITE, casino=request.casino)),
        key=lambda event: event.at,
    )
    table = DataTable(
        caption=f"From {LOOK_BACK.days} days ago to {LOOK_AHEAD.days} days ahead",
        columns=(
            Column("When", "at", is_row_heading=True),
            Column("What", "what"),
            Column("Promotion", "name", link=lambda row: row.href()),
            Column("State", lambda row: row.tag or ""),
        ),
        rows=events,
        empty="Nothing stands on the calendar.",
    )
    return list_response(request, "promotions/calendar.html", {"table": table})


def calendar_events(casino: Casino, now: datetime, *, is_writer: bool) -> Iterator[CalendarEvent]:
    """Events from two weeks ago to two months ahead. Drafts only for marketing, which owns them."""
    since, until = now - LOOK_BACK, now + LOOK_AHEAD
    for version in current_versions(casino, now).filter(ends_at__gte=since, starts_at__lte=until):
        yield from (event for event in _terms_events(version, now) if since <= event.at <= until)
    for draw in draws_of(casino).due_between(since, until):
        tag = DRAW_TAGS[DrawState(draw.state)]
        yield CalendarEvent(draw.due_at, "Draw", f"{draw.reference}, {draw.place}", draw.get_absolute_url, tag)
    found = promotion_rules_at(casino, now)
    if found is None:
        return
    for row in unnotified_draws(casino, now):
        tag = Tag("Overdue", "danger") if row.overdue else Tag("Due", "warning")
        what = f"{row.winners:,} winner{'' if row.winners == 1 else 's'} to be told before"
        yield CalendarEvent(row.deadline.ends_at, what, row.draw.reference, row.draw.get_absolute_url, tag)
    for draft in drafts_of(casino) if is_writer else ():
        starts = draft.terms.starts_at
        latest = latest_filing_time(starts, found.duties.filing) if starts else None
        if latest and since <= latest <= until:
            tag = Tag("Too late", "danger") if latest < now else Tag("Due", "warning")
            yield CalendarEvent(latest, "Latest moment to file", str(draft), partial(draft.address, "draft"), tag)


def _terms_events(version: TermsVersion, now: datetime) -> Iterator[CalendarEvent]:
    href = version.promotion.get_absolute_url
    for at, what in (
        (version.starts_at, "Starts"),
        (version.closes_at, "Entries close"),
        (version.ends_at, "Ends"),
    ):
        if at is not None:
            yield CalendarEvent(at, what, version.name, href, Tag("Past") if at <= now else None)
