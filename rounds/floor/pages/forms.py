"""The floor's other forms: add, filter, choose an instant, register controllers, propose and approve keys."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet

from compliance.core.accounts.auth.reauthenticate import ReauthenticateForm
from compliance.core.web.errors import Refusal
from compliance.core.web.ui.forms import FilterForm, LocalDateTimeField, set_zone
from rounds.floor.models import Table
from rounds.floor.public_keys import read_public_key

SLUG_HINT = "Small letters, figures and hyphens. Entries bear it for ever, so it cannot be changed or used again."


class TableFilter(FilterForm):
    q = forms.CharField(label="Name", required=False, max_length=100)
    state = forms.ChoiceField(
        label="State", required=False, choices=[("", "In use"), ("retired", "Retired"), ("all", "All")]
    )


class InstantForm(forms.Form):
    """The instant to show; empty means now."""

    at = LocalDateTimeField(label="Show what held at", required=False)

    def __init__(self, *args: Any, zone: ZoneInfo, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_zone(self, zone)

    def instant(self, now: datetime) -> datetime:
        chosen = self.cleaned_data.get("at") if self.is_valid() else None
        return chosen if isinstance(chosen, datetime) else now


class AddTableForm(forms.Form):
    name = forms.CharField(label="Name", max_length=120, help_text="As people call it, such as Sic Bo 3.")
    slug = forms.CharField(label="Short name", max_length=40, help_text=f"Such as sb-3. {SLUG_HINT}")


class AddTerminalForm(forms.Form):
    slug = forms.CharField(label="Short name", max_length=40, help_text=f"Such as t-04. {SLUG_HINT}")


class RegisterControllerForm(forms.Form):
    name = forms.CharField(label="Name", max_length=120, help_text="Such as Box at table 3.")
    slug = forms.CharField(label="Short name", max_length=40, help_text=f"Such as box-3. {SLUG_HINT}")


class AssignTableForm(forms.Form):
    table = forms.ModelChoiceField(Table.objects.none(), label="Table", to_field_name="slug")

    def __init__(self, *args: Any, tables: QuerySet[Table], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["table"].queryset = tables  # type: ignore[attr-defined]


class ProposeKeyForm(forms.Form):
    public_key = forms.CharField(
        label="Public key",
        max_length=2000,
        widget=forms.Textarea({"rows": 4, "autocomplete": "off", "spellcheck": "false"}),
        help_text="The 44 characters of base64, or the whole PEM block. Never the private key.",
    )

    def clean_public_key(self) -> bytes:
        try:
            return read_public_key(self.cleaned_data["public_key"])
        except Refusal as refusal:
            if refusal.code == "private-key-pasted":
                # Do not send the private key back to the browser.
                self.data = {}
            raise ValidationError(refusal.full_message, code=refusal.code) from refusal


class ApproveKeyForm(ReauthenticateForm):
    valid_from = LocalDateTimeField(
        label="Counts from", required=False, help_text="Leave it empty to let the key count at once."
    )

    def __init__(self, *args: Any, zone: ZoneInfo, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_zone(self, zone)
