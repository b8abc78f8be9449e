"""Base class of the JSON endpoints under /api/."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpResponse
from rest_framework.exceptions import APIException, MethodNotAllowed
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.permissions import AllowAny
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from compliance.core.web.errors import BadRequest, Refusal, WrongMethod


class AnyContentNegotiation(BaseContentNegotiation):
    """Always responds with the first renderer and ignores the Accept header, so that no request fails because of it."""

    def select_parser(self, request: Request, parsers: Iterable[Any]) -> None:
        return None

    def select_renderer(self, request: Request, renderers: Iterable[Any], format_suffix: str | None = None) -> Any:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type


class SessionlessView(APIView):
    """An endpoint without session or cookie. It authenticates requests itself, where it needs that."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    renderer_classes = (JSONRenderer,)
    content_negotiation_class = AnyContentNegotiation
    wrong_method: type[Refusal] = WrongMethod

    def handle_exception(self, exc: Exception) -> HttpResponse:  # type: ignore[override]
        """Converts DRF exceptions into refusals and raises them; the middleware renders all errors alike."""
        if isinstance(exc, MethodNotAllowed):
            raise self.wrong_method(headers={"Allow": ", ".join(self.allowed_methods)})
        if isinstance(exc, APIException):
            raise BadRequest(str(exc.detail)) from exc
        raise exc
