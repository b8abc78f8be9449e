"""Staying signed in: the answer to the time-out warning."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from compliance.core.web.access import signed_in
from compliance.core.web.context_processors import PageContext


@signed_in
@never_cache
@require_POST
def extend_session(request: HttpRequest) -> HttpResponse:
    """Any request keeps a session alive; this one does nothing else, and says for how long."""
    if request.accepts("text/html"):
        return redirect("/")
    return JsonResponse({"seconds": PageContext(request).session_seconds_left})
