"""Signing in: e-mail and password, then the second-factor code. Signing out."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST
from django_otp import login as otp_login
from django_otp.models import Device

from compliance.core.accounts.auth.credentials import check_code
from compliance.core.accounts.auth.second_factor import FEW_RECOVERY_CODES, count_recovery_codes_left
from compliance.core.accounts.demo import PASSWORD, demo_hint, demo_sign_ins
from compliance.core.accounts.errors import AccountRefusal
from compliance.core.accounts.forms import CodeForm, SignInForm
from compliance.core.accounts.models import RecoverySheet, User
from compliance.core.accounts.request_types import PersonRequest
from compliance.core.accounts.services import record_sign_out
from compliance.core.accounts.sso.providers import all_providers, find_provider
from compliance.core.accounts.sso.session_state import SIGNED_IN_BY_KEY
from compliance.core.accounts.views.login_session import (
    record_complete_sign_in,
    safe_next_url,
    start_session,
    url_with_next,
)
from compliance.core.web.access import password_verified, public
from compliance.core.web.http.client_address import client_address
from compliance.core.web.ui.confirm_page import bound_data


@public
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    if isinstance(request.user, User):
        return redirect(safe_next_url(request))
    now = timezone.now()
    form = SignInForm(bound_data(request), request=request, initial=_demo_initial_values(request))
    if request.method == "POST" and form.is_valid() and form.person:
        return start_session(request, form.person, now)
    context = {
        "form": form,
        "sign_ins": demo_sign_ins(now),
        "next": request.GET.get("next", ""),
        "providers": all_providers(),
    }
    return render(request, "accounts/sign-in.html", context)


def _demo_initial_values(request: HttpRequest) -> dict[str, str]:
    """A link in the demo prefills the form; sign-in itself works as in production."""
    chosen = request.GET.get("as", "")
    known = settings.DEMO and any(sign_in.email == chosen for sign_in in demo_sign_ins())
    return {"email": chosen, "password": PASSWORD} if known else {}


@password_verified
@require_http_methods(["GET", "HEAD", "POST"])
def enter_code(request: PersonRequest) -> HttpResponse:
    if request.user.is_verified():
        return redirect(safe_next_url(request))
    if not request.user.has_second_factor:
        return redirect(url_with_next("accounts:enrol", request))
    now = timezone.now()
    form = CodeForm(bound_data(request))
    if request.method == "POST" and form.is_valid():
        try:
            device = check_code(request, user=request.user, code=form.cleaned_data["code"], now=now)
        except AccountRefusal as refusal:
            form.add_error("code", refusal.detail)
        else:
            return _complete_with_device(request, device)
    return render(request, "accounts/code.html", {"form": form, "demo_hint": demo_hint(request.user, now)})


def _complete_with_device(request: PersonRequest, device: Device) -> HttpResponse:
    """Changes the session key again, because the session now gives more access."""
    otp_login(request, device)
    request.session.cycle_key()
    by_sheet = isinstance(device, RecoverySheet)
    record_complete_sign_in(request, request.user, timezone.now(), detail="with a recovery code" if by_sheet else "")
    left = count_recovery_codes_left(request.user) if by_sheet else FEW_RECOVERY_CODES + 1
    if left <= FEW_RECOVERY_CODES:
        messages.warning(
            request,
            f"You have {left} recovery code{'' if left == 1 else 's'} left. Make new ones on your account page.",
        )
    return redirect(safe_next_url(request))


@password_verified
@require_POST
def sign_out(request: PersonRequest) -> HttpResponse:
    person, now, came_by = request.user, timezone.now(), request.session.get(SIGNED_IN_BY_KEY)
    logout(request)
    record_sign_out(actor=person, address=client_address(request), now=now)
    if came_by and find_provider(came_by):
        return redirect("accounts:signed-out", came_by)
    messages.success(request, "You are signed out.")
    return redirect("accounts:sign-in")
