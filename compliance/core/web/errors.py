"""One error type, one page for people, one envelope for machines (RFC 9457)."""

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
# Rendered without the request, so that neither the database nor the person is asked for.
RENDERED_WITHOUT_USER = frozenset({500, 503})

LAST_RESORT_HTML = """<!doctype html>
<html lang="en-AU"><head><meta charset="utf-8"><title>{title} – Fairthrow</title></head>
<body><main><h1>{title}</h1><p>{detail}</p><p>{remedy}</p><p>Reference: {request_id}</p></main></body></html>
"""


class Refusal(Exception):
    """What the service could not do, why, and what to do about it. Apps make subclasses; each has its own code."""

    code = "refused"
    status = 400
    title = "We could not do that"
    detail = ""
    remedy = ""
    # The help page lists kinds of refusal: a template must not make one out of each kind it is given.
    do_not_call_in_templates = True
    # Further members of the problem document, for those whose reader is a machine.
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
        """As a form says it, or a message on a page: why, and what to do about it."""
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
    """The code list: every kind of refusal that the loaded apps know, by status and code."""
    found: list[type[Refusal]] = []
    kinds = Refusal.__subclasses__()
    while kinds:
        kind = kinds.pop()
        found.append(kind)
        kinds += kind.__subclasses__()
    return sorted(found, key=lambda kind: (kind.status, kind.code))


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
    asked = None if refusal.status in RENDERED_WITHOUT_USER else request
    try:
        return HttpResponse(render_to_string("web/error.html", context, asked), status=refusal.status)
    except Exception:
        # Even the page failed (the database went away meanwhile, static files were not collected): say it plainly.
        logger.exception("error_page_failed", code=refusal.code)
        words = {"title": refusal.title, "detail": refusal.detail, "remedy": refusal.remedy}
        return HttpResponse(format_html(LAST_RESORT_HTML, request_id=request_id(), **words), status=refusal.status)


def is_database_down(error: BaseException | None) -> bool:
    """Whether the database could not be reached, as opposed to having refused one statement."""
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    state = getattr(error.__cause__, "sqlstate", None)
    # Without a state the server never answered. 08: connection; 53: no disk, memory or slot is left; 57P: shutting
    # down, starting; 58: its files cannot be read or written.
    return state is None or state.startswith(("08", "53", "57P", "58"))


def is_transaction_rollback(error: BaseException | None) -> bool:
    """Whether the database gave up a transaction for the sake of another one: 40 is a deadlock or the like."""
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
    """Answers a Refusal, or a database that is away, raised by a view."""

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
    """Django calls this while it handles the exception; one raised inside a middleware gets here as well."""
    return refusal_response(request, refusal_for_exception(sys.exception()) or ServerError())


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    logger.warning("csrf_failure", reason=reason)
    return refusal_response(request, StalePage())
