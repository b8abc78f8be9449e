"""Seeding a sample, its draw as it goes on, and drawing it once more to see that the same comes out."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from compliance.accounts.requests import CasinoRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import posted
from compliance.checklists.forms import SampleForm, WeightedSampleForm
from compliance.checklists.models import Drawing, Sample
from compliance.checklists.selectors import access_sample, newest_drawing
from compliance.checklists.services import (
    ask_for_draw,
    ask_to_draw_again,
    draw_if_few,
    drawing,
    seed_sample,
)
from compliance.checklists.tickets import draw_rounds
from compliance.checklists.views.places import address_of, inspectors
from compliance.web.errors import NotFound, Refusal
from compliance.web.templatetags.kit import local


@inspectors
@never_cache
@asks_first
def new(request: CasinoRequest, casino: str) -> HttpResponse:
    return _draw_new(request, SampleForm(posted(request), casino=request.casino), "checklists/new-sample.html")


@inspectors
@never_cache
@asks_first
def new_weighted(request: CasinoRequest, casino: str) -> HttpResponse:
    form = WeightedSampleForm(posted(request), casino=request.casino)
    return _draw_new(request, form, "checklists/new-weighted-sample.html")


def _draw_new(request: CasinoRequest, form: SampleForm, template: str) -> HttpResponse:
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        try:
            sample = seed_sample(
                casino=request.casino, purpose=typed["purpose"], since=typed["since"], until=typed["until"],
                tables=typed["tables"], size=typed["size"], factors=form.factors, actor=request.user,
                now=timezone.now(),
            )  # fmt: skip
        except Refusal as refusal:
            form.add_error(None, refusal.words)
        else:
            draw_if_few(sample=sample, now=timezone.now())
            return redirect(address_of("sample", request.casino, sample=sample.entry_index))
    return render(request, template, {"casino": request.casino, "form": form})


def state_of(it: Sample) -> dict[str, Any]:
    """What the part of the page shows that changes while it is drawn."""
    is_drawn = hasattr(it, "draw")
    first = None if is_drawn else newest_drawing(it, is_again=False)
    return {"sample": it, "is_drawn": is_drawn, **_going_on(it, first, "draw-progress", "sample")}


def _going_on(it: Sample, newest: Drawing | None, part: str, page: str) -> dict[str, Any]:
    return {
        "drawing": newest,
        "is_going_on": newest is not None and not newest.has_ended,
        "part_href": address_of(part, it.casino, sample=it.entry_index),
        "page_href": address_of(page, it.casino, sample=it.entry_index),
    }


@inspectors
@never_cache
@require_safe
def progress(request: CasinoRequest, casino: str, sample: int) -> HttpResponse:
    """The part that changes while it goes on; once it has ended, the whole page is loaded."""
    return _part(request, state_of(access_sample(request.user, request.casino, sample)))


def _part(request: CasinoRequest, state: dict[str, Any]) -> HttpResponse:
    response = render(request, "checklists/draw-state.html", {"casino": request.casino, **state})
    if not state["is_going_on"]:
        response["HX-Refresh"] = "true"
    return response


@inspectors
@require_POST
def draw(request: CasinoRequest, casino: str, sample: int) -> HttpResponse:
    """For a sample whose seed was recorded and whose draw did not follow."""
    it = access_sample(request.user, request.casino, sample)
    try:
        ask_for_draw(sample=it, actor=request.user)
        draw_if_few(sample=it, now=timezone.now())
    except Refusal as refusal:
        messages.error(request, refusal.words)
    return redirect(address_of("sample", request.casino, sample=it.entry_index))


@inspectors
@never_cache
@asks_first
def again(request: CasinoRequest, casino: str, sample: int) -> HttpResponse:
    """Drawn once more from the recorded seed and compared: at once, or by a worker if somebody asks for it."""
    it = access_sample(request.user, request.casino, sample)
    if not hasattr(it, "draw"):
        raise NotFound
    if it.draw.population > drawing.AT_ONCE:
        return _again_later(request, it)
    drawn = draw_rounds(it)
    context = {
        "casino": request.casino,
        "sample": it,
        "is_compared": True,
        "is_same": drawing.is_same(drawn, it.draw),
        "population": drawn.population,
        "rounds": [one.index for one in drawn.rounds],
    }
    return render(request, "checklists/draw-again.html", context)


def _again_later(request: CasinoRequest, it: Sample) -> HttpResponse:
    if request.method == "POST":
        ask_to_draw_again(sample=it, actor=request.user)
        return redirect(address_of("draw-again", it.casino, sample=it.entry_index))
    state = _again_state(it)
    last = state["drawing"]
    context = {
        "casino": request.casino,
        "is_compared": last is not None and last.drawn_at is not None,
        "is_same": last is not None and last.was_same,
        "population": it.draw.population,
        "is_later": True,
        "drawn_again": local(last.drawn_at, it.casino) if last is not None else "",
    }
    return render(request, "checklists/draw-again.html", context | state)


def _again_state(it: Sample) -> dict[str, Any]:
    last = newest_drawing(it, is_again=True)
    return {"sample": it, "is_drawn": True, **_going_on(it, last, "again-progress", "draw-again")}


@inspectors
@never_cache
@require_safe
def again_progress(request: CasinoRequest, casino: str, sample: int) -> HttpResponse:
    it = access_sample(request.user, request.casino, sample)
    if not hasattr(it, "draw"):
        raise NotFound
    return _part(request, _again_state(it))
