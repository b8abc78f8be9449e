"""Forms of the personal-data pages. Changes of retention require reauthentication."""

from typing import Any

from django import forms

from compliance.core.accounts.auth.reauthenticate import ReauthenticateForm
from compliance.core.web.ui.forms import FilterForm, ReasonField
from compliance.privacy.personal_data.models import AccessPurpose
from compliance.privacy.personal_data.selectors import STATE_LABELS, people_with_details_access
from compliance.privacy.personal_data.subjects import CHOICES

NO_NAMES = "Do not name the patron: the reason stays when the details are gone."


class RecordFilter(FilterForm):
    reference = forms.CharField(label="Reference", required=False, max_length=80)
    subject = forms.ChoiceField(label="About", required=False, choices=[("", "Anything"), *CHOICES])
    state = forms.ChoiceField(label="State", required=False, choices=[("", "Any"), *STATE_LABELS.items()])


class DetailsAccessFilter(FilterForm):
    person = forms.ChoiceField(label="Who looked", required=False)
    purpose = forms.ChoiceField(label="Purpose", required=False, choices=[("", "Any"), *AccessPurpose.choices])

    def __init__(self, *args: Any, casino: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        person = self.fields["person"]
        assert isinstance(person, forms.ChoiceField)
        people = people_with_details_access(casino).values_list("pk", "name")
        person.choices = [("", "Anybody"), *((str(pk), name) for pk, name in people)]


class ShowDetailsForm(forms.Form):
    purpose = forms.ChoiceField(
        label="Why do you need to see the details?",
        choices=AccessPurpose.choices,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose why you need to see them."},
    )
    note = forms.CharField(
        label="Note",
        required=False,
        max_length=300,
        help_text="Needed only for something else. It is shown with your look.",
        widget=forms.Textarea({"rows": 2}),
    )

    def clean(self) -> dict[str, Any]:
        if self.cleaned_data.get("purpose") == AccessPurpose.OTHER and not self.cleaned_data.get("note"):
            self.add_error("note", "Say what else it is that you need them for.")
        return self.cleaned_data


class HoldForm(ReauthenticateForm):
    until_on = forms.DateField(
        label="Keep until",
        help_text="The last day, by the casino's calendar.",
        widget=forms.DateInput({"type": "date", "class": "input-date-time"}, format="%Y-%m-%d"),
        error_messages={"required": "Enter the last day.", "invalid": "Enter a day, such as 2031-12-31."},
    )
    reason = ReasonField(300, "Say why it is kept longer.", NO_NAMES)


class DestroyForm(ReauthenticateForm):
    reason = ReasonField(300, "Say why the details are destroyed before their time is over.", NO_NAMES)


class RetentionForm(ReauthenticateForm):
    years = forms.IntegerField(
        label="Years",
        min_value=1,
        max_value=50,
        error_messages={
            "required": "Enter a number of years.",
            "invalid": "Enter a whole number of years, from 1 to 50.",
            "min_value": "Enter a whole number of years, from 1 to 50.",
            "max_value": "Enter a whole number of years, from 1 to 50.",
        },
    )
    reason = ReasonField(300, "Say why this is the right time.", NO_NAMES)
