"""Forms of the token pages. Making and revoking need reauthentication."""

from typing import Any

from django import forms

from compliance.api.models import Scope
from compliance.core.accounts.auth.reauthenticate import ReauthenticateForm
from compliance.core.accounts.models import Casino
from compliance.core.accounts.roles import GOVERNMENT_ROLES
from compliance.core.web.ui.forms import ReasonField

VALIDITY_CHOICES = (("30", "30 days"), ("90", "90 days"), ("180", "180 days"), ("366", "One year"))


class TokenForm(ReauthenticateForm):
    name = forms.CharField(
        label="Which system is it for?",
        help_text="A name by which you and others know it, such as Case system of the inspectorate.",
        max_length=80,
        error_messages={"required": "Name the system."},
    )
    casinos = forms.MultipleChoiceField(
        label="Casinos it may read",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one casino."},
    )
    scopes = forms.MultipleChoiceField(
        label="What it may read",
        widget=forms.CheckboxSelectMultiple,
        choices=Scope.choices,
        error_messages={"required": "Choose at least one kind of records."},
    )
    days = forms.TypedChoiceField(
        label="For how long", widget=forms.RadioSelect, choices=VALIDITY_CHOICES, coerce=int, initial="90"
    )

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.allowed = {one.slug: one for one in self.person.casinos_with(*GOVERNMENT_ROLES)}
        casinos = self.fields["casinos"]
        assert isinstance(casinos, forms.MultipleChoiceField)
        casinos.choices = [(slug, one.name) for slug, one in self.allowed.items()]
        casinos.initial = [casino.slug]

    def chosen_casinos(self) -> list[Casino]:
        return [self.allowed[slug] for slug in self.cleaned_data["casinos"]]


class RevokeForm(ReauthenticateForm):
    reason = ReasonField(300, "Say why it is revoked.")
