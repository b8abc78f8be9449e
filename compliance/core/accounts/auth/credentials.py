"""Proving who somebody is: password and code, throttled by django-axes whether it is a sign-in or a sign-off."""

import copy
from datetime import datetime

from axes.handlers.proxy import AxesProxyHandler
from axes.utils import reset as reset_axes
from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.signals import user_login_failed
from django.http import HttpRequest, QueryDict
from django_otp.models import Device

from compliance.core.accounts.auth.second_factor import verify_code
from compliance.core.accounts.errors import TooManyCodeAttempts, WrongCode
from compliance.core.accounts.ledger.account_events import record_event, record_failed_sign_in
from compliance.core.accounts.models import EventKind, RecoverySheet, User
from compliance.core.web.http.client_address import client_address


def _without_form_data(request: HttpRequest) -> HttpRequest:
    """Axes stores what was posted with a wrong password. It is shown none of it: forms carry more than passwords."""
    twin = copy.copy(request)
    twin.GET = twin._post = QueryDict()  # type: ignore[attr-defined]
    return twin


def _count_failure(request: HttpRequest, axes_request: HttpRequest, email: str, kind: EventKind, now: datetime) -> None:
    """While sign-in stays locked nothing more is written down: an attacker must not fill the record."""
    failures = getattr(axes_request, "axes_failures_since_start", None) or 0
    request.axes_locked_out = getattr(axes_request, "axes_locked_out", False)  # type: ignore[attr-defined]
    if failures <= settings.AXES_FAILURE_LIMIT:
        has_locked = failures == settings.AXES_FAILURE_LIMIT
        address = client_address(request)
        record_failed_sign_in(kind=kind, email=email, address=address, has_locked=has_locked, now=now)


def check_password(
    request: HttpRequest, *, email: str, password: str, now: datetime, kind: EventKind = EventKind.SIGN_IN_FAILED
) -> User | None:
    """The person, or nobody: unknown, wrong, disabled and locked look the same to the caller.

    When it locks, AxesMiddleware replaces whatever the view answers by lockout.locked_out.
    """
    email = email.lower()
    twin = _without_form_data(request)
    # By the name of the USERNAME_FIELD: axes would count a "username" for nobody.
    person = authenticate(twin, email=email, password=password)
    if isinstance(person, User) and (settings.DEMO or not person.is_demo):
        return person
    _count_failure(request, twin, email, kind, now)
    return None


def is_locked_out(request: HttpRequest, user: User) -> bool:
    """If so, AxesMiddleware replaces whatever the view answers, as above."""
    if AxesProxyHandler.is_allowed(_without_form_data(request), {"email": user.email}):
        return False
    request.axes_locked_out = True  # type: ignore[attr-defined]
    return True


def count_refused_attempt(request: HttpRequest, *, user: User, kind: EventKind, now: datetime) -> None:
    """Of somebody who was known before they were refused: it counts like a wrong password."""
    twin = _without_form_data(request)
    user_login_failed.send(__name__, credentials={"email": user.email}, request=twin)
    _count_failure(request, twin, user.email, kind, now)


def check_code(
    request: HttpRequest, *, user: User, code: str, now: datetime, kind: EventKind = EventKind.CODE_REFUSED
) -> Device:
    """The device that took the code. Raises WrongCode or TooManyCodes."""
    if is_locked_out(request, user):
        raise TooManyCodeAttempts
    try:
        device = verify_code(user=user, code=code, now=now)
    except WrongCode:
        count_refused_attempt(request, user=user, kind=kind, now=now)
        raise
    if isinstance(device, RecoverySheet):
        address = client_address(request)
        record_event(EventKind.RECOVERY_CODE_USED, at=now, actor=user, subject=user, address=address)
    return device


def reset_failures(request: HttpRequest, user: User) -> None:
    """After a sign-off; a sign-in does it by itself."""
    reset_axes(username=user.email, ip=client_address(request))
