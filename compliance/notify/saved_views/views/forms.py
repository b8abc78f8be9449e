"""Forms: name and audience of a view, frequency of a subscription."""

from typing import Any

from django import forms

from compliance.core.accounts.models import Casino, User
from compliance.notify.saved_views.audiences import AUDIENCES, audiences_of
from compliance.notify.saved_views.models import LONGEST_NAME
from compliance.notify.saved_views.states import Frequency


class ViewForm(forms.Form):
    name = forms.CharField(
        label="Name",
        max_length=LONGEST_NAME,
        help_text="Such as Serious, table 4. It stands in e-mails: do not name patrons.",
        error_messages={"required": "Give the view a name."},
    )
    shared_with = forms.ChoiceField(
        label="Who else may use it?",
        required=False,
        widget=forms.RadioSelect,
        help_text="They cannot change it, and see only what they may see anyway.",
    )
    is_usual = forms.BooleanField(label="Open the list like this when I come to it", required=False)

    def __init__(self, *args: Any, person: User, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        shared = self.fields["shared_with"]
        assert isinstance(shared, forms.ChoiceField)
        offered = [(name, AUDIENCES[name][0]) for name in audiences_of(person, casino)]
        shared.choices = [("", "Nobody, it is for me"), *offered]

    def clean_name(self) -> str:
        return " ".join(str(self.cleaned_data["name"]).split())


class SubscribeForm(forms.Form):
    every = forms.ChoiceField(
        label="When do you want to be told?",
        choices=Frequency.choices,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose how often."},
    )
