"""Forms of the recovery pages. Beginning an epoch needs a fresh second-factor code."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from compliance.core.accounts.auth.reauthenticate import ReauthenticateForm

MAX_NOTE_BYTES = 100_000
MAX_TEXT_LENGTH = 4000


class BeginEpochForm(ReauthenticateForm):
    lost = forms.CharField(
        label="What was lost",
        help_text="From when to when, at which tables, and of what kind: rounds, decisions, notices. If nothing was, "
        "say so, and how you know.",
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea({"rows": 6}),
        error_messages={"required": "Say what was lost, or that nothing was."},
    )
    why = forms.CharField(
        label="Why it was restored",
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea({"rows": 4}),
        error_messages={"required": "Say what happened that made the restore necessary."},
    )
    evidence = forms.CharField(
        label="What shows it",
        help_text="Where the papers, bundles or statements are that this rests on.",
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea({"rows": 3}),
        required=False,
    )


class CheckpointForm(forms.Form):
    checkpoint = forms.CharField(
        label="The checkpoint",
        help_text="Its text: the name of the log, a number, a line of letters, an empty line, and the signatures.",
        max_length=MAX_NOTE_BYTES,
        widget=forms.Textarea({"rows": 7, "spellcheck": "false"}),
        required=False,
        strip=False,
    )
    file = forms.FileField(
        label="Or a file that holds it",
        help_text="Such as 000001234.checkpoint of a bundle, or what a witness keeps.",
        required=False,
        max_length=200,
    )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if file := cleaned.get("file"):
            cleaned["checkpoint"] = self._read_upload(file)
        if not (cleaned.get("checkpoint") or "").strip():
            raise ValidationError("Copy a checkpoint here, or choose the file that holds it.")
        return cleaned

    def _read_upload(self, file: Any) -> str:
        if file.size > MAX_NOTE_BYTES:
            raise ValidationError("The file is too large: a checkpoint is a short text.")
        try:
            return str(file.read().decode())
        except UnicodeDecodeError:
            raise ValidationError("The file is not a checkpoint: it is no text.") from None
