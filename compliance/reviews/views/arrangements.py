"""How a casino's findings are reviewed: within how long, and by how many people."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from compliance.accounts.requests import CasinoRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import posted
from compliance.reviews.following import arrangement_of, service_hours
from compliance.reviews.forms import ArrangementForm
from compliance.reviews.models import SERVICE_HOURS, Arrangement
from compliance.reviews.services import arrange_reviews
from compliance.reviews.views.places import address_of, arrangers
from compliance.web.components import Column, Table
from compliance.web.templatetags.kit import local


@arrangers
@never_cache
@asks_first
def arrangements(request: CasinoRequest, casino: str) -> HttpResponse:
    made = arrangement_of(request.casino)
    now_hours = service_hours(request.casino)
    initial = {**now_hours, "seconded": made.seconded if made else []}
    form = ArrangementForm(posted(request), request=request, initial=initial)
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        arrange_reviews(
            casino=request.casino, service_hours={one.value: typed[one.value] for one in SERVICE_HOURS},
            seconded=typed["seconded"], reason=typed["reason"], actor=request.user, now=timezone.now(),
        )  # fmt: skip
        messages.success(request, "Findings are reviewed so from now on.")
        return redirect(address_of("arrangements", request.casino))
    table = Table(
        caption="Arrangements, newest first",
        columns=(
            Column("From", lambda row: local(row.made_at, request.casino), is_row_heading=True),
            Column("Hours", _hours),
            Column("Second reviewer for", lambda row: ", ".join(row.seconded) or "None"),
            Column("Why", "reason"),
            Column("By", "made_by_name"),
        ),
        rows=Arrangement.objects.filter(casino=request.casino),
        query=request.GET,
        is_caption_hidden=True,
        empty="None: the service's own service levels count, and nobody confirms.",
    )
    return render(request, "reviews/arrangements.html", {"casino": request.casino, "form": form, "table": table})


def _hours(row: Arrangement) -> str:
    return ", ".join(f"{severity.value} {row.service_hours[severity.value]} h" for severity in SERVICE_HOURS)
