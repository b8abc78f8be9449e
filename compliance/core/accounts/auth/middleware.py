"""Middleware: enforces the access rule of every view, and signs out people after the idle time. The idle time is kept
on the server; polling by the page (X-Background: 1) does not count as activity."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.http import HttpResponseClientRedirect

from compliance.core.accounts.ledger.account_events import record_sign_out
from compliance.core.accounts.models import User
from compliance.core.accounts.sso.policy import missing_required_provider
from compliance.core.web.access import AccessRule, access_rule_of
from compliance.core.web.errors import Forbidden, NotFound, Refusal, refusal_response
from compliance.core.web.http.client_address import client_address
from compliance.core.web.http.unsent_forms import save_unsent_form
from rounds.ledger import LogReadOnly

GetResponse = Callable[[HttpRequest], HttpResponse]
LAST_ACTIVITY_KEY, SIGNED_IN_AT_KEY = "last_seen", "signed_in"
# The last activity is stored again only after this fraction of the idle time, to save writes. A person may therefore
# be signed out that much early, never late, and every page shows when.
ACTIVITY_UPDATE_FRACTION = 1 / 30


class NotSignedIn(Refusal):
    code = "not-signed-in"
    status = 401
    title = "You are not signed in"
    detail = "This address answers only people who are signed in."
    remedy = "Sign in, then send the request again."


class ViewWithoutAccessRule(Forbidden):
    code = "closed"
    detail = "This page has no access rule, so it is closed to everybody."
    remedy = "Tell those who run the service: it is a fault of theirs, not of yours."


class SessionTimeoutMiddleware:
    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.session_ends_at = None  # type: ignore[attr-defined]
        user = request.user
        if isinstance(user, User):
            if user.is_demo and not settings.DEMO:
                logout(request)
            else:
                self._check_timeout(request, user, timezone.now())
        return self.get_response(request)

    def _check_timeout(self, request: HttpRequest, user: User, now: datetime) -> None:
        session = request.session
        began = session.setdefault(SIGNED_IN_AT_KEY, now.timestamp())
        last_activity = session.setdefault(LAST_ACTIVITY_KEY, now.timestamp())
        if now >= _session_end(began, last_activity):
            self._sign_out(request, user, now, was_idle=now < _session_end(began, now.timestamp()))
            return
        is_background = request.headers.get("X-Background") == "1"
        if (
            not is_background
            and now.timestamp() - last_activity >= ACTIVITY_UPDATE_FRACTION * settings.SESSION_IDLE_SECONDS
        ):
            session[LAST_ACTIVITY_KEY] = last_activity = now.timestamp()
        request.session_ends_at = _session_end(began, last_activity)  # type: ignore[attr-defined]

    def _sign_out(self, request: HttpRequest, user: User, now: datetime, *, was_idle: bool) -> None:
        minutes, hours = settings.SESSION_IDLE_SECONDS // 60, settings.SESSION_COOKIE_AGE // 3600
        why = f"after {minutes} minutes without activity" if was_idle else f"after {hours} hours"
        logout(request)
        request.signed_out = user  # type: ignore[attr-defined]
        record_sign_out(actor=user, address=client_address(request), now=now, detail=why)
        messages.info(request, f"You were signed out {why}. Sign in to go on where you were.")


def _session_end(began: float, last_activity: float) -> datetime:
    """The earlier of idle time-out and maximum session age."""
    ends = min(last_activity + settings.SESSION_IDLE_SECONDS, began + settings.SESSION_COOKIE_AGE)
    return datetime.fromtimestamp(ends, UTC)


class AccessMiddleware:
    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        rule = access_rule_of(view)
        if rule is None:
            return refusal_response(request, ViewWithoutAccessRule())
        user = request.user
        # No menu for a person who must still sign in by their organisation's provider.
        request.is_held_back = isinstance(user, User) and missing_required_provider(request, user) is not None  # type: ignore[attr-defined]
        if rule.kind == "public":
            return None
        if rule.kind == "demo":
            return None if settings.DEMO else refusal_response(request, NotFound())
        if not isinstance(request.user, User):
            _save_unsent_form(rule, request)
            return redirect_to_sign_in_step("accounts:sign-in", request)
        if rule.kind == "passing":
            return None
        return require_complete_sign_in(request, request.user) or _check_roles(rule, request, request.user, kwargs)

    def process_exception(self, request: HttpRequest, exception: Exception) -> None:
        """Saves the form when the log is read-only.
        Pages that show the refusal next to the form keep the input themselves."""
        rule = access_rule_of(request.resolver_match.func) if request.resolver_match else None
        # Only pages of a role: pages of the own account take passwords and codes, which are never saved.
        is_kept = rule is not None and rule.kind == "roles" and request.method == "POST"
        if is_kept and isinstance(exception, LogReadOnly) and isinstance(request.user, User):
            save_unsent_form(request, request.user, until="you open the page again")


def _save_unsent_form(rule: AccessRule, request: HttpRequest) -> None:
    """Saves a form submitted after the time-out. Without scripts there is no warning before it."""
    former_user: User | None = getattr(request, "signed_out", None)
    if former_user is not None and request.method == "POST" and rule.kind == "roles":
        save_unsent_form(request, former_user)


def require_complete_sign_in(request: HttpRequest, user: User) -> HttpResponse | None:
    """Redirects to the missing step after the password:
    the second factor, or the required provider of the organisation."""
    unfinished = require_second_factor(request, user)
    if unfinished is None and missing_required_provider(request, user):
        return redirect_to_sign_in_step("accounts:provider-owed", request)
    return unfinished


def require_second_factor(request: HttpRequest, user: User) -> HttpResponse | None:
    """Also asks for a second factor that was set up voluntarily."""
    if user.is_verified():
        return None
    if user.has_second_factor:
        return redirect_to_sign_in_step("accounts:code", request)
    return redirect_to_sign_in_step("accounts:enrol", request) if user.needs_second_factor else None


def _check_roles(rule: AccessRule, request: HttpRequest, user: User, kwargs: dict[str, Any]) -> HttpResponse | None:
    if rule.kind != "roles":
        return None
    fitting = [held.casino for held in user.roles_now() if held.role in rule.roles]
    if "casino" not in kwargs:
        return None if fitting else refusal_response(request, Forbidden())
    casino = next((casino for casino in fitting if casino.slug == kwargs["casino"]), None)
    if casino is None:
        return refusal_response(request, NotFound())
    request.casino = casino  # type: ignore[attr-defined]
    return None


def redirect_to_sign_in_step(name: str, request: HttpRequest) -> HttpResponse:
    """Redirects to a sign-in step with the way back as `next`."""
    if request.path.startswith("/api/"):
        return refusal_response(request, NotSignedIn())
    came_from = return_path(request)
    query = "" if came_from == "/" else "?" + urlencode({"next": came_from})
    url = reverse(name) + query
    if request.htmx:  # type: ignore[attr-defined]
        return HttpResponseClientRedirect(url)
    return redirect(url)


def return_path(request: HttpRequest) -> str:
    """The page to return to. A POST cannot be repeated, so the page with its form is opened again."""
    if request.htmx:  # type: ignore[attr-defined]
        return request.htmx.current_url_abs_path or "/"  # type: ignore[attr-defined]
    if request.method in ("GET", "HEAD"):
        return request.get_full_path()
    sent_from = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(sent_from, {request.get_host()}, request.is_secure()):
        return "/"
    parts = urlsplit(sent_from)
    return parts.path + (f"?{parts.query}" if parts.query else "")
