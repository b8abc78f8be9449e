"""Filter of the inbox, and the form of a casino's ladder."""

from typing import Any

from django import forms

from compliance.core.accounts.auth.reauthenticate import ReauthenticateForm
from compliance.core.accounts.roles import MAY_SEE_PATRONS, Role
from compliance.core.web.ui.forms import FilterForm
from compliance.notify.alerts.ladder import MAX_MINUTES, EscalationRung
from compliance.notify.alerts.states import AlertState
from rounds.rulebook.labels import humanize_slug

STATE_CHOICES = [
    ("", "All"),
    (AlertState.WAITING, "Not acknowledged"),
    ("escalated", "Escalated"),
    (AlertState.ACKNOWLEDGED, "Acknowledged"),
]
ROLE_CHOICES = [(role.value, role.label) for role in Role if role in MAY_SEE_PATRONS]


class InboxFilter(FilterForm):
    state = forms.ChoiceField(label="State", choices=STATE_CHOICES, required=False)
    role = forms.ChoiceField(label="Told", choices=[("", "Anybody"), *ROLE_CHOICES], required=False)
    duty = forms.ChoiceField(label="About", required=False)
    table = forms.CharField(label="Table", required=False, max_length=50)

    def __init__(self, *args: Any, duties: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["duty"].choices = [("", "Anything"), *((duty, humanize_slug(duty)) for duty in duties)]  # type: ignore[attr-defined]


class LadderForm(ReauthenticateForm):
    """The two rungs of a ladder: after how many minutes, and which roles."""

    first_minutes = forms.IntegerField(label="First, after this many minutes", min_value=1, max_value=MAX_MINUTES)
    first_roles = forms.MultipleChoiceField(
        label="tell also", choices=ROLE_CHOICES, widget=forms.CheckboxSelectMultiple
    )
    second_minutes = forms.IntegerField(
        label="Then, after this many minutes",
        min_value=1,
        max_value=MAX_MINUTES,
        help_text="Counted from the alert, like the first.",
    )
    second_roles = forms.MultipleChoiceField(
        label="tell also", choices=ROLE_CHOICES, widget=forms.CheckboxSelectMultiple
    )
    reason = forms.CharField(label="Why it is changed", max_length=300)

    def rungs(self) -> tuple[EscalationRung, EscalationRung]:
        typed = self.cleaned_data
        return tuple(  # type: ignore[return-value]
            EscalationRung(typed[f"{which}_minutes"], tuple(Role(role) for role in typed[f"{which}_roles"]))
            for which in ("first", "second")
        )
