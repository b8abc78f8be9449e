"""How a casino's dice, shakers and tables stand."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.models import Casino
from compliance.accounts.requests import CasinoRequest, PersonRequest
from compliance.accounts.views.choosing import choose_casino
from compliance.fairness.forms import Filter
from compliance.fairness.levels import A_YEAR
from compliance.fairness.models import SubjectKind
from compliance.fairness.selectors import examined, looks_of, signals_of, standings, unseen_signals
from compliance.fairness.views.places import address_of, percent, rare, readers
from compliance.web.components import Column, FilterPanel, Table, Tag
from rounds.floor.gaming_days import gaming_day
from rounds.floor.standing import MAY_READ

SIGNALLED, NO_SIGNAL = Tag("Signalled", "warning"), Tag("No signal", "success")


@readers
@never_cache
@require_safe
def casinos(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request, MAY_READ, lambda casino: address_of("standing", casino),
        title="Fairness", caption="Casinos and their dice",
    )  # fmt: skip


@readers
@never_cache
@require_safe
def standing(request: CasinoRequest, casino: str) -> HttpResponse:
    place, form = request.casino, Filter(request.GET)
    now = Table(
        caption="On the floor now",
        columns=(
            Column("What", "words", is_row_heading=True, link=lambda row: _return_address(place, row.subject)),
            Column("Rounds with a result", lambda row: f"{row.rounds:,}", is_figure=True),
            Column("Looked at after", lambda row: f"{row.looked_at:,}" if row.looked_at else "", is_figure=True),
            Column("Next look after", lambda row: f"{row.next_at:,}", is_figure=True),
            Column("Standing", "tag"),
        ),
        rows=standings(place, gaming_day(place, timezone.now())),
        query=request.GET,
        name="now",
        is_caption_hidden=True,
        empty="No dice, shaker or table has played this month.",
    )
    looks = Table(
        caption="Looks made so far, the newest first",
        columns=(
            Column("What", lambda row: f"{row.get_subject_kind_display()} {row.subject}", is_row_heading=True),
            Column("Month", lambda row: row.window or "Since it came"),
            Column("Gaming day", lambda row: f"{row.examination.gaming_day:%Y-%m-%d}"),
            Column("Rounds", lambda row: f"{row.rounds:,}", sort="rounds", is_figure=True),
            Column("Rarest of the tests", "what_was_tested"),
            Column("Its p-value", lambda row: rare(row.p_value), is_figure=True),
            Column("Standing", lambda row: SIGNALLED if row.is_signalled else NO_SIGNAL),
        ),
        rows=looks_of(place, form.chosen()),
        query=request.GET,
        empty="Nothing was looked at yet. The first look comes after 200 rounds with a result.",
    )  # fmt: skip
    context = {
        "casino": place, "panel": FilterPanel(form), "now": now, "looks": looks, "examined": examined(place),
        "signals": signals_of(place, {}).count(), "unseen": unseen_signals(place), "a_year": percent(A_YEAR),
    }  # fmt: skip
    return render(request, "fairness/standing.html", context)


def _return_address(casino: Casino, subject: Any) -> str:
    """A table has a page of what came back there; dice and shakers are found among the looks."""
    if subject.kind == SubjectKind.TABLE:
        return address_of("table", casino, table=subject.name)
    return (
        f"{address_of('standing', casino)}?{urlencode({'subject_kind': subject.kind.value, 'subject': subject.name})}"
    )
