"""The inspector's steps on a complaint, and the operator's answers to what they ask."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache

from compliance.accounts.requests import CasinoRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import act_page, posted
from compliance.disputes.forms import AnswerForm, DeterminationForm, LetterForm, NoteForm, RequestForm
from compliance.disputes.paper.letter import outcome_letter
from compliance.disputes.selectors import access_dispute, open_requests
from compliance.disputes.services import (
    answer_request,
    ask_operator,
    determine_complaint,
    issue_letter,
    note_complaint,
)
from compliance.disputes.telling import day
from compliance.disputes.views.acts import act_on
from compliance.disputes.views.places import inspectors, operators
from compliance.web.errors import NotFound


@inspectors
@never_cache
@asks_first
def note(request: CasinoRequest, casino: str, number: int) -> HttpResponse:
    it = access_dispute(request.user, request.casino, number)
    form = NoteForm(posted(request))
    act = act_on(
        it, "Add a note of your own", "The operator cannot read it; the ledger shows them only that a note was made.",
        "The ledger has only its digest, so that nobody can change the words later.",
        submit="Add the note", done="Your note is kept.",
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: note_complaint(
            dispute=it, text=form.cleaned_data["text"], actor=request.user, now=timezone.now()
        ),
    )  # fmt: skip


@inspectors
@never_cache
@asks_first
def ask(request: CasinoRequest, casino: str, number: int) -> HttpResponse:
    it = access_dispute(request.user, request.casino, number)
    form = RequestForm(posted(request))
    act = act_on(
        it, "Ask the operator", "The operator sees the request with its day on the dispute's page, and answers there.",
        submit="Send the request", done="The request is recorded.",
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: ask_operator(dispute=it, **form.cleaned_data, actor=request.user, now=timezone.now()),
    )  # fmt: skip


@operators
@never_cache
@asks_first
def answer(request: CasinoRequest, casino: str, number: int, asked: int) -> HttpResponse:
    it = access_dispute(request.user, request.casino, number)
    wanted = next((each for each in open_requests(it) if each.step.entry_index == asked), None)
    if wanted is None:
        raise NotFound
    form = AnswerForm(posted(request))
    act = act_on(
        it, "Answer the inspector", f"{wanted.step.said['question']} Due by {day(wanted.step.said['due_on'])}.",
        submit="Answer", done="Your answer is with the inspector.",
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: answer_request(
            dispute=it, request=asked, text=form.cleaned_data["text"], actor=request.user, now=timezone.now()
        ),
    )  # fmt: skip


@inspectors
@never_cache
@asks_first
def determine(request: CasinoRequest, casino: str, number: int) -> HttpResponse:
    it = access_dispute(request.user, request.casino, number)
    form = DeterminationForm(posted(request), request=request)
    act = act_on(
        it, "Determine the complaint", "The outcome and its reasons stand in the letter to the patron.",
        submit="Record the outcome", done="The outcome is recorded.",
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: determine_complaint(
            dispute=it, determination=form.determination(), actor=request.user, now=timezone.now()
        ),
    )  # fmt: skip


@inspectors
@never_cache
@asks_first
def letter(request: CasinoRequest, casino: str, number: int) -> HttpResponse:
    it = access_dispute(request.user, request.casino, number)
    form = LetterForm(posted(request))
    act = act_on(
        it, "Letter to the patron", "Read the letter first: it can be opened from the dispute's page.",
        "Its digest is recorded, so that it can be shown later what the patron was sent.",
        submit="Record that it goes out", done="The letter is recorded.",
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: issue_letter(
            dispute=it, content=outcome_letter(it), how=form.cleaned_data["how"],
            actor=request.user, now=timezone.now(),
        ),
    )  # fmt: skip
