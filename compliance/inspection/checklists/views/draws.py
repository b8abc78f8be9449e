"""Pages for seeding a sample, following and cancelling its draw, and repeating the draw to compare."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.errors import NotFound, Refusal
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.confirm_page import allow_get_post, bound_data
from compliance.core.web.ui.links import casino_url
from compliance.inspection.checklists.forms import SampleForm, WeightedSampleForm
from compliance.inspection.checklists.models import Sample
from compliance.inspection.checklists.sampling.seeded_selection import draw_rounds
from compliance.inspection.checklists.selectors import access_sample, newest_draw_job
from compliance.inspection.checklists.services import cancel_draw, draw_if_small, draws, request_draw, seed_sample
from compliance.inspection.checklists.views.common import inspectors_only


@inspectors_only
@allow_get_post
def new_sample(request: CasinoRequest, casino: str) -> HttpResponse:
    return _create_sample(request, SampleForm(bound_data(request), casino=request.casino), "checklists/new-sample.html")


@inspectors_only
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
            return redirect(_sample_url(sample, "sample"))
    return render(request, template, {"casino": request.casino, "form": form})


def draw_state(it: Sample) -> dict[str, Any]:
    """Context of the fragment that changes during a draw."""
    is_drawn = hasattr(it, "draw")
    job = None if is_drawn else newest_draw_job(it, is_again=False)
    return {"sample": it, "is_drawn": is_drawn, "job": job, **_job_urls(it, "sample", "draw", "draw")}


def _job_urls(sample: Sample, page: str, retry: str, prefix: str) -> dict[str, str]:
    names = {"page": page, "retry": retry, "part": f"{prefix}-progress", "cancel": f"{prefix}-cancel"}
    return {f"{key}_href": _sample_url(sample, name) for key, name in names.items()}


def _sample_url(sample: Sample, name: str) -> str:
    return casino_url(f"checklists:{name}", sample.casino, sample=sample.entry_index)


@inspectors_only
@require_safe
def draw_progress(request: CasinoRequest, casino: str, sample: int) -> HttpResponse:
    """Fragment that is polled during a draw; loads the whole page once it has ended."""
    return _progress_response(request, draw_state(access_sample(request.user, request.casino, sample)))


def _progress_response(request: CasinoRequest, state: dict[str, Any]) -> HttpResponse:
    response = render(request, "checklists/draw-state.html", {"casino": request.casino, **state})
    if state["job"] is None or not state["job"].is_unfinished:
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
    else:
        messages.success(request, "The draw was started.")
    return redirect(_sample_url(it, "sample"))


@inspectors_only
@require_POST
def cancel(request: CasinoRequest, casino: str, sample: int, is_again: bool) -> HttpResponse:
    it = access_sample(request.user, request.casino, sample)
    cancel_draw(sample=it, is_again=is_again, actor=request.user, now=timezone.now())
    messages.success(request, "The draw is cancelled.")
    return redirect(_sample_url(it, "draw-again" if is_again else "sample"))


@inspectors_only
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
        request_draw(sample=sample, actor=request.user, is_again=True)
        messages.success(request, "The draw was started.")
        return redirect(_sample_url(sample, "draw-again"))
    state = _redraw_state(sample)
    last = state["job"]
    context = {
        "casino": request.casino,
        "is_compared": last is not None and last.is_done,
        "is_same": last is not None and last.was_same,
        "population": sample.draw.population,
        "is_later": True,
        "drawn_again": local(last.ended_at, sample.casino) if last is not None else "",
    }
    return render(request, "checklists/draw-again.html", context | state)


def _redraw_state(sample: Sample) -> dict[str, Any]:
    job = newest_draw_job(sample, is_again=True)
    return {"sample": sample, "job": job, **_job_urls(sample, "draw-again", "draw-again", "again")}


@inspectors_only
@require_safe
def redraw_progress(request: CasinoRequest, casino: str, sample: int) -> HttpResponse:
    it = access_sample(request.user, request.casino, sample)
    if not hasattr(it, "draw"):
        raise NotFound
    return _progress_response(request, _redraw_state(it))
