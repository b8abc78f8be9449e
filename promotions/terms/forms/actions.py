"""Forms for actions on terms: begin a draft, file, amend, decide, and the registers."""

from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from compliance.core.accounts.auth.reauthenticate import ReauthenticateForm
from compliance.core.accounts.models import Casino
from compliance.core.web.files.uploads import UploadField
from compliance.core.web.ui.forms import LocalDateTimeField, set_zone
from promotions.terms.models import Medium, TermsVersion

EMPTY = "empty"


class NewDraftForm(forms.Form):
    like = forms.ChoiceField(
        label="Begin with",
        widget=forms.RadioSelect,
        initial=EMPTY,
        help_text="Times are never taken over from an earlier promotion.",
    )

    def __init__(self, *args: Any, earlier: list[TermsVersion], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.earlier = {str(version.pk): version for version in earlier}
        like = self.fields["like"]
        assert isinstance(like, forms.ChoiceField)
        like.choices = [
            (EMPTY, "Empty terms"),
            *((key, f"{version.name} ({version.promotion.reference})") for key, version in self.earlier.items()),
        ]

    def chosen_version(self) -> TermsVersion | None:
        return self.earlier.get(self.cleaned_data["like"])


class FileForm(forms.Form):
    """A late filing must be acknowledged as late by the person who files."""

    is_late = forms.BooleanField(label="I understand that this filing is late and is recorded as late")

    def __init__(self, *args: Any, is_late: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not is_late:
            del self.fields["is_late"]


class AmendmentForm(forms.Form):
    reason = forms.CharField(label="Why the terms should change", widget=forms.Textarea({"rows": 4}), max_length=2000)
    in_use_at = LocalDateTimeField(
        label="The new terms were used already, since",
        required=False,
        help_text="Only if that happened. Using them before they are approved breaks the rules; it is recorded.",
    )

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_zone(self, casino.zone)


class DecideForm(ReauthenticateForm):
    decision = forms.ChoiceField(
        label="Decision",
        widget=forms.RadioSelect,
        choices=[("approved", "Approve: the new terms are in force from now on"), ("refused", "Refuse")],
    )
    reasons = forms.CharField(label="Reasons", widget=forms.Textarea({"rows": 4}), max_length=2000)


class PostponeForm(forms.Form):
    determined_at = LocalDateTimeField(label="When the doubt was determined")
    reason = forms.CharField(
        label="Why its integrity is in doubt",
        widget=forms.Textarea({"rows": 4}),
        max_length=2000,
        help_text="Do not name a patron.",
    )

    def __init__(self, *args: Any, casino: Casino, now: datetime, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        determined = self.fields["determined_at"]
        assert isinstance(determined, LocalDateTimeField)
        determined.zone, self.now = casino.zone, now

    def clean_determined_at(self) -> datetime:
        when: datetime = self.cleaned_data["determined_at"]
        if when > self.now:
            raise ValidationError("That is still to come. Enter when it happened.")
        return when


class ValidateForm(forms.Form):
    how = forms.CharField(
        label="How the integrity was validated",
        widget=forms.Textarea({"rows": 4}),
        max_length=2000,
        help_text="Do not name a patron.",
    )


class MaterialForm(forms.Form):
    medium = forms.ChoiceField(label="What it is", choices=Medium.choices, widget=forms.RadioSelect)
    description = forms.CharField(
        label="Describe it", max_length=300, help_text="Such as: poster A2 at the main entrance."
    )
    used_from_on = forms.DateField(
        label="Used from",
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": "Enter a date, such as 16 November 2026."},
    )
    is_referring = forms.ChoiceField(
        label="Does it refer to the terms?", choices=[("yes", "Yes"), ("no", "No")], widget=forms.RadioSelect
    )
    where = forms.CharField(
        label="Where on it", max_length=300, required=False, help_text="Such as: QR code and address at the foot."
    )
    file = UploadField(label="A picture of it", required=False, help_text="A PDF, PNG or JPEG of at most 5 MB.")

    def clean(self) -> dict[str, Any]:
        if self.cleaned_data.get("is_referring") == "yes" and not self.cleaned_data.get("where"):
            self.add_error("where", "Say where it refers to the terms.")
        return self.cleaned_data


class PrescribeForm(ReauthenticateForm):
    item = forms.CharField(label="Item or service", max_length=200)
    basis = forms.CharField(label="Regulation that prescribes it", max_length=300)


class UnprescribeForm(ReauthenticateForm):
    reason = forms.CharField(label="Reason", max_length=300, widget=forms.Textarea({"rows": 2}))
