"""Forms for limits. A refusal of the service is shown at the field it belongs to."""

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from compliance.core.accounts.models import Casino
from compliance.core.web.ui.forms import LocalDateTimeField, MoneyField, set_zone
from compliance.tables.limit_notices.change_rules import LimitChangeRule
from rounds.floor.fact_values import MAX_CENTS, CurrencyValue, LimitsValue
from rounds.floor.pages.limits_by_wager import LimitsByWagerMixin
from rounds.floor.selectors import casino_facts_at

SOONEST, AT_TIME = "soonest", "then"
PSEUDONYM = re.compile(r"[a-z][a-z0-9-]{0,39}")


class LimitForm(LimitsByWagerMixin, forms.Form):
    """New limits of a table and when they start. Has only the fields that the rules of the table allow."""

    min = MoneyField(label="Minimum", min_cents=1, max_cents=MAX_CENTS)
    max = MoneyField(label="Maximum", min_cents=1, max_cents=MAX_CENTS)
    multiples = forms.BooleanField(label="Wagers must be multiples of the minimum", required=False)
    unit = MoneyField(
        label="Unit above the minimum",
        min_cents=1,
        max_cents=MAX_CENTS,
        required=False,
        help_text="Leave it empty if the sign states none.",
    )
    streak = MoneyField(label="Super Streak amount", min_cents=1, max_cents=MAX_CENTS, required=False)
    when = forms.ChoiceField(
        label="From when on?",
        widget=forms.RadioSelect,
        initial=SOONEST,
        choices=[(SOONEST, "As soon as the rules allow"), (AT_TIME, "From this time")],
    )
    effective_at = LocalDateTimeField(label="Time of the change", required=False)
    note = forms.CharField(label="Note", max_length=500, required=False, widget=forms.Textarea({"rows": 2}))

    def __init__(self, *args: Any, rule: LimitChangeRule, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        casino = rule.table.casino
        set_zone(self, casino.zone)
        self.fields["effective_at"].help_text = rule.earliest_text
        self.initial.setdefault("effective_at", rule.suggested_at)
        if rule.before:
            held = rule.before
            self.initial.update(min=held.min, max=held.max, multiples=held.multiples, unit=held.unit)
        self.initial["streak"] = rule.streak_cents
        self.add_wager_fields(rule.pack, rule.before)
        if not rule.allows_unit:
            del self.fields["unit"]
        if not rule.allows_streaks:
            del self.fields["streak"]
        set_currency_suffix(self, casino, rule)

    def clean(self) -> dict[str, Any]:
        typed = self.cleaned_data
        if typed.get("when") == AT_TIME and not typed.get("effective_at") and "effective_at" not in self.errors:
            self.add_error("effective_at", "Enter the time of the change.")
        return typed

    @property
    def limits(self) -> LimitsValue:
        typed = self.cleaned_data
        return LimitsValue(
            min=typed["min"],
            max=typed["max"],
            multiples=typed["multiples"],
            unit=typed.get("unit"),
            by_bet=self.typed_limits_by_bet(typed),
        )


def set_currency_suffix(form: forms.Form, casino: Casino, rule: LimitChangeRule) -> None:
    stated = casino_facts_at(casino, rule.now).get(CurrencyValue)
    for field in form.fields.values():
        if isinstance(field, MoneyField):
            field.widget.suffix = stated.code if stated else ""


class PlayerForm(forms.Form):
    """The player concerned: today's pseudonym at the table, or the seat. Never a name."""

    player = forms.CharField(
        label="Player",
        max_length=40,
        required=False,
        help_text="The pseudonym of the gaming day, such as p-17. Never a name or a card number.",
    )
    seat = forms.IntegerField(label="Seat", min_value=1, max_value=500, required=False)

    def clean_player(self) -> str:
        player = str(self.cleaned_data["player"]).strip()
        if player and not PSEUDONYM.fullmatch(player):
            raise ValidationError("Small letters, figures and hyphens, beginning with a letter, such as p-17.")
        return player

    def clean(self) -> dict[str, Any]:
        typed = self.cleaned_data
        if not self.errors and not typed.get("player") and not typed.get("seat"):
            self.add_error("player", "Say which player, or which seat.")
        return typed


class PlayerLimitForm(PlayerForm):
    min = MoneyField(label="This player's minimum", min_cents=1, max_cents=MAX_CENTS)
    max = MoneyField(label="This player's maximum", min_cents=1, max_cents=MAX_CENTS)


class WarningForm(PlayerForm):
    warned_at = LocalDateTimeField(label="When were they told?")
    round_name = forms.CharField(label="Round", max_length=64, required=False, help_text="If it is known.")

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_zone(self, casino.zone)
