"""Shared by the accounts views: starting a session, completing sign-in, and the page to go to next."""

from datetime import datetime
from urllib.parse import urlencode

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from compliance.core.accounts.auth.middleware import LAST_ACTIVITY_KEY, SIGNED_IN_AT_KEY
from compliance.core.accounts.models import User
from compliance.core.accounts.services import record_sign_in
from compliance.core.accounts.sso.policy import missing_required_provider
from compliance.core.accounts.sso.providers import find_provider
from compliance.core.accounts.sso.session_state import SIGNED_IN_BY_KEY
from compliance.core.web.http.client_address import client_address

BACKEND = "django.contrib.auth.backends.ModelBackend"


def safe_next_url(request: HttpRequest) -> str:
    """The `next` parameter if it is a page of this site; else the home page."""
    target = request.GET.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(target, {request.get_host()}, request.is_secure())
    return target if is_ours else reverse("desk:home")


def url_with_next(name: str, request: HttpRequest, then: str = "") -> str:
    target = then or safe_next_url(request)
    return reverse(name) + ("" if target == reverse("desk:home") else "?" + urlencode({"next": target}))


def request_base_url(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"


def start_session(request: HttpRequest, person: User, now: datetime) -> HttpResponse:
    """After a correct password: on to the second factor, or to the page."""
    log_in(request, person, now)
    return redirect_to_next_step(request, person, now, then=safe_next_url(request))


def log_in(request: HttpRequest, person: User, now: datetime, *, signed_in_by: str = "") -> None:
    """Logs in and changes the session key even for the same person, because the session now gives more access."""
    login(request, person, backend=BACKEND)
    request.session.cycle_key()
    request.session[SIGNED_IN_AT_KEY] = request.session[LAST_ACTIVITY_KEY] = now.timestamp()
    if signed_in_by:
        request.session[SIGNED_IN_BY_KEY] = signed_in_by


def redirect_to_next_step(request: HttpRequest, person: User, now: datetime, *, then: str) -> HttpResponse:
    if person.has_second_factor:
        return redirect(url_with_next("accounts:code", request, then))
    if person.needs_second_factor:
        return redirect(url_with_next("accounts:enrol", request, then))
    return finish_sign_in(request, person, now, then=then)


def finish_sign_in(request: HttpRequest, person: User, now: datetime, *, then: str) -> HttpResponse:
    record_complete_sign_in(request, person, now)
    return redirect(then)


def record_complete_sign_in(request: HttpRequest, person: User, now: datetime, *, detail: str = "") -> None:
    """Records the sign-in once it is complete, that is, no required provider is missing."""
    if missing_required_provider(request, person) is None:
        provider = find_provider(request.session.get(SIGNED_IN_BY_KEY, ""))
        words = " ".join(filter(None, [f"by {provider}" if provider else "", detail]))
        record_sign_in(actor=person, address=client_address(request), now=now, detail=words)
