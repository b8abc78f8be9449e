"""One form for every sort of act, with the fields that the sort asks for."""

import re
from datetime import datetime
from typing import Any

from django import forms
from django.core.validators import RegexValidator

from compliance.conduct.services import Said
from compliance.conduct.sorts import FORFEITS, ROUNDS, SCOPE, SORTS, WAGERS, Sort
from compliance.web.forms import FilterForm, LocalDateTimeField
from rounds.floor.models import Table

MARK = RegexValidator(r"^[a-z][a-z0-9-]{0,39}\Z", "Use the player's mark of the day, such as p-07. Never a name.")
PERSONAL = "Kept apart from the ledger, and shown only to those who say why."


class ConductForm(forms.Form):
    grounds = forms.ChoiceField(label="Grounds", widget=forms.RadioSelect)
    scope = forms.ChoiceField(
        label="Excluded from", widget=forms.RadioSelect, choices=[("game", "The game"), ("casino", "The casino")]
    )
    seat = forms.IntegerField(label="Seat", min_value=1, max_value=500, required=False)
    player = forms.CharField(label="Or the player's mark of the day", max_length=40, required=False, validators=[MARK])
    rounds = forms.CharField(
        label="Rounds",
        max_length=2_000,
        help_text="Their numbers, or the numbers of their entries, with commas between.",
    )
    wagers = forms.CharField(
        label="Wagers", max_length=2_000, required=False,
        help_text="Their numbers, with commas. Void wagers: leave it empty for all that the person made.",
    )  # fmt: skip
    forfeited = forms.CharField(
        label="Forfeited wagers", max_length=2_000, required=False,
        help_text="Of the person who committed the fraud. All other wagers are refunded.",
    )  # fmt: skip
    name = forms.CharField(label="Name, if it is known", max_length=120, required=False, help_text=PERSONAL)
    note = forms.CharField(
        label="What happened", max_length=1_000, required=False, widget=forms.Textarea({"rows": 4}), help_text=PERSONAL
    )
    at = LocalDateTimeField(label="When")

    def __init__(self, *args: Any, sort: Sort, table: Table, now: datetime, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sort, self.now = sort, now
        self.fields["grounds"].choices = list(sort.grounds)  # type: ignore[attr-defined]
        if len(sort.grounds) == 1:
            self.fields["grounds"].initial = sort.grounds[0][0]
        for part, name in ((SCOPE, "scope"), (ROUNDS, "rounds"), (WAGERS, "wagers"), (FORFEITS, "forfeited")):
            if part not in sort.asks:
                del self.fields[name]
        at = self.fields["at"]
        assert isinstance(at, LocalDateTimeField)
        at.zone, at.initial = table.casino.zone, now

    def clean_at(self) -> datetime:
        """Forms are typed to the minute: the minute that is not over yet means now."""
        at: datetime = self.cleaned_data["at"]
        is_this_minute = at.replace(second=0, microsecond=0) == self.now.replace(second=0, microsecond=0)
        return self.now if is_this_minute else at

    def clean(self) -> dict[str, Any]:
        typed: dict[str, Any] = super().clean() or {}
        is_about_rounds = self.sort.kind == "invalidation" and not typed.get("forfeited")
        if not is_about_rounds and not self.errors and not typed.get("seat") and not typed.get("player"):
            raise forms.ValidationError("Say who: a seat, or the player's mark of the day.")
        return typed

    def said(self) -> Said:
        typed = self.cleaned_data
        return Said(
            kind=self.sort.kind, grounds=typed["grounds"], at=typed["at"], seat=typed["seat"], player=typed["player"],
            scope=typed.get("scope", ""), rounds=_list(typed.get("rounds")), wagers=_list(typed.get("wagers")),
            forfeited=_list(typed.get("forfeited")), person={"name": typed["name"], "note": typed["note"]},
        )  # fmt: skip


def _list(text: str | None) -> list[str]:
    return list(dict.fromkeys(re.findall(r"[^\s,;]+", text or "")))


class ConductFilter(FilterForm):
    kind = forms.ChoiceField(
        label="What",
        required=False,
        choices=[("", "Everything"), *((sort.kind, sort.title) for sort in SORTS.values())],
    )
    table = forms.CharField(label="Table", required=False, max_length=50)
