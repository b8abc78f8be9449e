"""Forms of the pages of signs."""

from typing import Any
from zoneinfo import ZoneInfo

from django import forms

from compliance.core.web.ui.forms import LocalDateTimeField, set_zone


class ShownForm(forms.Form):
    shown_at = LocalDateTimeField(
        label="When did the sign go up?", help_text="The clock runs from this time. It is kept with your name."
    )

    def __init__(self, *args: Any, zone: ZoneInfo, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_zone(self, zone)


class DisplayForm(forms.Form):
    name = forms.CharField(label="Name of the display", max_length=120, help_text="Such as Screen left of the dealer.")
