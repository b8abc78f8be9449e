"""Pages for seeding a sample, following its draw, and repeating the draw to compare."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.errors import NotFound, Refusal
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.confirm_page import allow_get_post, bound_data
from compliance.inspection.checklists.forms import SampleForm, WeightedSampleForm
from compliance.inspection.checklists.models import DrawJob, Sample
from compliance.inspection.checklists.sampling.seeded_selection import draw_rounds
from compliance.inspection.checklists.selectors import access_sample, newest_draw_job
from compliance.inspection.checklists.services import draw_if_small, draws, request_draw, request_redraw, seed_sample
from compliance.inspection.checklists.views.common import address_of, inspectors_only


@inspectors_only
@never_cache
@allow_get_post
def new_sample(request: CasinoRequest, casino: str) -> HttpResponse:
    return _create_sample(request, SampleForm(bound_data(request), casino=request.casino), "checklists/new-sample.html")


@inspectors_only
@never_cache
@allow_get_post
def new_weighted_sample(request: CasinoRequest, casino: str) -> HttpResponse:
    form = WeightedSampleForm(bound_data(request), casino=request.casino)
    return _create_sample(request, form, "checklists/new-weighted-sample.html")


def _create_sample(request: CasinoRequest, form: SampleForm, template: str) -> HttpResponse:
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        try:
            sample = seed_sample(
                casino=request.casino,
                purpose=typed["purpose"],
                since=typed["since"],
                until=typed["until"],
                tables=typed["tables"],
                size=typed["size"],
                factors=form.factors,
                actor=request.user,
                now=timezone.now(),
            )
        except Refusal as refusal:
            form.add_error(None, refusal.full_message)
        else:
            draw_if_small(sample=sample, now=timezone.now())
            return redirect(address_of("sample", request.casino, sample=sample.entry_index))
    return render(request, template, {"casino": request.casino, "form": form})


def draw_state(it: Sample) -> dict[str, Any]:
    """Context of the fragment that changes during a draw."""
    is_drawn = hasattr(it, "draw")
    first = None if is_drawn else newest_draw_job(it, is_again=False)
    return {"sample": it, "is_drawn": is_drawn, **_progress_context(it, first, "draw-progress", "sample")}


def _progress_context(sample: Sample, newest: DrawJob | None, part: str, page: str) -> dict[str, Any]:
    return {
        "drawing": newest,
        "is_going_on": newest is not None and not newest.has_ended,
        "part_href": address_of(part, sample.casino, sample=sample.entry_index),
        "page_href": address_of(page, sample.casino, sample=sample.entry_index),
    }


@inspectors_only
@never_cache
@require_safe
def draw_progress(request: CasinoRequest, casino: str, sample: int) -> HttpResponse:
    """Fragment that is polled during a draw; loads the whole page once it has ended."""
    return _progress_response(request, draw_state(access_sample(request.user, request.casino, sample)))


def _progress_response(request: CasinoRequest, state: dict[str, Any]) -> HttpResponse:
    response = render(request, "checklists/draw-state.html", {"casino": request.casino, **state})
    if not state["is_going_on"]:
        response["HX-Refresh"] = "true"
    return response


@inspectors_only
@require_POST
def start_draw(request: CasinoRequest, casino: str, sample: int) -> HttpResponse:
    """For a sample whose seed was recorded but whose draw did not finish."""
    it = access_sample(request.user, request.casino, sample)
    try:
        request_draw(sample=it, actor=request.user)
        draw_if_small(sample=it, now=timezone.now())
    except Refusal as refusal:
        messages.error(request, refusal.full_message)
    return redirect(address_of("sample", request.casino, sample=it.entry_index))


@inspectors_only
@never_cache
@allow_get_post
def redraw(request: CasinoRequest, casino: str, sample: int) -> HttpResponse:
    """Repeats the draw from the recorded seed and compares: at once, or by a worker if it is large."""
    it = access_sample(request.user, request.casino, sample)
    if not hasattr(it, "draw"):
        raise NotFound
    if it.draw.population > draws.MAX_IMMEDIATE_ROUNDS:
        return _redraw_by_worker(request, it)
    drawn = draw_rounds(it)
    context = {
        "casino": request.casino,
        "sample": it,
        "is_compared": True,
        "is_same": draws.is_same_draw(drawn, it.draw),
        "population": drawn.population,
        "rounds": [one.index for one in drawn.rounds],
    }
    return render(request, "checklists/draw-again.html", context)


def _redraw_by_worker(request: CasinoRequest, sample: Sample) -> HttpResponse:
    if request.method == "POST":
        request_redraw(sample=sample, actor=request.user)
        return redirect(address_of("draw-again", sample.casino, sample=sample.entry_index))
    state = _redraw_state(sample)
    last = state["drawing"]
    context = {
        "casino": request.casino,
        "is_compared": last is not None and last.drawn_at is not None,
        "is_same": last is not None and last.was_same,
        "population": sample.draw.population,
        "is_later": True,
        "drawn_again": local(last.drawn_at, sample.casino) if last is not None else "",
    }
    return render(request, "checklists/draw-again.html", context | state)


def _redraw_state(sample: Sample) -> dict[str, Any]:
    last = newest_draw_job(sample, is_again=True)
    return {"sample": sample, "is_drawn": True, **_progress_context(sample, last, "again-progress", "draw-again")}


@inspectors_only
@never_cache
@require_safe
def redraw_progress(request: CasinoRequest, casino: str, sample: int) -> HttpResponse:
    it = access_sample(request.user, request.casino, sample)
    if not hasattr(it, "draw"):
        raise NotFound
    return _progress_response(request, _redraw_state(it))
