"""The controllers' door: their batches go straight to the view, past all that is there for people with browsers.

Whoever knocks is asked for a signature and nothing else. Sessions, forms, second factors and the search for an address
among hundreds would cost more than a round does.
"""

import logging
from collections.abc import Callable
from uuid import uuid4

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from compliance.core.web.errors import refusal_for_exception, refusal_response
from compliance.core.web.http.client_address import client_address
from compliance.core.web.http.load_shedding import CONTROLLER_PATH
from rounds.ledger import LogReadOnly

logger = structlog.get_logger(__name__)

# Answers are JSON, refusals included.
RESPONSE_CSP = "default-src 'none'; frame-ancestors 'none'"


class ControllerApiMiddleware:
    """Stands after those middlewares that every answer needs, and before the first that knows people."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        # Here, because a middleware is made while Django is still loading addresses.
        from rounds.intake.api.views import entries

        self.get_response, self.entries = get_response, entries

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path != CONTROLLER_PATH:
            return self.get_response(request)
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=str(uuid4()), ip=_client_ip(request))
        is_fault = True
        try:
            response: HttpResponse = self.entries(request)
        except Exception as error:
            refusal = refusal_for_exception(error)
            if refusal is None:
                # Answered and logged by whoever answers for all faults of ours, under the same request id.
                raise
            response = refusal_response(request, refusal)
            # A log that is read-only tells so on every page. Its controllers ask each minute: that is no fault of ours.
            is_fault = not isinstance(refusal, LogReadOnly)
            response._has_been_logged = not is_fault  # type: ignore[attr-defined]
        logger.log(
            _log_level(response, is_fault),
            "request_finished",
            code=response.status_code,
            request=f"{request.method} {request.get_full_path()}",
            user_agent=request.META.get("HTTP_USER_AGENT"),
        )
        structlog.contextvars.clear_contextvars()
        response["Content-Security-Policy"] = RESPONSE_CSP
        return response


def _client_ip(request: HttpRequest) -> str | None:
    return client_address(request) if settings.TRUSTED_PROXIES else request.META.get("REMOTE_ADDR")


def _log_level(response: HttpResponse, is_fault: bool) -> int:
    """As loud as any other request: a fault of ours is an error, a refusal a warning."""
    if response.status_code >= 500 and is_fault:
        return logging.ERROR
    return logging.WARNING if response.status_code >= 400 else logging.INFO
