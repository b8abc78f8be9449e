"""Whether anything that a table's controllers numbered is missing in a period, said so that it can be shown around."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.requests import CasinoRequest
from compliance.evidence.completeness import Stated, state_completeness
from compliance.evidence.forms import CompletenessForm
from compliance.evidence.selectors import may_take
from compliance.evidence.views.places import address_of, readers
from compliance.web.components import Column, Table
from compliance.web.templatetags.kit import local


@readers
@never_cache
@require_safe
def completeness(request: CasinoRequest, casino: str) -> HttpResponse:
    form = CompletenessForm(request.GET or None, casino=request.casino)
    stated = state_completeness(request.casino, **form.cleaned_data) if form.is_bound and form.is_valid() else None
    context = {"casino": request.casino, "form": form, "stated": stated}
    if stated is not None:
        context |= {
            "feeds": _feeds(request, stated),
            "silences": _silences(request, stated),
            "take_href": _take_href(request, stated),
        }
    return render(request, "evidence/completeness.html", context)


def _take_href(request: CasinoRequest, stated: Stated) -> str:
    href = f"{address_of('new-bundle', request.casino)}?first={stated.first}&last={stated.last}"
    return href if may_take(request.user, request.casino) else ""


def _feeds(request: CasinoRequest, stated: Stated) -> Table:
    return Table(
        caption="Controllers and their numbers",
        columns=(
            Column("Controller", "controller", is_row_heading=True),
            Column("Numbers", "numbers"),
            Column("Lines", lambda row: f"{row.count:,}", is_figure=True),
            Column("Missing", "missing_words"),
            Column("They follow", "follows"),
            Column("Recorded before or after", "elsewhere_words"),
            Column("Set aside in quarantine", "set_aside_words"),
        ),
        rows=stated.feeds,
        query=request.GET,
        empty="No controller sent a numbered line for this table in that time.",
    )


def _silences(request: CasinoRequest, stated: Stated) -> Table:
    place = request.casino
    return Table(
        caption="When a controller was silent",
        columns=(
            Column("Controller", "controller", is_row_heading=True),
            Column("Last heard of", lambda row: local(row.since, place)),
            Column("Heard of again", lambda row: local(row.until, place) if row.until else "Not in this time"),
        ),
        rows=stated.silences,
        query=request.GET,
        name="silences",
        empty="None of its controllers was silent.",
    )
