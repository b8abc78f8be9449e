"""Pages for deciding on a finding, and for the second reviewer."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.errors import NotFound, Refusal
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.precheck import carry_out
from compliance.inspection.reviews.outcomes import OPTION_BY_OUTCOME
from compliance.inspection.reviews.selectors import access_review, decisions_on
from compliance.inspection.reviews.services import confirm_decision, decide_finding
from compliance.inspection.reviews.states import ReviewState
from compliance.inspection.reviews.views.common import finding_address, reviewers_only
from compliance.inspection.reviews.views.finding import difference_text
from compliance.inspection.reviews.views.forms import ConfirmationForm, FindingDecisionForm


@reviewers_only
@allow_get_post
def decide(request: CasinoRequest, casino: str, finding: int, outcome: str) -> HttpResponse:
    """One page for each possible decision: the finding, the consequence, reason and note."""
    review = access_review(request.user, request.casino, finding)
    way = OPTION_BY_OUTCOME.get(outcome)
    if way is None or review.state == ReviewState.LAPSED:
        raise NotFound
    form = FindingDecisionForm(
        bound_data(request),
        way=way,
        casino=request.casino,
        request=request,
        seen=review.decided_times,
        is_signed=review.is_serious,
    )
    if request.method == "POST" and form.is_valid():
        try:
            decision = carry_out(
                request,
                form,
                lambda: decide_finding(
                    review=review,
                    decided=form.decision_input(),
                    expected_decisions=form.cleaned_data["seen"],
                    actor=request.user,
                    now=timezone.now(),
                ),
            )
        except Refusal as refusal:
            form.add_error(None, refusal.full_message)
        else:
            waits = " It waits for a second reviewer." if decision.is_to_be_seconded else ""
            messages.success(
                request, f"Finding {finding:,}, {review.code}: {decision.get_outcome_display().lower()}.{waits}"
            )
            return redirect(f"{casino_url('reviews:queue', request.casino)}?decided=1")
    context = {
        "casino": request.casino,
        "review": review,
        "finding": review.finding,
        "difference": difference_text(review.finding),
        "way": way,
        "form": form,
        "back": finding_address(review),
    }
    return render(request, "reviews/decide.html", context)


@reviewers_only
@allow_get_post
def confirm(request: CasinoRequest, casino: str, finding: int) -> HttpResponse:
    review = access_review(request.user, request.casino, finding)
    decisions = decisions_on(review.finding)
    if not decisions or review.state != ReviewState.SECONDING:
        raise NotFound
    decision = decisions[-1]
    form = ConfirmationForm(bound_data(request), request=request)
    act = ConfirmPage(
        f"Second review of {review.code}",
        (
            review.finding.local_sentence,
            f"{decision.decided_by_name} decided: {decision.get_outcome_display().lower()}, because "
            f"{decision.reason_label[:1].lower()}{decision.reason_label[1:]}.",
            f"Note: {decision.note}",
        ),
        "Sign",
        finding_address(review),
        review.code,
        "Your answer is recorded.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: confirm_decision(
            decision=decision,
            agrees=form.cleaned_data["agrees"],
            note=form.cleaned_data["note"],
            actor=request.user,
            now=timezone.now(),
        ),
    )
