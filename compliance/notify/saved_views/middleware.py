"""Whoever opens a list without asking for anything is taken to the view of it that they usually want."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect


class DefaultViewMiddleware:
    """The page itself says so while it is made: only a list that was opened, and has such a view, costs anything."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        usual = getattr(request, "usual_view", "")
        return redirect(usual) if usual and request.method == "GET" and response.status_code == 200 else response
