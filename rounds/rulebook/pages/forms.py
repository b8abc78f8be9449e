"""Forms of the rulebook's pages. Those that record a decision ask to re-authenticate."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms

from compliance.core.accounts.auth.reauthenticate import ReauthenticateForm
from compliance.core.web.local_time import format_local
from compliance.core.web.ui.forms import FilterForm, LocalDateTimeField, ReasonField, set_zone
from rounds.engine import Pack
from rounds.rulebook.errors import EvidenceNeeded
from rounds.rulebook.models import MAX_REASON_LENGTH, RuleVersion

OWN_FILE = "own"


class PackForm(forms.Form):
    pack = forms.ChoiceField(
        label="Which rules?", widget=forms.RadioSelect, error_messages={"required": "Choose the rules."}
    )
    pack_file = forms.FileField(
        label="Your own rule pack",
        required=False,
        help_text="A TOML file, if you chose your own above. Every fault in it is named before anything is proposed.",
        widget=forms.FileInput({"accept": ".toml"}),
    )

    def __init__(self, *args: Any, packs: Sequence[Pack], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        shipped = [(pack.name, f"{pack.title}, version {pack.version}") for pack in packs]
        chooser = self.fields["pack"]
        assert isinstance(chooser, forms.ChoiceField)
        chooser.choices = [*shipped, (OWN_FILE, "A rule pack of your own")]

    def clean(self) -> dict[str, Any]:
        if self.cleaned_data.get("pack") == OWN_FILE and not self.cleaned_data.get("pack_file"):
            self.add_error("pack_file", "Choose the file of your rule pack.")
        return self.cleaned_data


class SourceForm(forms.Form):
    source = forms.FileField(
        label="Source document",
        help_text="The rules as they were published: a PDF or a plain text of at most 10 MB. Patrons can download it.",
        widget=forms.FileInput({"accept": ".pdf,.txt"}),
        error_messages={"required": "Choose the document.", "empty": "The file is empty. Choose another."},
    )


class ReadingsForm(forms.Form):
    """One field for each reading of the pack, with the pack's default preselected."""

    def __init__(self, *args: Any, pack: Pack, chosen: dict[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, reading in pack.readings.items():
            self.fields[name] = forms.ChoiceField(
                label=f"{name} (clause {reading.clause})",
                help_text=reading.explains,
                choices=[(choice, f"{choice}: {meant.explains}") for choice, meant in reading.choices.items()],
                initial=chosen.get(name, reading.default),
                widget=forms.RadioSelect,
            )


class ApproveForm(ReauthenticateForm):
    effective_at = LocalDateTimeField(label="Effective from")
    evidence = ReasonField(
        MAX_REASON_LENGTH,
        "Say what shows that the rules apply from then on.",
        "What shows that the rules apply from then on, such as a gazette or a letter.",
        label="Evidence for that instant",
    )
    edge_reason = ReasonField(
        MAX_REASON_LENGTH,
        "Give the reason: without it these edges cannot be approved.",
        "One reason for all that are listed above. It is kept with the approval.",
        label="Why these house edges are accepted",
    )

    def __init__(
        self,
        *args: Any,
        zone: ZoneInfo,
        expected_at: datetime | None,
        has_edges: bool,
        now: datetime,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.expected_at, self.zone, self.now = expected_at, zone, now
        set_zone(self, zone)
        instant = self.fields["effective_at"]
        instant.help_text = "Rounds that commence at or after this instant are judged by this version."
        if expected_at is not None and expected_at > now:
            instant.initial = expected_at
        elif expected_at is not None:
            instant.help_text += f" The proposal names {format_local(expected_at, zone)}."
        if expected_at is not None:
            self.fields["evidence"].required = False
            self.fields["evidence"].help_text = "Needed only if you give another instant than the named one."
        if not has_edges:
            del self.fields["edge_reason"]

    def clean(self) -> dict[str, Any]:
        typed = self.cleaned_data
        if typed.get("effective_at") not in (None, self.expected_at) and typed.get("evidence") == "":
            self.add_error("evidence", EvidenceNeeded().full_message)
        return typed

    def doubts(self) -> list[str]:
        """An instant in the past: the page then says how many rounds are judged again."""
        effective_at = self.cleaned_data["effective_at"]
        if effective_at >= self.now:
            return []
        return [f"{format_local(effective_at, self.zone)} is in the past: rounds played since then are judged again."]


class WithdrawVersionForm(ReauthenticateForm):
    reason = ReasonField(MAX_REASON_LENGTH, "Say why the version is withdrawn.")


class RulingForm(ReauthenticateForm):
    reading = forms.ChoiceField(
        label="Which reading do you adopt?",
        widget=forms.RadioSelect,
        error_messages={"required": "Choose the reading that you adopt."},
    )
    reasons = ReasonField(
        MAX_REASON_LENGTH,
        "Give your reasons.",
        "Your reasons, as they will be published with the ruling.",
        label="Reasons",
    )
    wanted_at = LocalDateTimeField(label="Effective from")

    def __init__(self, *args: Any, version: RuleVersion, pack: Pack, zone: ZoneInfo, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chooser = self.fields["reading"]
        assert isinstance(chooser, forms.ChoiceField)
        chooser.choices = [
            (f"{name}={choice}", f"{name} (clause {reading.clause}): {choice}. {meant.explains}")
            for name, reading in pack.readings.items()
            for choice, meant in reading.choices.items()
            if version.readings[name] != choice
        ]
        set_zone(self, zone)
        self.fields[
            "wanted_at"
        ].help_text = "Rounds that commence at or after this instant are judged by the ruling, once it is approved."


class TruthTableFilter(FilterForm):
    table = forms.ChoiceField(label="Pay table", required=False)
    bet = forms.ChoiceField(label="Bet", required=False)

    def __init__(self, *args: Any, tables: Sequence[str], bets: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, choices in (("table", tables), ("bet", ("", *bets))):
            chooser = self.fields[name]
            assert isinstance(chooser, forms.ChoiceField)
            chooser.choices = [(choice, choice or "Every bet") for choice in choices]
