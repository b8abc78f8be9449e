"""Forms of the webhook pages. Changes of where records are sent require reauthentication."""

from typing import Any

from django import forms

from compliance.core.accounts.auth.reauthenticate import ReauthenticateForm
from compliance.core.web.ui.forms import FilterForm, ReasonField
from compliance.notify.webhooks.delivery.address_policy import MAX_LENGTH, parse_address
from compliance.notify.webhooks.errors import AddressRefused
from compliance.notify.webhooks.services import installation_address_policy
from compliance.notify.webhooks.states import SUBSCRIBABLE_EVENTS, DeliveryState, Event


class EndpointForm(ReauthenticateForm):
    name = forms.CharField(
        label="Which system is told?",
        help_text="A name by which you and others know it, such as Case system of the inspectorate.",
        max_length=80,
        error_messages={"required": "Name the system."},
    )
    address = forms.CharField(
        label="Address",
        help_text="Begins with https:// and can be reached from outside. It stands in the ledger: put no secret in it.",
        max_length=MAX_LENGTH,
        widget=forms.TextInput({"inputmode": "url", "autocapitalize": "none", "spellcheck": "false"}),
        error_messages={"required": "Enter the address that is called."},
    )
    events = forms.MultipleChoiceField(
        label="What it is told",
        widget=forms.CheckboxSelectMultiple,
        choices=[(event.value, event.label) for event in SUBSCRIBABLE_EVENTS],
        error_messages={"required": "Choose at least one event."},
    )

    def clean_address(self) -> str:
        address = str(self.cleaned_data["address"])
        try:
            parse_address(address, installation_address_policy())
        except AddressRefused as refused:
            raise forms.ValidationError(refused.full_message) from refused
        return address

    def endpoint_values(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("name", "address", "events")}


class EndpointReasonForm(ReauthenticateForm):
    reason = ReasonField(300)


class DeliveryFilter(FilterForm):
    state = forms.ChoiceField(label="State", choices=[("", "All"), *DeliveryState.choices], required=False)
    event = forms.ChoiceField(label="Event", choices=[("", "Any"), *Event.choices], required=False)
