"""The inspector's steps on a complaint, and the operator's answers to requests."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.errors import NotFound
from compliance.core.web.pdf.signer import sign_pdf
from compliance.core.web.ui.confirm_page import allow_get_post, bound_data, confirm_page
from compliance.disputes.forms import DeterminationForm, LetterForm, NoteForm, RequestAnswerForm, RequestForm
from compliance.disputes.models import Dispute
from compliance.disputes.pdf.outcome_letter import outcome_letter
from compliance.disputes.selectors import access_dispute, open_requests
from compliance.disputes.services import (
    add_inspector_note,
    answer_request,
    determine_complaint,
    issue_letter,
    request_from_operator,
)
from compliance.disputes.text import format_day
from compliance.disputes.views.common import inspectors_only, operators_only
from compliance.disputes.views.operator_steps import dispute_confirm_page


@inspectors_only
@allow_get_post
def add_note(request: CasinoRequest, casino: str, number: int) -> HttpResponse:
    it = access_dispute(request.user, request.casino, number)
    form = NoteForm(bound_data(request))
    act = dispute_confirm_page(
        it,
        "Add a note of your own",
        "The operator cannot read it; the ledger shows them only that a note was made.",
        "The ledger has only its digest, so that nobody can change the words later.",
        submit="Add the note",
        done="Your note is recorded.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: add_inspector_note(dispute=it, text=form.cleaned_data["text"], actor=request.user, now=timezone.now()),
    )


@inspectors_only
@allow_get_post
def request_information(request: CasinoRequest, casino: str, number: int) -> HttpResponse:
    it = access_dispute(request.user, request.casino, number)
    form = RequestForm(bound_data(request))
    act = dispute_confirm_page(
        it,
        "Ask the operator",
        "The operator sees the request with its day on the dispute's page, and answers there.",
        submit="Send the request",
        done="The request is recorded.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: request_from_operator(dispute=it, **form.cleaned_data, actor=request.user, now=timezone.now()),
    )


@operators_only
@allow_get_post
def reply_to_request(request: CasinoRequest, casino: str, number: int, asked: int) -> HttpResponse:
    it = access_dispute(request.user, request.casino, number)
    open_request = next((each for each in open_requests(it) if each.step.entry_index == asked), None)
    if open_request is None:
        raise NotFound
    form = RequestAnswerForm(bound_data(request))
    act = dispute_confirm_page(
        it,
        "Answer the inspector",
        f"{open_request.step.said['question']} Due by {format_day(open_request.step.said['due_on'])}.",
        submit="Answer",
        done="Your answer was sent to the inspector.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: answer_request(
            dispute=it, request=asked, text=form.cleaned_data["text"], actor=request.user, now=timezone.now()
        ),
    )


@inspectors_only
@allow_get_post
def determine(request: CasinoRequest, casino: str, number: int) -> HttpResponse:
    it = access_dispute(request.user, request.casino, number)
    form = DeterminationForm(bound_data(request), request=request, dispute=it)
    act = dispute_confirm_page(
        it,
        "Determine the complaint",
        "The letter to the patron states the outcome and its reasons.",
        submit="Record the outcome",
        has_facts=True,
        done="The outcome is recorded.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: determine_complaint(
            dispute=it, determination=form.determination(), actor=request.user, now=timezone.now()
        ),
    )


@inspectors_only
@allow_get_post
def send_letter(request: CasinoRequest, casino: str, number: int) -> HttpResponse:
    it = access_dispute(request.user, request.casino, number)
    form = LetterForm(bound_data(request))
    act = dispute_confirm_page(
        it,
        "Letter to the patron",
        "Read the letter first: it can be opened from the dispute's page.",
        "It is kept and its digest recorded, so that it can be shown later what the patron was sent.",
        submit="Record that it goes out",
        done="The letter is recorded.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: issue_letter(
            dispute=it,
            content=_letter_content(it),
            how=form.cleaned_data["how"],
            actor=request.user,
            now=timezone.now(),
        ),
    )


def _letter_content(dispute: Dispute) -> bytes:
    """Signed once, when it is issued: every copy has the digest of the entry."""
    letter = outcome_letter(dispute)
    return letter.content if letter.is_issued else sign_pdf(letter.content, timezone.now())
