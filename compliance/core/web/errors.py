"""Refusal, the one error type; its HTML page for people and its problem document (RFC 9457) for the API."""

import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import structlog
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.html import format_html

logger = structlog.get_logger(__name__)

RETRY_AFTER_SECONDS = 30
# Rendered without the request, because the context processors would query the database and the user.
RENDERED_WITHOUT_USER = frozenset({500, 503})

LAST_RESORT_HTML = """<!doctype html>
<html lang="en-AU"><head><meta charset="utf-8"><title>{title} – Fairthrow</title></head>
<body><main><h1>{title}</h1><p>{detail}</p><p>{remedy}</p><p>Reference: {request_id}</p></main></body></html>
"""


class Refusal(Exception):
    """Base of all errors shown to a caller: what could not be done, why, and what to do.
    Each subclass has its own code."""

    code = "refused"
    status = 400
    title = "We could not do that"
    detail = ""
    remedy = ""
    # The help page lists Refusal classes. Without this, a template would call (instantiate) each class it is given.
    do_not_call_in_templates = True
    # Additional members of the problem document, for API clients.
    members: Mapping[str, Any] = MappingProxyType({})

    def __init__(
        self,
        detail: str = "",
        *,
        remedy: str = "",
        title: str = "",
        code: str = "",
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.detail = detail or self.detail
        self.remedy = remedy or self.remedy
        self.title = title or self.title
        self.code = code or self.code
        self.status = status or self.status
        self.headers = dict(headers or {})
        super().__init__(f"{self.code}: {self.detail or self.title}")

    @property
    def full_message(self) -> str:
        """Detail and remedy in one text, for form errors and page messages."""
        return f"{self.detail} {self.remedy}".strip()


class BadRequest(Refusal):
    code = "bad-request"
    title = "We could not read that request"
    detail = "The address or the form that reached us was incomplete or not in the form we expect."
    remedy = "Go back, reload the page and try again."


class Forbidden(Refusal):
    code = "forbidden"
    status = 403
    title = "You do not have access to this page"
    detail = "None of the roles you hold opens this page."
    remedy = "If your work needs it, ask an administrator of your casino for the role."


class StalePage(Refusal):
    code = "stale-page"
    status = 403
    title = "This page was open for too long"
    detail = "Nothing was saved. The page you sent belonged to an earlier session, or cookies are switched off."
    remedy = "Go back, reload the page and send it again. If it happens again, allow cookies for this site."


class NotFound(Refusal):
    code = "not-found"
    status = 404
    title = "Page not found"
    detail = "There is nothing at this address, or it is not yours to see."
    remedy = "If you typed the address, check it. If you followed a link, go to the home page and look from there."


class WrongMethod(Refusal):
    code = "wrong-method"
    status = 405
    title = "This address takes no such request"
    detail = "The address exists, but not for this method."
    remedy = "Use one of the methods in the header Allow."


class Conflict(Refusal):
    code = "conflict"
    status = 409
    title = "Somebody else changed this first"
    detail = "Nothing of yours was saved, because the record is no longer as it was when you opened it."
    remedy = "Reload the page, check what changed, and decide again."


class Unprocessable(Refusal):
    code = "unprocessable"
    status = 422
    title = "We could not use what was sent"
    remedy = "Correct the parts named here and send it again."


class TooMany(Refusal):
    code = "too-many"
    status = 429
    title = "Too many attempts"
    detail = "There were more attempts than we allow in a short time."
    remedy = "Wait a few minutes, then try again."


class ServerError(Refusal):
    code = "server-error"
    status = 500
    title = "Something went wrong on our side"
    detail = "The service met a fault it did not expect. It has been logged; anything you were saving may not be saved."
    remedy = "Try again in a few minutes. If it happens again, give the reference below to your administrator."


class Unavailable(Refusal):
    code = "unavailable"
    status = 503
    title = "The service is not available right now"
    detail = "The service cannot reach its database. Nothing you sent just now was saved."
    remedy = "Wait a minute, then try again."

    def __init__(self, detail: str = "", **particulars: Any) -> None:
        super().__init__(detail, **particulars)
        self.headers.setdefault("Retry-After", str(RETRY_AFTER_SECONDS))


class TransactionConflict(Refusal):
    code = "collided"
    status = 503
    title = "It met with something else that was being saved"
    detail = "Each was waiting for the other, so the database undid this one. Nothing you sent just now was saved."
    remedy = "Try again. A table controller keeps its lines and sends them again by itself."

    def __init__(self, detail: str = "", **particulars: Any) -> None:
        super().__init__(detail, **particulars)
        self.headers.setdefault("Retry-After", "1")


def all_refusal_classes() -> list[type[Refusal]]:
    """The error code list: every Refusal subclass of the loaded apps, sorted by status and code."""
    classes: list[type[Refusal]] = []
    kinds = Refusal.__subclasses__()
    while kinds:
        kind = kinds.pop()
        classes.append(kind)
        kinds += kind.__subclasses__()
    return sorted(classes, key=lambda kind: (kind.status, kind.code))


def request_id() -> str:
    return str(structlog.contextvars.get_contextvars().get("request_id", ""))


def refusal_response(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """The response for a refusal. A middleware returns this; a view or service raises the refusal instead."""
    response = (
        _problem_json_response(refusal) if request.path.startswith("/api/") else _error_page_response(request, refusal)
    )
    for name, value in refusal.headers.items():
        response[name] = value
    response["Cache-Control"] = "no-store"
    return response


def _problem_json_response(refusal: Refusal) -> HttpResponse:
    body = {
        "type": f"/help/errors/#{refusal.code}",
        "title": refusal.title,
        "status": refusal.status,
        "detail": refusal.detail,
        "code": refusal.code,
        "remedy": refusal.remedy,
        "request_id": request_id(),
        **refusal.members,
    }
    return JsonResponse(body, status=refusal.status, content_type="application/problem+json")


def _error_page_response(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    context = {"refusal": refusal, "request_id": request_id()}
    render_request = None if refusal.status in RENDERED_WITHOUT_USER else request
    try:
        return HttpResponse(render_to_string("web/error.html", context, render_request), status=refusal.status)
    except Exception:
        # The error page itself failed (database lost meanwhile, static files not collected): fall back to static HTML.
        logger.exception("error_page_failed", code=refusal.code)
        words = {"title": refusal.title, "detail": refusal.detail, "remedy": refusal.remedy}
        return HttpResponse(format_html(LAST_RESORT_HTML, request_id=request_id(), **words), status=refusal.status)


def is_database_down(error: BaseException | None) -> bool:
    """Whether the database is unreachable, as opposed to having rejected one statement."""
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    state = getattr(error.__cause__, "sqlstate", None)
    # Without an SQLSTATE the server never answered. Classes: 08 connection, 53 out of disk, memory or connections, 57P
    # shutting down or starting, 58 system or I/O error.
    return state is None or state.startswith(("08", "53", "57P", "58"))


def is_transaction_rollback(error: BaseException | None) -> bool:
    """Whether the database rolled back this transaction because of another one.
    SQLSTATE class 40: deadlock, serialization."""
    state = getattr(getattr(error, "__cause__", None), "sqlstate", None) or ""
    return isinstance(error, OperationalError) and state.startswith("40")


def refusal_for_exception(error: BaseException | None) -> Refusal | None:
    if isinstance(error, Refusal):
        return error
    if is_transaction_rollback(error):
        logger.error("transaction_undone", error=str(error))
        return TransactionConflict()
    if is_database_down(error):
        logger.error("database_unreachable", error=str(error))
        return Unavailable()
    return None


class RefusalMiddleware:
    """Turns a Refusal raised by a view, or a lost database connection, into its response."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        refusal = refusal_for_exception(exception)
        return refusal_response(request, refusal) if refusal else None


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return refusal_response(request, BadRequest())


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return refusal_response(request, Forbidden())


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return refusal_response(request, NotFound())


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500.
    It also gets exceptions raised inside a middleware, hence the lookup of the current exception."""
    return refusal_response(request, refusal_for_exception(sys.exception()) or ServerError())


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    logger.warning("csrf_failure", reason=reason)
    return refusal_response(request, StalePage())
