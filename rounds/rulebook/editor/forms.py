"""Forms of the editor: choosing a starting point, and changing single values."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.validators import RegexValidator

from rounds.engine import EngineError, parse_odds
from rounds.rulebook.editor.single_values import EditableValue
from rounds.rulebook.editor.starting_points import OWN_FILE, GroupedChoices

# Texts longer than this many characters get a textarea: a one-line field on a tablet would cut them off.
MAX_ONE_LINE_LENGTH = 30
ONE_LINE = RegexValidator(r"[\x00-\x1f\x7f]", "Write it in one line.", inverse_match=True)


class StartingPointForm(forms.Form):
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

    def __init__(self, *args: Any, choices: GroupedChoices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chooser = self.fields["start"]
        assert isinstance(chooser, forms.ChoiceField)
        chooser.choices = choices

    def clean(self) -> dict[str, Any]:
        if self.cleaned_data.get("start") == OWN_FILE and not self.cleaned_data.get("pack_file"):
            self.add_error("pack_file", "Choose the file.")
        return self.cleaned_data


class ValuesForm(forms.Form):
    """One field for each editable value in a part of the pack."""

    has_columns = True

    def __init__(self, *args: Any, values: Sequence[EditableValue], clauses: frozenset[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.values, self.clauses = values, clauses
        for value in values:
            self.fields[value.key] = _form_field(value)

    def clean(self) -> dict[str, Any]:
        for value in self.values:
            typed = self.cleaned_data.get(value.key)
            if value.kind == "odds" and typed and not _is_odds_text(typed):
                self.add_error(value.key, "Write odds such as 8.5 to 1 or 1 to 10.")
            if value.kind == "clause" and typed and typed not in self.clauses:
                self.add_error(value.key, f"Clause {typed} is not among the clauses of this pack.")
        return self.cleaned_data

    def changed_values(self) -> dict[str, object]:
        """The values that differ from the text. An empty field leaves its value unchanged."""
        typed = {value.key: (value, self.cleaned_data[value.key]) for value in self.values}
        return {
            key: new
            for key, (value, new) in typed.items()
            if new not in ("", None) and new != value.now and not (value.now is None and new is False)
        }


def _is_odds_text(typed: str) -> bool:
    try:
        parse_odds(typed)
    except EngineError:
        return False
    return True


def _form_field(value: EditableValue) -> forms.Field:
    if value.kind == "flag":
        return forms.BooleanField(label=value.label, required=False, initial=value.now is True)
    if value.kind == "count":
        return forms.IntegerField(label=value.label, required=False, initial=value.now, min_value=1, max_value=10**12)
    if value.kind == "choice":
        choices = [(choice, choice.replace("-", " ")) for choice in value.choices]
        return forms.ChoiceField(label=value.label, required=False, initial=value.now, choices=choices)
    widget = (
        forms.Textarea({"rows": 3})
        if value.kind == "text" and len(str(value.now)) > MAX_ONE_LINE_LENGTH
        else forms.TextInput()
    )
    return forms.CharField(
        label=value.label, required=False, initial=value.now, max_length=2000, widget=widget, validators=[ONE_LINE]
    )
