"""Pages to request, cancel, retry and repeat a trial."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from compliance.analysis.what_if.forms import (
    Choices,
    GroupedChoices,
    ScopeForm,
    TrialForm,
    TrialReadingsForm,
    scope_initial,
)
from compliance.analysis.what_if.selectors import access_trial
from compliance.analysis.what_if.services import cancel_trial, repeat_trial, request_trial, retry_trial
from compliance.analysis.what_if.subjects import (
    TrialSubject,
    subject_from_draft,
    subject_from_readings,
    subject_from_version,
    versions_to_try,
    versions_with_readings,
)
from compliance.analysis.what_if.views.common import officers_only
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.errors import NotFound, Refusal
from compliance.core.web.ui.confirm_page import bound_data
from compliance.core.web.ui.links import casino_url
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import draft_of, pack_of
from rounds.rulebook.states import RuleVersionState

DRAFT_CHOICE, VERSION_CHOICE, READINGS_CHOICE = "draft", "version", "readings"
# Versions not in force yet come first, because those are what people want to try.
STATE_ORDER = (
    RuleVersionState.PROPOSED,
    RuleVersionState.APPROVED,
    RuleVersionState.IN_FORCE,
    RuleVersionState.SUPERSEDED,
)
allow_get_post = require_http_methods(["GET", "HEAD", "POST"])


@officers_only
@allow_get_post
def new_trial(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()
    initial = {"subject": request.GET.get("subject", ""), **scope_initial(request.GET)}
    form = TrialForm(
        bound_data(request), casino=request.casino, subjects=_subject_choices(request, now), initial=initial
    )
    if request.method == "POST" and form.is_valid():
        sort, _, name = form.cleaned_data["subject"].partition(":")
        if sort == READINGS_CHOICE:
            version = next(each for each in versions_with_readings(request.casino, now) if str(each.pk) == name)
            step = casino_url("trials:readings", request.casino, rules=version.rules, number=version.number)
            return redirect(f"{step}?{form.scope_query()}")
        if begun := _request_trial(request, form, lambda: _chosen_subject(request, sort, name)):
            return begun
    return render(request, "what_if/new.html", {"casino": request.casino, "form": form})


@officers_only
@allow_get_post
def choose_readings(request: CasinoRequest, casino: str, rules: str, number: int) -> HttpResponse:
    """Second page of a request: choose other readings of the version in force."""
    known = versions_with_readings(request.casino, timezone.now())
    version = next((each for each in known if (each.rules, each.number) == (rules, number)), None)
    if version is None:
        raise NotFound
    form = TrialReadingsForm(
        bound_data(request),
        casino=request.casino,
        pack=pack_of(version),
        adopted=version.readings,
        initial=scope_initial(request.GET),
    )
    is_right = request.method == "POST" and form.is_valid()
    if is_right and (begun := _request_trial(request, form, lambda: subject_from_readings(version, form.readings))):
        return begun
    context = {"casino": request.casino, "version": version, "form": form}
    return render(request, "what_if/readings.html", context)


def _request_trial(request: CasinoRequest, form: ScopeForm, subject: Callable[[], TrialSubject]) -> HttpResponse | None:
    """None where it was refused; the form then has the error."""
    try:
        trial = request_trial(
            casino=request.casino, subject=subject(), scope=form.scope, actor=request.user, now=timezone.now()
        )
    except Refusal as refusal:
        form.add_error(None, refusal.full_message)
        return None
    return redirect(trial)


def _chosen_subject(request: CasinoRequest, sort: str, name: str) -> TrialSubject:
    if sort == DRAFT_CHOICE:
        return subject_from_draft(request.user, request.casino)
    return subject_from_version(versions_to_try(request.casino).get(pk=int(name)))


def _subject_choices(request: CasinoRequest, now: datetime) -> GroupedChoices:
    return [(heading, choices) for heading, choices in _choice_groups(request, now) if choices]


def _choice_groups(request: CasinoRequest, now: datetime) -> Iterator[tuple[str, Choices]]:
    draft = draft_of(request.user, request.casino)
    has_rules = draft is not None and draft.pack_content is not None
    yield "Your draft", [(DRAFT_CHOICE, "The proposal that you have not sent yet")] if has_rules else []
    of_state: dict[RuleVersionState, list[Any]] = {}
    for version in versions_to_try(request.casino):
        of_state.setdefault(version.state(now), []).append((f"{VERSION_CHOICE}:{version.pk}", _version_label(version)))
    read = [
        (f"{READINGS_CHOICE}:{version.pk}", str(version)) for version in versions_with_readings(request.casino, now)
    ]
    yield from ((state.tag.label, of_state.get(state, [])) for state in STATE_ORDER[:2])
    yield "In force, with readings that you choose on the next page", read
    yield from ((state.tag.label, of_state.get(state, [])) for state in STATE_ORDER[2:])


def _version_label(version: RuleVersion) -> str:
    return f"{version} (ruling on {version.ruled_reading})" if version.is_ruling else str(version)


@officers_only
@require_POST
def cancel(request: CasinoRequest, casino: str, trial: int) -> HttpResponse:
    found = access_trial(request.user, request.casino, trial)
    cancel_trial(trial=found, actor=request.user, now=timezone.now())
    messages.success(request, "The trial is cancelled.")
    return redirect(found)


@officers_only
@require_POST
def retry(request: CasinoRequest, casino: str, trial: int) -> HttpResponse:
    found = access_trial(request.user, request.casino, trial)
    retry_trial(trial=found, actor=request.user)
    messages.success(request, "The trial is tried again.")
    return redirect(found)


@officers_only
@require_POST
def repeat(request: CasinoRequest, casino: str, trial: int) -> HttpResponse:
    found = access_trial(request.user, request.casino, trial)
    return redirect(repeat_trial(trial=found, actor=request.user, now=timezone.now()))
