"""Password reset by a link in an e-mail, and changing the own password."""

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.tokens import default_token_generator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlsafe_base64_decode
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from compliance.core.accounts.errors import AccountRefusal
from compliance.core.accounts.forms import ChangePasswordForm, ForgottenPasswordForm, NewPasswordForm
from compliance.core.accounts.models import User
from compliance.core.accounts.request_types import PersonRequest
from compliance.core.accounts.services import change_password, reset_password
from compliance.core.accounts.views.confirm import confirm_account_page
from compliance.core.accounts.views.login_session import request_base_url
from compliance.core.web.access import public, signed_in
from compliance.core.web.jobs.wake import wake
from compliance.core.web.ui.confirm_page import ConfirmPage, bound_data


@public
@require_http_methods(["GET", "HEAD", "POST"])
def request_reset(request: HttpRequest) -> HttpResponse:
    """Same response, after the same time, whether or not the account exists: a task does the rest."""
    form = ForgottenPasswordForm(bound_data(request))
    if request.method == "POST" and form.is_valid():
        wake(
            "compliance.core.accounts.tasks.send_password_reset",
            email=form.cleaned_data["email"],
            site=request_base_url(request),
        )
        return redirect("accounts:forgotten-sent")
    return render(request, "accounts/forgotten.html", {"form": form})


@public
@require_safe
def reset_email_sent(request: HttpRequest) -> HttpResponse:
    return render(request, "accounts/forgotten-sent.html")


@public
@sensitive_post_parameters("new_password", "new_password_again")
@require_http_methods(["GET", "HEAD", "POST"])
def reset_by_link(request: HttpRequest, who: str, token: str) -> HttpResponse:
    person = _decode_person(who)
    if person is None or not default_token_generator.check_token(person, token):
        return render(request, "accounts/reset-failed.html", status=410)
    form = NewPasswordForm(bound_data(request), owner=person)
    if request.method == "POST" and form.is_valid():
        try:
            reset_password(actor=person, password=form.cleaned_data["new_password"], now=timezone.now())
        except AccountRefusal as refusal:
            form.add_error(None, refusal.detail)
        else:
            messages.success(request, "Your password was changed. Sign in with the new one.")
            return redirect("accounts:sign-in")
    return render(request, "accounts/reset.html", {"form": form, "person": person})


def _decode_person(who: str) -> User | None:
    try:
        number = int(urlsafe_base64_decode(who))
    except ValueError:
        return None
    return User.objects.filter(pk=number, is_active=True).first() if number < 2**63 else None


@signed_in
@sensitive_post_parameters("password", "new_password", "new_password_again")
@require_http_methods(["GET", "HEAD", "POST"])
def change_own_password(request: PersonRequest) -> HttpResponse:
    form = ChangePasswordForm(bound_data(request), request=request, owner=request.user)

    def change_and_renew_session() -> None:
        person = change_password(actor=request.user, password=form.cleaned_data["new_password"], now=timezone.now())
        update_session_auth_hash(request, person)

    act = ConfirmPage(
        title="Change your password",
        consequences=("You stay signed in here, and are signed out everywhere else.",),
        submit="Change password",
        back=reverse("accounts:account"),
        back_label="Your account",
        done="Your password was changed.",
    )
    return confirm_account_page(request, act, form, change_and_renew_session)
