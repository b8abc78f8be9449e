"""The forms of the webhook pages. Whatever decides where records go is signed off."""

from typing import Any

from django import forms

from compliance.accounts.sign_off import SignOffForm
from compliance.web.forms import FilterForm
from compliance.webhooks.addresses import LONGEST, read_address
from compliance.webhooks.errors import AddressRefused
from compliance.webhooks.services import allowed_here
from compliance.webhooks.states import SUBSCRIBED, Event, Sending


class EndpointForm(SignOffForm):
    name = forms.CharField(
        label="Which system is told?",
        help_text="A name by which you and others know it, such as Case system of the inspectorate.",
        max_length=80,
        error_messages={"required": "Name the system."},
    )
    address = forms.CharField(
        label="Address",
        help_text="Begins with https:// and can be reached from outside. It stands in the ledger: put no secret in it.",
        max_length=LONGEST,
        widget=forms.TextInput({"inputmode": "url", "autocapitalize": "none", "spellcheck": "false"}),
        error_messages={"required": "Enter the address that is called."},
    )
    events = forms.MultipleChoiceField(
        label="What it is told",
        widget=forms.CheckboxSelectMultiple,
        choices=[(event.value, event.label) for event in SUBSCRIBED],
        error_messages={"required": "Choose at least one event."},
    )

    def clean_address(self) -> str:
        address = str(self.cleaned_data["address"])
        try:
            read_address(address, allowed_here())
        except AddressRefused as refused:
            raise forms.ValidationError(refused.words) from refused
        return address

    def said(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("name", "address", "events")}


class ReasonForm(SignOffForm):
    reason = forms.CharField(
        label="Reason",
        max_length=300,
        widget=forms.Textarea({"rows": 3}),
        error_messages={"required": "Say why."},
    )


class DeliveryFilter(FilterForm):
    state = forms.ChoiceField(label="State", choices=[("", "All"), *Sending.choices], required=False)
    event = forms.ChoiceField(label="Event", choices=[("", "Any"), *Event.choices], required=False)
