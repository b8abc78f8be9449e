"""Searching the inbox, and setting a casino's ladder."""

from typing import Any

from django import forms

from compliance.accounts.roles import MAY_SEE_PATRONS, Role
from compliance.accounts.sign_off import SignOffForm
from compliance.alerts.ladder import LONGEST_MINUTES, Rung
from compliance.alerts.states import State
from compliance.web.forms import FilterForm

STATES = [
    ("", "All"),
    (State.WAITING, "Not acknowledged"),
    ("escalated", "Escalated"),
    (State.ACKNOWLEDGED, "Acknowledged"),
]
TOLD = [(role.value, role.label) for role in Role if role in MAY_SEE_PATRONS]


def duty_words(duty: str) -> str:
    return duty.replace("-", " ").capitalize()


class InboxFilter(FilterForm):
    state = forms.ChoiceField(label="State", choices=STATES, required=False)
    role = forms.ChoiceField(label="Told", choices=[("", "Anybody"), *TOLD], required=False)
    duty = forms.ChoiceField(label="About", required=False)
    table = forms.CharField(label="Table", required=False, max_length=50)

    def __init__(self, *args: Any, duties: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["duty"].choices = [("", "Anything"), *((duty, duty_words(duty)) for duty in duties)]  # type: ignore[attr-defined]


class LadderForm(SignOffForm):
    """Two steps of a ladder: after how many minutes, and whom."""

    first_minutes = forms.IntegerField(label="First, after this many minutes", min_value=1, max_value=LONGEST_MINUTES)
    first_roles = forms.MultipleChoiceField(label="tell also", choices=TOLD, widget=forms.CheckboxSelectMultiple)
    second_minutes = forms.IntegerField(
        label="Then, after this many minutes", min_value=1, max_value=LONGEST_MINUTES,
        help_text="Counted from the alert, like the first.",
    )  # fmt: skip
    second_roles = forms.MultipleChoiceField(label="tell also", choices=TOLD, widget=forms.CheckboxSelectMultiple)
    reason = forms.CharField(label="Why it is changed", max_length=300)

    def rungs(self) -> tuple[Rung, Rung]:
        typed = self.cleaned_data
        return tuple(  # type: ignore[return-value]
            Rung(typed[f"{which}_minutes"], tuple(Role(role) for role in typed[f"{which}_roles"]))
            for which in ("first", "second")
        )
