"""The board and the calendar: what starts, what is due to be filed, who is not told yet. Made of all three apps."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.models import Casino
from compliance.accounts.requests import CasinoRequest
from compliance.web.components import Column, Table, Tag
from compliance.web.templatetags.kit import local, money
from promotions.claims.denials import flagged_at, waited, waited_words
from promotions.claims.selectors import open_claims, untold_denials
from promotions.deadlines import Known
from promotions.draws.selectors import draws_of, untold
from promotions.draws.states import State
from promotions.draws.views.draws import TAGS as DRAW_TAGS
from promotions.draws.views.winners import untold_table
from promotions.duties import governing
from promotions.standing import MAY_WRITE
from promotions.terms.filing_clock import latest_moment
from promotions.terms.models import Draft, TermsVersion
from promotions.terms.selectors import drafts_of, terms_now, unreferenced
from promotions.terms.views.common import phase, readers
from rounds.engine.promotion_duties import Promotions

AHEAD = timedelta(days=60)
BEHIND = timedelta(days=14)
ON_THE_BOARD = 25


@readers
@never_cache
@require_safe
def board(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()
    found = governing(request.casino, now)
    context = {
        "casino": request.casino,
        "governing": found,
        "may_write": request.user.holds(*MAY_WRITE, casino=request.casino),
        "tables": _tables(request, found.duties, now) if found else [],
    }
    return render(request, "promotions/board.html", context)


def _tables(request: CasinoRequest, duties: Promotions, now: datetime) -> list[tuple[str, Table]]:
    """In the order in which they press: people who wait come before papers that do."""
    tables = [
        ("Winners not told yet", untold_table(request, now)),
        ("Denials whose reasons nobody was told", _denials(request, now)),
        ("Claims to decide", _claims(request, now)),
        ("Starting soon and running", _running(request, now)),
        ("Running, and no material on record refers to the terms", _unreferenced(request, duties, now)),
    ]
    if request.user.holds(*MAY_WRITE, casino=request.casino):
        tables.insert(3, ("Drafts to be filed", _drafts(request, duties, now)))
    return tables


def _drafts(request: CasinoRequest, duties: Promotions, now: datetime) -> Table:
    def due(draft: Draft) -> object:
        starts = draft.terms.starts_at
        return local(latest_moment(starts, duties.filing), request.casino) if starts else "No start yet"

    def state(draft: Draft) -> Tag:
        starts = draft.terms.starts_at
        if starts is None:
            return Tag("Begun", "info")
        return Tag("Too late", "danger") if now > latest_moment(starts, duties.filing) else Tag("In time", "success")

    return Table(
        caption="Drafts to be filed",
        columns=(
            Column("Draft", str, is_row_heading=True, link=lambda row: row.address("draft")),
            Column("File by", due),
            Column("State", state),
            Column("Changed", lambda row: local(row.changed_at, request.casino)),
        ),
        rows=drafts_of(request.casino), query=request.GET, name="drafts", page_size=ON_THE_BOARD,
        empty="No draft waits.", is_caption_hidden=True,
    )  # fmt: skip


def _denials(request: CasinoRequest, now: datetime) -> Table:
    known: Known = {}
    return Table(
        caption="Denials whose reasons nobody was told",
        columns=(
            Column("Claim", "reference", is_row_heading=True, link=lambda row: row.get_absolute_url()),
            Column("Prize", "prize"),
            Column("Denied", lambda row: local(row.decision.at, request.casino)),
            Column("Waits for", lambda row: waited_words(waited(row.decision, now))),
            Column(
                "State",
                lambda row: Tag("Overdue", "danger")
                if now >= flagged_at(request.casino, row.decision.at, known)
                else Tag("Waiting", "warning"),
            ),
        ),
        rows=untold_denials(request.casino), query=request.GET, name="denials", page_size=ON_THE_BOARD,
        empty="Every denial was explained to the patron.", is_caption_hidden=True,
    )  # fmt: skip


def _claims(request: CasinoRequest, now: datetime) -> Table:
    return Table(
        caption="Claims to decide",
        columns=(
            Column("Claim", "reference", is_row_heading=True, link=lambda row: row.get_absolute_url()),
            Column("Prize", "prize"),
            Column("Value", lambda row: money(row.value_cents), is_figure=True),
            Column("Claimed", lambda row: local(row.claimed_at, request.casino)),
        ),
        rows=open_claims(request.casino, now), query=request.GET, name="claims", page_size=ON_THE_BOARD,
        empty="No claim waits for a decision.", is_caption_hidden=True,
    )  # fmt: skip


def _running(request: CasinoRequest, now: datetime) -> Table:
    rows = terms_now(request.casino, now).filter(starts_at__lte=now + AHEAD).exclude(ends_at__lte=now)
    return Table(
        caption="Promotions that start soon or are running",
        columns=(
            Column("Promotion", "name", is_row_heading=True, link=lambda row: row.promotion.get_absolute_url()),
            Column("Starts", lambda row: local(row.starts_at, request.casino)),
            Column("Entries close", lambda row: local(row.closes_at, request.casino)),
            Column("Drawn", lambda row: local(row.awarded_at, request.casino)),
            Column("State", lambda row: phase(row, now)),
        ),
        rows=rows.order_by("starts_at"), query=request.GET, name="running", page_size=ON_THE_BOARD,
        empty="Nothing starts soon, and nothing is running.", is_caption_hidden=True,
    )  # fmt: skip


def _unreferenced(request: CasinoRequest, duties: Promotions, now: datetime) -> Table:
    """No finding: that nothing is recorded does not say what the material says. But somebody should look."""
    return Table(
        caption="Running, and no material on record refers to the terms",
        columns=(
            Column("Promotion", "name", is_row_heading=True, link=lambda row: row.promotion.address("materials")),
            Column("Started", lambda row: local(row.starts_at, request.casino)),
            Column("Clause", lambda row: duties.terms_shown.clause),
        ),
        rows=unreferenced(request.casino, now).order_by("starts_at"), query=request.GET, name="unreferenced",
        page_size=ON_THE_BOARD, empty="Every promotion that runs has material that refers to its terms.",
        is_caption_hidden=True,
    )  # fmt: skip


@dataclass(frozen=True)
class Event:
    """Something on the calendar; its address is made when it is shown."""

    at: datetime
    what: str
    name: str
    href: Callable[[], str]
    tag: Tag | None = None


@readers
@never_cache
@require_safe
def calendar(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()
    events = sorted(events_of(request.casino, now, is_writer=request.user.holds(*MAY_WRITE, casino=request.casino)),
                    key=lambda event: event.at)  # fmt: skip
    table = Table(
        caption=f"From {BEHIND.days} days ago to {AHEAD.days} days ahead",
        columns=(
            Column("When", lambda row: local(row.at, request.casino), is_row_heading=True),
            Column("What", "what"),
            Column("Promotion", "name", link=lambda row: row.href()),
            Column("State", lambda row: row.tag or ""),
        ),
        rows=events, query=request.GET, empty="Nothing stands on the calendar.",
    )  # fmt: skip
    return render(request, "promotions/calendar.html", {"casino": request.casino, "table": table})


def events_of(casino: Casino, now: datetime, *, is_writer: bool) -> Iterator[Event]:
    """What lies between two weeks ago and two months ahead. Drafts are marketing's own."""
    since, until = now - BEHIND, now + AHEAD
    for version in terms_now(casino, now).filter(ends_at__gte=since, starts_at__lte=until):
        yield from (event for event in _of_terms(version, now) if since <= event.at <= until)
    for draw in draws_of(casino).due_between(since, until):
        tag = DRAW_TAGS[State(draw.state)]
        yield Event(draw.due_at, "Draw", f"{draw.reference}, {draw.place}", draw.get_absolute_url, tag)
    found = governing(casino, now)
    if found is None:
        return
    for row in untold(casino, now):
        tag = Tag("Overdue", "danger") if row.overdue else Tag("Due", "warning")
        what = f"{row.winners:,} winner{'' if row.winners == 1 else 's'} to be told before"
        yield Event(row.telling.ends_at, what, row.draw.reference, row.draw.get_absolute_url, tag)
    for draft in drafts_of(casino) if is_writer else ():
        starts = draft.terms.starts_at
        latest = latest_moment(starts, found.duties.filing) if starts else None
        if latest and since <= latest <= until:
            tag = Tag("Too late", "danger") if latest < now else Tag("Due", "warning")
            yield Event(latest, "Latest moment to file", str(draft), partial(draft.address, "draft"), tag)


def _of_terms(version: TermsVersion, now: datetime) -> Iterator[Event]:
    href = version.promotion.get_absolute_url
    for at, what in (
        (version.starts_at, "Starts"), (version.closes_at, "Entries close"), (version.ends_at, "Ends"),
    ):  # fmt: skip
        if at is not None:
            yield Event(at, what, version.name, href, Tag("Past") if at <= now else None)
