"""Filters above the lists, and the note of whoever looked at a signal."""

from collections.abc import Sequence
from typing import Any

from django import forms

from compliance.fairness.models import Code, SubjectKind
from compliance.web.forms import FilterForm

ANY = ("", "Any")


class Filter(FilterForm):
    subject_kind = forms.ChoiceField(label="What", required=False, choices=[ANY, *SubjectKind.choices])
    subject = forms.CharField(label="Name has", required=False, max_length=64)


class SignalsFilter(Filter):
    code = forms.ChoiceField(
        label="Code", required=False, choices=[ANY, *((code.value, f"{code.value}: {code.label}") for code in Code)]
    )
    state = forms.ChoiceField(
        label="State", required=False, choices=[ANY, ("unseen", "Nobody looked yet"), ("seen", "Looked at")]
    )


class MonthForm(forms.Form):
    month = forms.ChoiceField(label="Month", required=False)

    def __init__(self, *args: Any, months: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["month"].choices = [(month, month) for month in months]  # type: ignore[attr-defined]

    def chosen(self) -> str:
        """The newest where the address names none, or one without play."""
        months = [value for value, _ in self.fields["month"].choices]  # type: ignore[attr-defined]
        asked = self.cleaned_data.get("month") if self.is_valid() else ""
        return asked or (months[0] if months else "")


class SeenForm(forms.Form):
    note = forms.CharField(
        label="What you made of it", max_length=1_000, widget=forms.Textarea({"rows": 4}),
        help_text="Such as: set taken away to be measured. Name no patron.",
    )  # fmt: skip
