"""Deciding about one finding, and the second reviewer's answer to that."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from compliance.accounts.requests import CasinoRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.reviews.forms import ConfirmationForm, DecisionForm
from compliance.reviews.outcomes import WAY
from compliance.reviews.selectors import access_review, decisions_on
from compliance.reviews.services import confirm_decision, decide_finding
from compliance.reviews.states import State
from compliance.reviews.views.finding import difference_words
from compliance.reviews.views.places import address_of, finding_address, reviewers
from compliance.web.errors import NotFound, Refusal


@reviewers
@never_cache
@asks_first
def decide(request: CasinoRequest, casino: str, finding: int, outcome: str) -> HttpResponse:
    """One way to decide, a page: what was found, what follows, the reason and the note."""
    review = access_review(request.user, request.casino, finding)
    way = WAY.get(outcome)
    if way is None or review.state == State.LAPSED:
        raise NotFound
    form = DecisionForm(
        posted(request), way=way, casino=request.casino, request=request, seen=review.decided_times,
        is_signed=review.is_serious,
    )  # fmt: skip
    if request.method == "POST" and form.is_valid():
        try:
            decision = decide_finding(
                review=review, decided=form.decided(), seen=form.cleaned_data["seen"], actor=request.user,
                now=timezone.now(),
            )  # fmt: skip
        except Refusal as refusal:
            form.add_error(None, refusal.words)
        else:
            waits = " It waits for a second reviewer." if decision.is_to_be_seconded else ""
            messages.success(request, f"{review.code}: {decision.get_outcome_display().lower()}.{waits}")
            return redirect(f"{address_of('queue', request.casino)}?decided=1")
    context = {
        "casino": request.casino,
        "review": review,
        "finding": review.finding,
        "difference": difference_words(review.finding),
        "way": way,
        "form": form,
        "back": finding_address(review),
    }
    return render(request, "reviews/decide.html", context)


@reviewers
@never_cache
@asks_first
def second(request: CasinoRequest, casino: str, finding: int) -> HttpResponse:
    review = access_review(request.user, request.casino, finding)
    decisions = decisions_on(review.finding)
    if not decisions or review.state != State.SECONDING:
        raise NotFound
    decision = decisions[-1]
    form = ConfirmationForm(posted(request), request=request)
    act = Act(
        f"Second review of {review.code}",
        (
            review.finding.sentence,
            f"{decision.decided_by_name} decided: {decision.get_outcome_display().lower()}, because "
            f"{decision.reason_words[:1].lower()}{decision.reason_words[1:]}.",
            f"Note: {decision.note}",
        ),
        "Sign", finding_address(review), review.code, "Your answer is recorded.",
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: confirm_decision(
            decision=decision, agrees=form.cleaned_data["agrees"], note=form.cleaned_data["note"],
            actor=request.user, now=timezone.now(),
        ),
    )  # fmt: skip
