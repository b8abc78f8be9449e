"""What an edit begins from, as a form."""

from typing import Any

from django import forms

from rounds.rulebook.editing.starts import OWN_FILE, Choices


class BeginForm(forms.Form):
    start = forms.ChoiceField(
        label="Begin from",
        help_text="The text is copied. What it is copied from stays as it is.",
        error_messages={"required": "Choose what to begin from."},
    )
    pack_file = forms.FileField(
        label="The file",
        required=False,
        help_text="Only if you chose a file of your own above. It may have faults: they are shown beside the text.",
        widget=forms.FileInput({"accept": ".toml"}),
        error_messages={"empty": "The file is empty. Choose another."},
    )

    def __init__(self, *args: Any, choices: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chooser = self.fields["start"]
        assert isinstance(chooser, forms.ChoiceField)
        chooser.choices = choices

    def clean(self) -> dict[str, Any]:
        if self.cleaned_data.get("start") == OWN_FILE and not self.cleaned_data.get("pack_file"):
            self.add_error("pack_file", "Choose the file.")
        return self.cleaned_data
