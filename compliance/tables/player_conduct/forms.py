"""One form for all act types, with the fields that the type needs."""

import re
from datetime import datetime
from typing import Any

from django import forms
from django.core.validators import RegexValidator

from compliance.core.web.ui.forms import FilterForm, LocalDateTimeField, doubts_about_time
from compliance.tables.player_conduct.act_types import ACT_TYPES, FORFEITS, ROUNDS, SCOPE, WAGERS, ActType
from compliance.tables.player_conduct.services import ConductReport
from rounds.floor.models import Table
from rounds.intake.entry_kinds import INVALIDATION

PLAYER_MARK = RegexValidator(
    r"^[a-z][a-z0-9-]{0,39}\Z", "Use the player's mark of the day, such as p-07. Never a name."
)
PERSONAL_HELP_TEXT = "Kept apart from the ledger, and shown only to those who say why."


class ConductForm(forms.Form):
    grounds = forms.ChoiceField(label="Grounds", widget=forms.RadioSelect)
    scope = forms.ChoiceField(
        label="Excluded from", widget=forms.RadioSelect, choices=[("game", "The game"), ("casino", "The casino")]
    )
    seat = forms.IntegerField(label="Seat", min_value=1, max_value=500, required=False)
    player = forms.CharField(
        label="Or the player's mark of the day", max_length=40, required=False, validators=[PLAYER_MARK]
    )
    rounds = forms.CharField(
        label="Rounds",
        max_length=2_000,
        help_text="Their numbers, or the numbers of their entries, with commas between.",
    )
    wagers = forms.CharField(
        label="Wagers",
        max_length=2_000,
        required=False,
        help_text="Their numbers, with commas. Void wagers: leave it empty for all that the person made.",
    )
    forfeited = forms.CharField(
        label="Forfeited wagers",
        max_length=2_000,
        required=False,
        help_text="Of the person who committed the fraud.",
    )
    name = forms.CharField(label="Name, if it is known", max_length=120, required=False, help_text=PERSONAL_HELP_TEXT)
    note = forms.CharField(
        label="What happened",
        max_length=1_000,
        required=False,
        widget=forms.Textarea({"rows": 4}),
        help_text=PERSONAL_HELP_TEXT,
    )
    at = LocalDateTimeField(label="When")

    def __init__(self, *args: Any, act_type: ActType, table: Table, now: datetime, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.act_type, self.zone, self.now = act_type, table.casino.zone, now
        self.fields["grounds"].choices = list(act_type.grounds)  # type: ignore[attr-defined]
        if len(act_type.grounds) == 1:
            self.fields["grounds"].initial = act_type.grounds[0][0]
        for part, name in ((SCOPE, "scope"), (ROUNDS, "rounds"), (WAGERS, "wagers"), (FORFEITS, "forfeited")):
            if part not in act_type.extra_fields:
                del self.fields[name]
        at = self.fields["at"]
        assert isinstance(at, LocalDateTimeField)
        at.zone, at.initial = self.zone, now

    def clean_at(self) -> datetime:
        """Forms have minute precision: a time within the current minute means now."""
        at: datetime = self.cleaned_data["at"]
        is_this_minute = at.replace(second=0, microsecond=0) == self.now.replace(second=0, microsecond=0)
        return self.now if is_this_minute else at

    def clean(self) -> dict[str, Any]:
        typed: dict[str, Any] = super().clean() or {}
        is_about_rounds = self.act_type.kind == INVALIDATION and not typed.get("forfeited")
        if not is_about_rounds and not self.errors and not typed.get("seat") and not typed.get("player"):
            raise forms.ValidationError("Say who: a seat, or the player's mark of the day.")
        return typed

    def doubts(self) -> list[str]:
        return doubts_about_time(self.cleaned_data["at"], self.zone, self.now)

    def to_report(self) -> ConductReport:
        typed = self.cleaned_data
        return ConductReport(
            kind=self.act_type.kind,
            grounds=typed["grounds"],
            at=typed["at"],
            seat=typed["seat"],
            player=typed["player"],
            scope=typed.get("scope", ""),
            rounds=_split_list(typed.get("rounds")),
            wagers=_split_list(typed.get("wagers")),
            forfeited=_split_list(typed.get("forfeited")),
            person={"name": typed["name"], "note": typed["note"]},
        )


def _split_list(text: str | None) -> list[str]:
    return list(dict.fromkeys(re.findall(r"[^\s,;]+", text or "")))


class ConductFilter(FilterForm):
    kind = forms.ChoiceField(
        label="What",
        required=False,
        choices=[("", "Everything"), *((sort.kind, sort.title) for sort in ACT_TYPES.values())],
    )
    table = forms.CharField(label="Table", required=False, max_length=50)
