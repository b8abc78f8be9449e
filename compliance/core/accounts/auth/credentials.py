"""Checks of password and second-factor code.
Failures are counted by django-axes, for sign-in and reauthentication alike."""

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


def _copy_without_form_data(request: HttpRequest) -> HttpRequest:
    """A copy of the request for axes without GET and POST data:
    axes stores posted data, and forms carry more than passwords."""
    stripped = copy.copy(request)
    stripped.GET = stripped._post = QueryDict()  # type: ignore[attr-defined]
    return stripped


def _count_failure(request: HttpRequest, axes_request: HttpRequest, email: str, kind: EventKind, now: datetime) -> None:
    """Counts and records a failure.
    Nothing more is recorded while sign-in is locked, or an attacker could fill the record."""
    failures = getattr(axes_request, "axes_failures_since_start", None) or 0
    request.axes_locked_out = getattr(axes_request, "axes_locked_out", False)  # type: ignore[attr-defined]
    if failures <= settings.AXES_FAILURE_LIMIT:
        has_locked = failures == settings.AXES_FAILURE_LIMIT
        address = client_address(request)
        record_failed_sign_in(kind=kind, email=email, address=address, has_locked=has_locked, now=now)


def check_password(
    request: HttpRequest, *, email: str, password: str, now: datetime, kind: EventKind = EventKind.SIGN_IN_FAILED
) -> User | None:
    """The person, or None: unknown, wrong, disabled and locked look the same to the caller. When sign-in is locked,
    AxesMiddleware replaces the view's response by lockout.locked_out."""
    email = email.lower()
    axes_request = _copy_without_form_data(request)
    # Under the name of USERNAME_FIELD: axes would not match a "username".
    person = authenticate(axes_request, email=email, password=password)
    if isinstance(person, User) and (settings.DEMO or not person.is_demo):
        return person
    _count_failure(request, axes_request, email, kind, now)
    return None


def is_locked_out(request: HttpRequest, user: User) -> bool:
    """Whether sign-in is locked. If so, AxesMiddleware replaces the view's response, as in check_password."""
    if AxesProxyHandler.is_allowed(_copy_without_form_data(request), {"email": user.email}):
        return False
    request.axes_locked_out = True  # type: ignore[attr-defined]
    return True


def count_refused_attempt(request: HttpRequest, *, user: User, kind: EventKind, now: datetime) -> None:
    """Counts a refusal of a person who is already identified like a wrong password."""
    axes_request = _copy_without_form_data(request)
    user_login_failed.send(__name__, credentials={"email": user.email}, request=axes_request)
    _count_failure(request, axes_request, user.email, kind, now)


def check_code(
    request: HttpRequest, *, user: User, code: str, now: datetime, kind: EventKind = EventKind.CODE_REFUSED
) -> Device:
    """The device that accepted the code. Raises WrongCode or TooManyCodeAttempts."""
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
    """Clears the failures after a reauthentication; for a sign-in, axes does it itself."""
    reset_axes(username=user.email, ip=client_address(request))
