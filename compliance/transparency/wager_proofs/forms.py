"""Forms: filter proofs, enter a code, withdraw a proof."""

from django import forms

from compliance.core.web.ui.forms import FilterForm, ReasonField


class ProofFilterForm(FilterForm):
    search = forms.CharField(label="Round, wager or person has", required=False, max_length=64)
    state = forms.ChoiceField(
        label="State",
        required=False,
        choices=[("", "Any"), ("stands", "Can be checked"), ("withdrawn", "Withdrawn")],
    )


class ProofCodeForm(forms.Form):
    code = forms.CharField(
        label="The code on the sheet",
        help_text="Four groups of five letters and figures. Small letters and spaces will do as well.",
        max_length=60,
        error_messages={"required": "Type the code that is printed on the sheet."},
        widget=forms.TextInput({"autocomplete": "off", "spellcheck": "false", "autocapitalize": "characters"}),
    )


class WithdrawProofForm(forms.Form):
    reason = ReasonField(300, "Say why the proof is withdrawn.")
