"""The fragment that says how far a prediction in the background is. htmx loads it into the page of the form."""

from typing import cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.audit.models import BackgroundPrediction
from compliance.core.accounts.request_types import PersonRequest
from compliance.core.web.access import signed_in
from compliance.core.web.ui.precheck import Progress


@signed_in
@never_cache
@require_safe
def prediction_state(request: HttpRequest, prediction: int) -> HttpResponse:
    person = cast(PersonRequest, request).user
    job = get_object_or_404(BackgroundPrediction, pk=prediction, requested_by=person)
    progress = Progress(job.done, job.total, job.progress_href if job.is_unfinished else "")
    return render(request, "components/prediction-progress.html", {"progress": progress})
