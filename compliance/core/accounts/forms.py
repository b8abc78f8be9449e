"""Forms of the accounts pages. Those that change permissions inherit from ReauthenticateForm."""

from collections.abc import Collection
from typing import Any, cast

from django import forms
from django.contrib.auth.password_validation import password_validators_help_texts, validate_password
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone

from compliance.core.accounts.auth.credentials import check_password
from compliance.core.accounts.auth.reauthenticate import CodeField, PasswordField, ReauthenticateForm
from compliance.core.accounts.errors import CannotGiveOwnRole
from compliance.core.accounts.models import User
from compliance.core.accounts.roles import Role
from compliance.core.accounts.selectors import PERSON_STATES
from compliance.core.web.ui.forms import FilterForm, ReasonField


class EmailField(forms.EmailField):
    def __init__(self, *, autocomplete: str = "username", **kwargs: Any) -> None:
        kwargs.setdefault("label", "E-mail address")
        attrs = {"autocomplete": autocomplete, "spellcheck": "false", "autocapitalize": "none"}
        missing = "Enter an e-mail address."
        wrong = "Enter an e-mail address in the form name@example.com."
        super().__init__(
            max_length=254,
            widget=forms.EmailInput(attrs),
            error_messages={"required": missing, "invalid": wrong},
            **kwargs,
        )

    def to_python(self, value: Any) -> str:
        return (super().to_python(value) or "").lower()


class SignInForm(forms.Form):
    """Same error for an unknown address, a wrong password and a disabled account,
    so that nobody can probe for accounts."""

    email = EmailField()
    password = PasswordField(label="Password", error_messages={"required": "Enter your password."})

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request
        self.person: User | None = None
        if not self.is_bound and self.initial:
            # Only in the demo is the password prefilled; a typed password is never sent back.
            self.fields["password"].widget = forms.PasswordInput(render_value=True)

    def clean(self) -> dict[str, Any]:
        typed = self.cleaned_data
        if not self.errors:
            now = timezone.now()
            self.person = check_password(self.request, email=typed["email"], password=typed["password"], now=now)
            if self.person is None:
                raise ValidationError("The e-mail address or the password is not right.", code="not-right")
        return typed


class CodeForm(forms.Form):
    code = CodeField()


class EnrolSecondFactorForm(forms.Form):
    code = CodeField(label="Code", help_text="The six figures that the app shows now.")


class ForgottenPasswordForm(forms.Form):
    email = EmailField()


class NewPasswordMixin(forms.Form):
    """Mixin: the new password, typed twice and checked by the password validators."""

    new_password = PasswordField(autocomplete="new-password", label="New password")
    new_password_again = PasswordField(autocomplete="new-password", label="New password again")

    def __init__(self, *args: Any, owner: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.owner = owner
        self.fields["new_password"].help_text = " ".join(password_validators_help_texts())

    def clean_new_password(self) -> str:
        password: str = self.cleaned_data["new_password"]
        validate_password(password, self.owner)
        return password

    def clean_new_password_again(self) -> str:
        again: str = self.cleaned_data["new_password_again"]
        if "new_password" in self.cleaned_data and again != self.cleaned_data["new_password"]:
            raise ValidationError("The two passwords are not the same.")
        return again


class NewPasswordForm(NewPasswordMixin):
    """New password after a reset: the link in the e-mail is the proof."""


class ChangePasswordForm(NewPasswordMixin, ReauthenticateForm):
    field_order = ("new_password", "new_password_again", "password", "code")


class AcceptInvitationForm(NewPasswordMixin):
    """Acceptance by a new person: their name, as printed under what they sign, and a password."""

    name = forms.CharField(
        label="Your name",
        max_length=120,
        help_text="As it should stand under what you sign.",
        widget=forms.TextInput({"autocomplete": "name"}),
        error_messages={"required": "Enter your name."},
    )
    field_order = ("name", "new_password", "new_password_again")

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        self.owner.name = name
        return name


class RoleField(forms.ChoiceField):
    """One of the roles that the administrator may give, which the form sets by `offer`."""

    def __init__(self) -> None:
        super().__init__(label="Role", widget=forms.RadioSelect, error_messages={"required": "Choose a role."})

    def offer(self, roles: Collection[str]) -> None:
        self.choices = [(value, label) for value, label in Role.choices if value in roles]


class InviteForm(ReauthenticateForm):
    name = forms.CharField(
        label="Name",
        max_length=120,
        widget=forms.TextInput({"autocomplete": "off"}),
        error_messages={"required": "Enter the person's name."},
    )
    email = EmailField(autocomplete="off")
    role = RoleField()

    def __init__(self, *args: Any, roles: Collection[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(RoleField, self.fields["role"]).offer(roles)

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        if email == self.person.email:
            raise ValidationError(CannotGiveOwnRole.detail, code=CannotGiveOwnRole.code)
        return email


class GiveRoleForm(ReauthenticateForm):
    role = RoleField()

    def __init__(self, *args: Any, subject: User, roles: Collection[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.subject = subject
        cast(RoleField, self.fields["role"]).offer(roles)

    def clean(self) -> dict[str, Any]:
        if self.subject == self.person:
            raise ValidationError(CannotGiveOwnRole.detail, code=CannotGiveOwnRole.code)
        return self.cleaned_data


class DisablePersonForm(ReauthenticateForm):
    reason = ReasonField(300, "Say why the account is disabled.", "It is kept with the record and sent to the person.")


class PeopleFilter(FilterForm):
    q = forms.CharField(label="Name or e-mail", required=False, max_length=100)
    role = forms.ChoiceField(label="Role", required=False, choices=[("", "Any"), *Role.choices])
    state = forms.ChoiceField(label="State", required=False, choices=[("", "Any"), *PERSON_STATES.items()])
