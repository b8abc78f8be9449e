"""Endpoint behind the button of the time-out warning."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from compliance.core.web.access import signed_in
from compliance.core.web.context_processors import PageContext


@signed_in
@require_POST
def extend_session(request: HttpRequest) -> HttpResponse:
    """Extends the session, as any request does, and returns the seconds that are left."""
    if request.accepts("text/html"):
        return redirect("/")
    return JsonResponse({"seconds": PageContext(request).session_seconds_left})
