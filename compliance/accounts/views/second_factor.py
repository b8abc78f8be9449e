"""Setting up the second factor, moving it to another phone, and recovery codes, which are shown once."""

from django.contrib.auth import logout
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django_otp import login as otp_login

from compliance.accounts.errors import AccountRefusal
from compliance.accounts.forms import EnrolForm
from compliance.accounts.requests import PersonRequest
from compliance.accounts.second_factor import enrolment_qr, new_key, secret_text
from compliance.accounts.services import (
    enrol_second_factor,
    make_recovery_codes,
    replace_second_factor,
)
from compliance.accounts.sign_off import SignOffForm
from compliance.accounts.views.steps import Act, act_page, note_sign_in, posted, safe_next, with_next
from compliance.web.access import passing, signed_in

KEY = "enrolment_key"


@passing
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def enrol(request: PersonRequest) -> HttpResponse:
    """Only for somebody who has none: a password alone must not be enough to replace one."""
    if request.user.has_second_factor:
        return redirect(with_next("accounts:code", request))
    key = request.session.setdefault(KEY, new_key())
    form = EnrolForm(posted(request))
    if request.method == "POST" and form.is_valid():
        try:
            return _finish(request, key, form.cleaned_data["code"])
        except AccountRefusal as refusal:
            form.add_error("code", refusal.detail)
    return render(request, "accounts/enrol.html", {"form": form, "secret": secret_text(key)})


def _finish(request: PersonRequest, key: str, code: str) -> HttpResponse:
    now, was_waiting = timezone.now(), request.user.needs_second_factor
    enrolled = enrol_second_factor(actor=request.user, key=key, code=code, now=now)
    del request.session[KEY]
    otp_login(request, enrolled.device)
    request.session.cycle_key()
    if was_waiting:
        note_sign_in(request, request.user, now)
    return _show_once(request, enrolled.recovery_codes, title="Your second factor is set up", then=safe_next(request))


def _show_once(request: HttpRequest, codes: list[str], *, title: str, then: str) -> HttpResponse:
    context = {"codes": codes, "title": title, "then": then}
    return render(request, "accounts/recovery-codes.html", context)


@passing
@never_cache
@require_safe
def qr(request: PersonRequest) -> HttpResponse:
    if KEY not in request.session:
        raise Http404
    return HttpResponse(enrolment_qr(request.user, request.session[KEY]), content_type="image/svg+xml")


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_codes(request: PersonRequest) -> HttpResponse:
    if not request.user.has_second_factor:
        return redirect("accounts:enrol")
    form = SignOffForm(posted(request), request=request)
    if request.method == "POST" and form.is_valid():
        codes = make_recovery_codes(actor=request.user, now=timezone.now())
        return _show_once(request, codes, title="Your new recovery codes", then=reverse("accounts:account"))
    act = Act(
        title="Make new recovery codes",
        consequences=("You get ten new codes.", "The codes you have now stop working."),
        submit="Make new codes",
        back=reverse("accounts:account"),
        back_label="Your account",
    )
    return render(request, "accounts/act.html", {"act": act, "form": form})


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def replace(request: PersonRequest) -> HttpResponse:
    if not request.user.has_second_factor:
        return redirect("accounts:enrol")

    def do() -> None:
        replace_second_factor(actor=request.user, now=timezone.now())
        logout(request)

    act = Act(
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
    form = SignOffForm(posted(request), request=request)
    return act_page(request, act, form, do, then=reverse("accounts:sign-in"))
