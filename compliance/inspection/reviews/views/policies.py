"""Review policy of a casino: hours by severity, and second reviewers."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.components import Column, Table
from compliance.core.web.ui.confirm_page import allow_get_post, bound_data
from compliance.inspection.reviews.consumer import policy_of, service_hours
from compliance.inspection.reviews.models import DEFAULT_SERVICE_HOURS, ReviewPolicy
from compliance.inspection.reviews.services import set_review_policy
from compliance.inspection.reviews.views.common import address_of, policy_setters_only
from compliance.inspection.reviews.views.forms import ReviewPolicyForm


@policy_setters_only
@never_cache
@allow_get_post
def review_policies(request: CasinoRequest, casino: str) -> HttpResponse:
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
        messages.success(request, "Findings are reviewed so from now on.")
        return redirect(address_of("arrangements", request.casino))
    table = Table(
        caption="Arrangements, newest first",
        columns=(
            Column("From", lambda row: local(row.made_at, request.casino), is_row_heading=True),
            Column("Hours", _hours_text),
            Column("Second reviewer for", lambda row: ", ".join(row.seconded) or "None"),
            Column("Why", "reason"),
            Column("By", "made_by_name"),
        ),
        rows=ReviewPolicy.objects.filter(casino=request.casino),
        query=request.GET,
        is_caption_hidden=True,
        empty="None: the service's own service levels count, and nobody confirms.",
    )
    return render(request, "reviews/policies.html", {"casino": request.casino, "form": form, "table": table})


def _hours_text(row: ReviewPolicy) -> str:
    return ", ".join(f"{severity.value} {row.service_hours[severity.value]} h" for severity in DEFAULT_SERVICE_HOURS)
