"""Middleware that calls the controller API's view directly, skipping the remaining middlewares and URL resolution.

Batches are authenticated by signature only. Sessions, CSRF and second factors would cost more than recording a round.
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

# All responses are JSON, so nothing needs to load.
RESPONSE_CSP = "default-src 'none'; frame-ancestors 'none'"


class ControllerApiMiddleware:
    """Must come after the middlewares that every response needs, and before the first that deals with users."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        # Imported here: middlewares are created before the URL configuration is loaded.
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
                # A server error: the outer error handling answers and logs it, with the same request id.
                raise
            response = refusal_response(request, refusal)
            # A read-only log is shown on every page, and its controllers retry every minute: do not log it as an error.
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
    """ERROR for server faults, WARNING for refusals, as for other requests."""
    if response.status_code >= 500 and is_fault:
        return logging.ERROR
    return logging.WARNING if response.status_code >= 400 else logging.INFO
