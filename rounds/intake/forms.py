"""The forms of the quarantine pages."""

from typing import Any

from django import forms

from rounds.intake.selectors import STATES


class QuarantineFilter(forms.Form):
    """Sent by GET above the list."""

    q = forms.CharField(label="Table or controller", required=False, max_length=100)
    code = forms.ChoiceField(label="Reason", required=False)
    state = forms.ChoiceField(label="State", required=False, choices=[("", "Any state"), *STATES.items()])

    def __init__(self, *args: Any, codes: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].choices = [("", "Any reason"), *((code, code) for code in codes)]  # type: ignore[attr-defined]

    def chosen(self) -> dict[str, str]:
        """What is understood of the address; the rest counts as not asked for."""
        self.is_valid()
        return {name: self.cleaned_data.get(name, "") for name in self.fields}


class DealWithForm(forms.Form):
    note = forms.CharField(
        label="What did you find, and what was done?",
        help_text="For example: the controller was updated and the round was sent again as sequence 118.",
        max_length=2000,
        widget=forms.Textarea({"rows": 4}),
        error_messages={"required": "Say what you found and what was done about it."},
    )


class RefusePaperForm(forms.Form):
    reason = forms.CharField(
        label="What does not agree with the paper?",
        max_length=500,
        widget=forms.Textarea({"rows": 3}),
        error_messages={"required": "Say what does not agree with the paper."},
    )
