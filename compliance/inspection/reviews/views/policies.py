"""Review policy of a casino: hours by severity, and second reviewers."""

from django.contrib import messages
from django.shortcuts import redirect
from django.utils import timezone

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.ui.components import Column, DataTable
from compliance.core.web.ui.confirm_page import allow_get_post, bound_data
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.inspection.reviews.consumer import policy_of, service_hours
from compliance.inspection.reviews.models import DEFAULT_SERVICE_HOURS, ReviewPolicy
from compliance.inspection.reviews.services import set_review_policy
from compliance.inspection.reviews.views.common import policy_setters_only
from compliance.inspection.reviews.views.forms import ReviewPolicyForm


@policy_setters_only
@allow_get_post
def review_policies(request: CasinoRequest, casino: str) -> ListResponse:
    made = policy_of(request.casino)
    now_hours = service_hours(request.casino)
    initial = {**now_hours, "seconded": made.seconded if made else []}
    form = ReviewPolicyForm(bound_data(request), request=request, initial=initial)
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        set_review_policy(
            casino=request.casino,
            service_hours={one.value: typed[one.value] for one in DEFAULT_SERVICE_HOURS},
            seconded=typed["seconded"],
            reason=typed["reason"],
            actor=request.user,
            now=timezone.now(),
        )
        messages.success(request, "The new arrangement applies from now on.")
        return redirect(casino_url("reviews:arrangements", request.casino))
    table = DataTable(
        caption="Arrangements, newest first",
        columns=(
            Column("From", "made_at", is_row_heading=True),
            Column("Hours", _hours_text),
            Column("Second reviewer for", lambda row: ", ".join(row.seconded) or "None"),
            Column("Why", "reason"),
            Column("By", "made_by_name"),
        ),
        rows=ReviewPolicy.objects.filter(casino=request.casino),
        is_caption_hidden=True,
        empty="None: the service's own service levels count, and nobody confirms.",
    )
    return list_response(request, "reviews/policies.html", {"form": form, "table": table})


def _hours_text(row: ReviewPolicy) -> str:
    return ", ".join(f"{severity.value} {row.service_hours[severity.value]} h" for severity in DEFAULT_SERVICE_HOURS)
