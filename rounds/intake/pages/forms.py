"""Forms of the quarantine pages and of refusing a round from paper."""

from typing import Any

from django import forms

from compliance.core.web.ui.forms import FilterForm, ReasonField
from rounds.intake.selectors import STATES


class QuarantineFilter(FilterForm):
    """Filter of the list, sent by GET."""

    q = forms.CharField(label="Table or controller", required=False, max_length=100)
    code = forms.ChoiceField(label="Reason", required=False)
    state = forms.ChoiceField(label="State", required=False, choices=[("", "Any state"), *STATES.items()])

    def __init__(self, *args: Any, codes: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].choices = [("", "Any reason"), *((code, code) for code in codes)]  # type: ignore[attr-defined]


class ResolveQuarantinedForm(forms.Form):
    note = forms.CharField(
        label="What did you find, and what was done?",
        help_text="For example: the controller was updated and the round was sent again as sequence 118.",
        max_length=2000,
        widget=forms.Textarea({"rows": 4}),
        error_messages={"required": "Say what you found and what was done about it."},
    )


class RefusePaperRoundForm(forms.Form):
    reason = ReasonField(500, "Say what does not agree with the paper.", label="What does not agree with the paper?")
