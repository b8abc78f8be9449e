"""Reauthentication in the submission that approves something, so that nothing typed is lost on a mistake."""

from datetime import timedelta
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils import timezone

from compliance.core.accounts.auth.credentials import check_code, check_password, reset_failures
from compliance.core.accounts.demo import demo_hint
from compliance.core.accounts.errors import AccountRefusal
from compliance.core.accounts.models import EventKind, User
from compliance.core.web.ui.precheck import CONFIRMED_FIELD, SIGNED_FORM_KEY, fingerprint_form

MAX_PASSWORD_LENGTH = 256
# How long a warning about a signed form can be confirmed without signing it again.
SIGNED_FOR = timedelta(minutes=5)


class PasswordField(forms.CharField):
    """Spaces count. The length is limited, because hashing very long passwords would be a denial of service."""

    def __init__(self, *, autocomplete: str = "current-password", **kwargs: Any) -> None:
        kwargs.setdefault("widget", forms.PasswordInput({"autocomplete": autocomplete}))
        super().__init__(strip=False, max_length=MAX_PASSWORD_LENGTH, **kwargs)


class CodeField(forms.CharField):
    """The six digits of an authenticator app, or a recovery code."""

    def __init__(self, **kwargs: Any) -> None:
        attrs = {"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false"}
        kwargs.setdefault("label", "Second-factor code")
        kwargs.setdefault("help_text", "Six figures from your authenticator app, or one of your recovery codes.")
        kwargs.setdefault("error_messages", {"required": "Enter the code your authenticator app shows now."})
        super().__init__(max_length=40, widget=forms.TextInput(attrs), **kwargs)


class ReauthenticateForm(forms.Form):
    """Base of forms that approve something. A wrong password or code counts as a failed sign-in."""

    password = PasswordField(
        label="Your password",
        help_text="To show that it is you who signs this off.",
        error_messages={"required": "Enter your password to sign this off."},
    )
    code = CodeField()

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request
        assert isinstance(request.user, User)
        self.person: User = request.user
        self.order_fields([name for name in self.fields if name not in ("password", "code")])
        self.is_signed = self._was_signed_before()
        if self.is_signed or not self.person.has_second_factor:
            del self.fields["code"]
        if self.is_signed:
            del self.fields["password"]
        self._show_demo_code()

    def _was_signed_before(self) -> bool:
        """Whether exactly this was signed a moment ago and is now confirmed after a warning. A code works once, so it
        cannot be asked for again at once."""
        signed = self.request.session.get(SIGNED_FORM_KEY)
        if not signed or CONFIRMED_FIELD not in self.request.POST:
            return False
        is_same = bool(signed["form"] == fingerprint_form(self.request) and signed["person"] == self.person.pk)
        return is_same and timezone.now().timestamp() < signed["until"]

    def _show_demo_code(self) -> None:
        if "code" in self.fields and (hint := demo_hint(self.person, timezone.now())):
            # The bound field copies the text when it is first used.
            self.fields["code"].help_text = self["code"].help_text = f"Demo: {hint}"

    def _post_clean(self) -> None:
        """Checked last and only if the rest is valid: a code works once and must not be spent on a typing mistake."""
        super()._post_clean()  # type: ignore[misc]
        if not self.errors and not self.is_signed:
            self._prove_identity(self.person)

    def _prove_identity(self, person: User) -> None:
        now, kind = timezone.now(), EventKind.SIGN_OFF_REFUSED
        password = self.cleaned_data["password"]
        if check_password(self.request, email=person.email, password=password, now=now, kind=kind) is None:
            self.add_error("password", "That is not your password.")
            return
        if "code" in self.fields:
            try:
                check_code(self.request, user=person, code=self.cleaned_data["code"], now=now, kind=kind)
            except AccountRefusal as refusal:
                self.add_error("code", refusal.detail)
                return
        reset_failures(self.request, person)
        self.request.session[SIGNED_FORM_KEY] = {
            "form": fingerprint_form(self.request),
            "person": person.pk,
            "until": (now + SIGNED_FOR).timestamp(),
        }
        # The code is spent: a page with another error must show the next one.
        self._show_demo_code()
