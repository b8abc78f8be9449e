"""Forms of the witness pages. Registering and ending a witness need reauthentication."""

from django import forms

from compliance.core.accounts.auth.reauthenticate import ReauthenticateForm
from compliance.core.web.ui.forms import ReasonField


class RegisterWitnessForm(ReauthenticateForm):
    key = forms.CharField(
        label="The witness's verifier key",
        help_text="One line, as the witness prints it: its name, a plus sign, eight letters and digits, a plus sign, "
        "and its key.",
        max_length=300,
        widget=forms.Textarea({"rows": 3}),
        error_messages={"required": "Copy the key here."},
    )


class EndWitnessForm(ReauthenticateForm):
    reason = ReasonField(300, "Say why its word no longer counts.")
