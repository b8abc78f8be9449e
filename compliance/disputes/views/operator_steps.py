"""The operator's steps. Each has a confirm page; a refusal keeps the input."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.utils import timezone

from compliance.core.accounts.models import User
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.accounts.roles import Role
from compliance.core.web.errors import BadRequest
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.forms import ReasonForm
from compliance.disputes import entry_bodies
from compliance.disputes.forms import (
    MAX_TEXT_LENGTH,
    NO_NAMES_HINT,
    AdviceForm,
    AttachForm,
    CloseForm,
    CloseUnadvisedForm,
    ComplaintForm,
    DisputeDecisionForm,
    PatronNotificationForm,
    PaymentForm,
    RecordDecisionForm,
)
from compliance.disputes.models import Dispute
from compliance.disputes.selectors import access_dispute
from compliance.disputes.services import (
    advise_patron,
    attach_file,
    close_dispute,
    decide_dispute,
    record_complaint,
    record_decision,
    record_patron_notification,
    record_payment,
    request_review,
    withdraw_dispute,
)
from compliance.disputes.views.common import dispute_facts, operators_only, readers_only
from compliance.disputes.views.new_dispute import store_uploads


def dispute_confirm_page(
    dispute: Dispute,
    title: str,
    *consequences: str,
    submit: str,
    done: str = "",
    is_danger: bool = False,
    has_facts: bool = False,
) -> ConfirmPage:
    back, number = dispute.get_absolute_url(), dispute.reference
    facts = dispute_facts(dispute) if has_facts else None
    return ConfirmPage(f"{title}: {number}", consequences, submit, back, number, done, is_danger, facts)


@readers_only
@allow_get_post
def decide(request: CasinoRequest, casino: str, number: int) -> HttpResponse:
    it = access_dispute(request.user, request.casino, number)
    rung, place = it.current_rung, it.rung
    form = DisputeDecisionForm(bound_data(request), request=request, dispute=it)
    act = dispute_confirm_page(
        it,
        rung.title,
        f"This step is for {rung.who}{f' (clause {rung.clause})' if rung.clause else ''}.",
        *(["A review is for another person than those who decided before."] if place else []),
        "It is recorded in your name and rank. It can be corrected later, by a new entry with a reason.",
        submit="Decide",
        has_facts=True,
        done="The decision is recorded. Tell the patron now.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: decide_dispute(
            dispute=it, rung=place, decision=form.decision(), actor=request.user, now=timezone.now()
        ),
    )


@operators_only
@allow_get_post
def record_past_decision(request: CasinoRequest, casino: str, number: int) -> HttpResponse:
    it = access_dispute(request.user, request.casino, number)
    form = RecordDecisionForm(bound_data(request), request=request, dispute=it, now=timezone.now())
    act = dispute_confirm_page(
        it,
        "Record a decision already made",
        "For a decision that somebody made at the table before it was written down.",
        "It is recorded as it happened. If it was not theirs to make, the audit flags it.",
        submit="Record the decision",
        has_facts=True,
        done="The decision is recorded. Tell the patron now.",
    )

    def save_decision() -> None:
        decider, _, role = form.cleaned_data["decider"].partition(":")
        made = form.decision()
        entered = entry_bodies.DecisionBody(
            outcome=made.outcome,
            reasons=made.reasons,
            clause=made.clause,
            amount_cents=made.amount_cents,
            in_absence=made.in_absence,
            entered_by=request.user.name,
        )
        record_decision(
            dispute=it,
            rung=int(form.cleaned_data["rung"]),
            decision=entered,
            decider=User.objects.get(pk=decider),
            role=Role(role),
            at=form.cleaned_data["at"],
            actor=request.user,
            now=timezone.now(),
        )

    return confirm_page(request, act, form, save_decision)


@readers_only
@allow_get_post
def notify_patron(request: CasinoRequest, casino: str, number: int) -> HttpResponse:
    it = access_dispute(request.user, request.casino, number)
    form = PatronNotificationForm(bound_data(request), ladder=it.ladder, rung=it.rung)
    act = dispute_confirm_page(
        it,
        "Tell the patron",
        "Write down what the patron was told, by you, and what they answered.",
        submit="Record it",
        done="Recorded.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: record_patron_notification(
            dispute=it,
            notification=entry_bodies.PatronNotificationBody(**form.cleaned_data),
            actor=request.user,
            now=timezone.now(),
        ),
    )


@readers_only
@allow_get_post
def send_to_review(request: CasinoRequest, casino: str, number: int) -> HttpResponse:
    it = access_dispute(request.user, request.casino, number)
    above = it.ladder.rung_after(it.rung)
    words = f"It goes to {above.who} (clause {above.clause})." if above else "There is no further step."
    act = dispute_confirm_page(
        it, "The patron asks for a review", words, submit="Send it on", done="The review is requested."
    )
    return confirm_page(
        request,
        act,
        forms.Form(bound_data(request)),
        lambda: request_review(dispute=it, actor=request.user, now=timezone.now()),
    )


@operators_only
@allow_get_post
def pay_patron(request: CasinoRequest, casino: str, number: int) -> HttpResponse:
    it = access_dispute(request.user, request.casino, number)
    form = PaymentForm(bound_data(request), request=request, dispute=it)
    corrects = (
        "It corrects the settlement of the round, and the audit counts it."
        if it.is_round
        else "It stands beside what was recorded, which stays as it is."
    )
    undecided = [] if it.outcome else ["No decision is recorded yet. A payment before a decision is flagged."]
    act = dispute_confirm_page(
        it,
        "Record a payment",
        *undecided,
        corrects,
        submit="Record the payment",
        done="The payment is recorded.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: record_payment(
            dispute=it,
            way=form.cleaned_data["way"],
            amount_cents=form.cleaned_data["amount"],
            wager=form.cleaned_data["wager"],
            note=form.cleaned_data["note"],
            actor=request.user,
            now=timezone.now(),
        ),
    )


@readers_only
@allow_get_post
def advise(request: CasinoRequest, casino: str, number: int) -> HttpResponse:
    it = access_dispute(request.user, request.casino, number)
    right = it.ladder.right
    form = AdviceForm(bound_data(request))
    what = f"The right: {right.told_of} (clause {right.clause})." if right else "The rules say nothing of a right here."
    act = dispute_confirm_page(
        it,
        "Advise the patron of their right",
        what,
        "Print the page for the patron from the dispute's page, or have it sent from here.",
        submit="Record the advice",
        done="The advice is recorded.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: advise_patron(
            dispute=it,
            how=form.cleaned_data["how"],
            language=form.cleaned_data["language"],
            email=form.cleaned_data["email"] if form.cleaned_data["how"] == "emailed" else "",
            actor=request.user,
            now=timezone.now(),
        ),
    )


@operators_only
@allow_get_post
def withdraw(request: CasinoRequest, casino: str, number: int) -> HttpResponse:
    it = access_dispute(request.user, request.casino, number)
    form = ReasonForm(bound_data(request), max_length=MAX_TEXT_LENGTH, help_text=NO_NAMES_HINT)
    act = dispute_confirm_page(
        it,
        "The patron withdraws",
        "The dispute is closed. What was recorded stays.",
        submit="Close as withdrawn",
        done="The dispute is withdrawn.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: withdraw_dispute(
            dispute=it, reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now()
        ),
    )


@readers_only
@allow_get_post
def close(request: CasinoRequest, casino: str, number: int) -> HttpResponse:
    it = access_dispute(request.user, request.casino, number)
    form = CloseForm(bound_data(request), request=request)
    act = dispute_confirm_page(
        it,
        "Close the dispute",
        "Nothing is lost: the file stays readable, and a complaint can still come.",
        submit="Close the dispute",
        done="The dispute is closed.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: close_dispute(dispute=it, reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now()),
    )


@operators_only
@allow_get_post
def close_without_advice(request: CasinoRequest, casino: str, number: int) -> HttpResponse:
    """For a patron who left before they could be advised: recorded as it happened, and flagged by the audit."""
    it = access_dispute(request.user, request.casino, number)
    form = CloseUnadvisedForm(bound_data(request), request=request)
    act = dispute_confirm_page(
        it,
        "Close without advice",
        "The patron is not satisfied and was not advised of their right. The audit flags this as a breach.",
        submit="Close without advice",
        done="The dispute is closed without advice.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: close_dispute(
            dispute=it,
            reason=form.cleaned_data["reason"],
            unadvised_because=form.cleaned_data["unadvised_because"],
            actor=request.user,
            now=timezone.now(),
        ),
    )


@readers_only
@allow_get_post
def complain(request: CasinoRequest, casino: str, number: int) -> HttpResponse:
    it = access_dispute(request.user, request.casino, number)
    form = ComplaintForm(bound_data(request))
    act = dispute_confirm_page(
        it,
        "Complaint to the inspector",
        "The inspector sees the whole file and the proof of the round, and takes it from here.",
        submit="Pass it to the inspector",
        done="The complaint was sent to the inspector.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: record_complaint(
            dispute=it, received=form.cleaned_data["received"], actor=request.user, now=timezone.now()
        ),
    )


@readers_only
@allow_get_post
def attach(request: CasinoRequest, casino: str, number: int) -> HttpResponse:
    it = access_dispute(request.user, request.casino, number)
    form = AttachForm(bound_data(request), request.FILES if request.method == "POST" else None)
    act = dispute_confirm_page(it, "Attach a file", "A file cannot be taken away again.", submit="Attach")

    def save_files() -> None:
        stored, complaints = store_uploads(request.FILES.getlist("papers"))
        for one in stored:
            attach_file(dispute=it, stored=one, actor=request.user, now=timezone.now())
        if complaints:
            raise BadRequest(" ".join(complaints), remedy=" ")
        messages.success(request, "The file is attached.")

    return confirm_page(request, act, form, save_files)
