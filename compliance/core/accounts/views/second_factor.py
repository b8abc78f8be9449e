"""Setting up the second factor, moving it to another phone, and recovery codes, which are shown once."""

from django.contrib.auth import logout
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe
from django_otp import login as otp_login

from compliance.core.accounts.auth.reauthenticate import ReauthenticateForm
from compliance.core.accounts.auth.second_factor import enrolment_qr_svg, format_secret, new_totp_key
from compliance.core.accounts.errors import AccountRefusal
from compliance.core.accounts.forms import EnrolSecondFactorForm
from compliance.core.accounts.request_types import PersonRequest
from compliance.core.accounts.services import enrol_second_factor, make_recovery_codes, remove_second_factor
from compliance.core.accounts.views.confirm import confirm_account_page
from compliance.core.accounts.views.login_session import record_complete_sign_in, safe_next_url, url_with_next
from compliance.core.web.access import password_verified, signed_in
from compliance.core.web.ui.confirm_page import ConfirmPage, bound_data

ENROLMENT_KEY = "enrolment_key"


@password_verified
@require_http_methods(["GET", "HEAD", "POST"])
def enrol(request: PersonRequest) -> HttpResponse:
    """Only for a person without a second factor: a password alone must not be enough to replace one."""
    if request.user.has_second_factor:
        return redirect(url_with_next("accounts:code", request))
    key = request.session.setdefault(ENROLMENT_KEY, new_totp_key())
    form = EnrolSecondFactorForm(bound_data(request))
    if request.method == "POST" and form.is_valid():
        try:
            return _finish_enrolment(request, key, form.cleaned_data["code"])
        except AccountRefusal as refusal:
            form.add_error("code", refusal.detail)
    return render(request, "accounts/enrol.html", {"form": form, "secret": format_secret(key)})


def _finish_enrolment(request: PersonRequest, key: str, code: str) -> HttpResponse:
    now, was_waiting = timezone.now(), request.user.needs_second_factor
    enrolled = enrol_second_factor(actor=request.user, key=key, code=code, now=now)
    del request.session[ENROLMENT_KEY]
    otp_login(request, enrolled.device)
    request.session.cycle_key()
    if was_waiting:
        record_complete_sign_in(request, request.user, now)
    return _show_recovery_codes(
        request, enrolled.recovery_codes, title="Your second factor is set up", then=safe_next_url(request)
    )


def _show_recovery_codes(request: HttpRequest, codes: list[str], *, title: str, then: str) -> HttpResponse:
    context = {"codes": codes, "title": title, "then": then}
    return render(request, "accounts/recovery-codes.html", context)


@password_verified
@require_safe
def enrolment_qr_image(request: PersonRequest) -> HttpResponse:
    if ENROLMENT_KEY not in request.session:
        raise Http404
    return HttpResponse(enrolment_qr_svg(request.user, request.session[ENROLMENT_KEY]), content_type="image/svg+xml")


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def new_recovery_codes(request: PersonRequest) -> HttpResponse:
    if not request.user.has_second_factor:
        return redirect("accounts:enrol")
    form = ReauthenticateForm(bound_data(request), request=request)
    if request.method == "POST" and form.is_valid():
        codes = make_recovery_codes(actor=request.user, now=timezone.now())
        return _show_recovery_codes(request, codes, title="Your new recovery codes", then=reverse("accounts:account"))
    act = ConfirmPage(
        title="Make new recovery codes",
        consequences=("You get ten new codes.", "The codes you have now stop working."),
        submit="Make new codes",
        back=reverse("accounts:account"),
        back_label="Your account",
    )
    return render(request, "components/confirm-page.html", {"act": act, "form": form})


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def replace_device(request: PersonRequest) -> HttpResponse:
    if not request.user.has_second_factor:
        return redirect("accounts:enrol")

    def remove_and_sign_out() -> None:
        remove_second_factor(actor=request.user, now=timezone.now())
        logout(request)

    act = ConfirmPage(
        title="Move your second factor to another phone",
        consequences=(
            "Your authenticator app and your recovery codes stop working.",
            "You are signed out everywhere, and set up the new phone when you sign in again.",
        ),
        submit="Remove and sign out",
        back=reverse("accounts:account"),
        back_label="Your account",
        done="Your second factor was removed. Sign in to set up the new one.",
        is_danger=True,
    )
    form = ReauthenticateForm(bound_data(request), request=request)
    return confirm_account_page(request, act, form, remove_and_sign_out, redirect_to=reverse("accounts:sign-in"))
