"""Redirects a list without query to the person's default view of it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect


class DefaultViewMiddleware:
    """filter_panel sets `usual_view` on the request while the page renders, so other pages cost nothing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        usual = getattr(request, "usual_view", "")
        return redirect(usual) if usual and request.method == "GET" and response.status_code == 200 else response
