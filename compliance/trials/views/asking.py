"""Choosing what is tried over what, stopping a trial, and asking for the same once more."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from compliance.accounts.requests import CasinoRequest
from compliance.accounts.views.steps import posted
from compliance.trials.forms import Choices, Grouped, ReadingsForm, ScopeForm, TrialForm, scope_asked
from compliance.trials.selectors import access_trial
from compliance.trials.services import ask_for_trial, stop_trial, try_again
from compliance.trials.subjects import (
    Subject,
    of_draft,
    of_readings,
    of_version,
    versions_to_read,
    versions_to_try,
)
from compliance.trials.views.places import address_of, officers
from compliance.web.errors import NotFound, Refusal
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import draft_of, pack_of
from rounds.rulebook.states import State

DRAFT, VERSION, READINGS = "draft", "version", "readings"
# What is not in force yet comes first: that is what people want to try.
ORDER = (State.PROPOSED, State.APPROVED, State.IN_FORCE, State.SUPERSEDED)
asks = require_http_methods(["GET", "HEAD", "POST"])


@officers
@never_cache
@asks
def new(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()
    asked = {"subject": request.GET.get("subject", ""), **scope_asked(request.GET)}
    form = TrialForm(posted(request), casino=request.casino, subjects=_subjects(request, now), initial=asked)
    if request.method == "POST" and form.is_valid():
        sort, _, name = form.cleaned_data["subject"].partition(":")
        if sort == READINGS:
            version = next(each for each in versions_to_read(request.casino, now) if str(each.pk) == name)
            step = address_of("readings", request.casino, rules=version.rules, number=version.number)
            return redirect(f"{step}?{form.scope_query()}")
        if begun := _begin(request, form, lambda: _subject(request, sort, name)):
            return begun
    return render(request, "trials/new.html", {"casino": request.casino, "form": form})


@officers
@never_cache
@asks
def readings(request: CasinoRequest, casino: str, rules: str, number: int) -> HttpResponse:
    """The second page, where the version in force is read otherwise."""
    known = versions_to_read(request.casino, timezone.now())
    version = next((each for each in known if (each.rules, each.number) == (rules, number)), None)
    if version is None:
        raise NotFound
    form = ReadingsForm(
        posted(request), casino=request.casino, pack=pack_of(version), adopted=version.readings,
        initial=scope_asked(request.GET),
    )  # fmt: skip
    is_right = request.method == "POST" and form.is_valid()
    if is_right and (begun := _begin(request, form, lambda: of_readings(version, form.readings))):
        return begun
    context = {"casino": request.casino, "version": version, "form": form}
    return render(request, "trials/readings.html", context)


def _begin(request: CasinoRequest, form: ScopeForm, subject: Callable[[], Subject]) -> HttpResponse | None:
    """None where it was refused: the form says why."""
    try:
        trial = ask_for_trial(
            casino=request.casino, subject=subject(), scope=form.scope, actor=request.user, now=timezone.now()
        )
    except Refusal as refusal:
        form.add_error(None, refusal.words)
        return None
    return redirect(trial)


def _subject(request: CasinoRequest, sort: str, name: str) -> Subject:
    if sort == DRAFT:
        return of_draft(request.user, request.casino)
    return of_version(versions_to_try(request.casino).get(pk=int(name)))


def _subjects(request: CasinoRequest, now: datetime) -> Grouped:
    return [(heading, choices) for heading, choices in _groups(request, now) if choices]


def _groups(request: CasinoRequest, now: datetime) -> Iterator[tuple[str, Choices]]:
    draft = draft_of(request.user, request.casino)
    has_rules = draft is not None and draft.pack_content is not None
    yield "Your draft", [(DRAFT, "The proposal that you have not sent yet")] if has_rules else []
    of_state: dict[State, list[Any]] = {}
    for version in versions_to_try(request.casino):
        of_state.setdefault(version.state(now), []).append((f"{VERSION}:{version.pk}", _words(version)))
    read = [(f"{READINGS}:{version.pk}", str(version)) for version in versions_to_read(request.casino, now)]
    yield from ((state.tag.label, of_state.get(state, [])) for state in ORDER[:2])
    yield "In force, with readings that you choose on the next page", read
    yield from ((state.tag.label, of_state.get(state, [])) for state in ORDER[2:])


def _words(version: RuleVersion) -> str:
    return f"{version} (ruling on {version.ruled_reading})" if version.is_ruling else str(version)


@officers
@require_POST
def stop(request: CasinoRequest, casino: str, trial: int) -> HttpResponse:
    found = access_trial(request.user, request.casino, trial)
    stop_trial(trial=found, actor=request.user, now=timezone.now())
    messages.success(request, "The trial is stopped.")
    return redirect(found)


@officers
@require_POST
def again(request: CasinoRequest, casino: str, trial: int) -> HttpResponse:
    found = access_trial(request.user, request.casino, trial)
    return redirect(try_again(trial=found, actor=request.user, now=timezone.now()))
