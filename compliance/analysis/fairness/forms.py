"""Filter forms of the lists, and the form to acknowledge a signal."""

from collections.abc import Sequence
from typing import Any

from django import forms

from compliance.analysis.fairness.models import SignalCode, SubjectKind
from compliance.core.web.ui.forms import FilterForm

ANY_CHOICE = ("", "Any")


class LastTestFilter(FilterForm):
    subject_kind = forms.ChoiceField(label="What", required=False, choices=[ANY_CHOICE, *SubjectKind.choices])
    subject = forms.CharField(label="Name has", required=False, max_length=64)


class SignalsFilter(LastTestFilter):
    code = forms.ChoiceField(
        label="Code",
        required=False,
        choices=[ANY_CHOICE, *((code.value, f"{code.value}: {code.label}") for code in SignalCode)],
    )
    state = forms.ChoiceField(
        label="State", required=False, choices=[ANY_CHOICE, ("unseen", "Nobody looked yet"), ("seen", "Looked at")]
    )


class MonthForm(forms.Form):
    month = forms.ChoiceField(label="Month", required=False)

    def __init__(self, *args: Any, months: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["month"].choices = [(month, month) for month in months]  # type: ignore[attr-defined]

    def chosen_month(self) -> str:
        """The newest month where the query names none, or one without play."""
        months = [value for value, _ in self.fields["month"].choices]  # type: ignore[attr-defined]
        month = self.cleaned_data.get("month") if self.is_valid() else ""
        return month or (months[0] if months else "")


class AcknowledgeForm(forms.Form):
    note = forms.CharField(
        label="What you made of it",
        max_length=1_000,
        widget=forms.Textarea({"rows": 4}),
        help_text="Such as: set taken away to be measured. Name no patron.",
    )
