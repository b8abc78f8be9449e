"""The form of each fact. Malformed input and planned breaches are shown as errors of their fields; input is kept."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec
from django import forms
from django.core.exceptions import ValidationError

from compliance.core.web.ui.forms import LocalDateTimeField, MoneyField, doubts_about_time
from rounds.engine import format_odds, pack
from rounds.floor import fact_values
from rounds.floor.errors import BadFact
from rounds.floor.fact_catalogue import FactKind, optional_wagers
from rounds.floor.fact_values import FactValue, read_value
from rounds.floor.facts.rule_breaches import Situation, find_breaches, table_setup_at
from rounds.floor.models import Table
from rounds.floor.pages.limits_by_wager import LimitsByWagerMixin
from rounds.floor.selectors import casino_facts_at
from rounds.rulebook.selectors import versions_in_force

NOW, THEN = "now", "then"


class FactForm(forms.Form):
    """Base form: adds the effective time and a note to the fields of the fact."""

    # Shown instead of msgspec's own error message.
    if_malformed = ""

    def __init__(
        self,
        *args: Any,
        kind: FactKind,
        situation: Situation,
        table: Table | None,
        now: datetime,
        before: FactValue | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.kind, self.situation, self.table, self.now = kind, situation, table, now
        self.value: FactValue | None = None
        self.breaches_then: list[str] = []
        self.build_fields()
        self._set_currency_suffix()
        self._add_time_fields()
        if before is not None:
            self.initial = {**self.initial_values(before), **self.initial}

    def build_fields(self) -> None:
        """Hook: fields that depend on the table and its rules."""

    def initial_values(self, value: Any) -> dict[str, Any]:
        """Initial form data from the fact in force."""
        return fact_values.value_as_dict(value)

    def value_from_input(self, typed: Mapping[str, Any]) -> dict[str, Any]:
        """The members of the fact's value, from the cleaned data."""
        return {name: typed.get(name) for name in self.kind.value.__struct_fields__}

    def _set_currency_suffix(self) -> None:
        amounts = [field for field in self.fields.values() if isinstance(field, MoneyField)]
        stated = casino_facts_at(self.situation.casino, self.now).get(fact_values.CurrencyValue) if amounts else None
        for field in amounts:
            field.widget.suffix = stated.code if stated else ""

    def _add_time_fields(self) -> None:
        self.fields["when"] = forms.ChoiceField(
            label="From when on?",
            widget=forms.RadioSelect,
            initial=NOW,
            choices=[(NOW, "From now on"), (THEN, "From another time")],
        )
        self.fields["effective_at"] = LocalDateTimeField(
            zone=self.situation.casino.zone,
            label="That other time",
            required=False,
            help_text="In the future, or in the past for what is recorded late.",
        )
        self.fields["note"] = forms.CharField(
            label="Note",
            max_length=500,
            required=False,
            widget=forms.Textarea({"rows": 2}),
            help_text="Kept with the fact. Needed for what is recorded late: say why.",
        )

    @property
    def effective_at(self) -> datetime:
        chosen = self.cleaned_data.get("effective_at")
        return chosen if self.cleaned_data.get("when") == THEN and chosen else self.now

    def clean(self) -> dict[str, Any]:
        typed = self.cleaned_data
        if typed.get("when") == THEN and not typed.get("effective_at") and "effective_at" not in self.errors:
            self.add_error("effective_at", "Enter the time from which it holds.")
        if not self.errors and self.effective_at < self.now and not typed.get("note"):
            self.add_error("note", "Say why this is recorded late.")
        if not self.errors:
            self._read_value(typed)
        if self.value is not None:
            self._check_rules(self.value)
        return typed

    def _read_value(self, typed: Mapping[str, Any]) -> None:
        try:
            self.value = read_value(self.kind.value, self.value_from_input(typed))
        except BadFact as problem:
            self.add_error(self._field_for_member(problem.field), self.if_malformed or problem.detail)

    def _check_rules(self, value: FactValue) -> None:
        """A planned breach is an error; of what is recorded late it is a doubt, because it happened as it did."""
        situation = table_setup_at(self.situation.casino, self.table, self.effective_at)
        for breach in find_breaches(value, situation):
            if self.effective_at >= self.now:
                self.add_error(self._field_for_member(breach.field), breach.sentence)
            else:
                self.breaches_then.append(breach.sentence)

    def doubts(self) -> list[str]:
        if self.effective_at >= self.now:
            return []
        return [*doubts_about_time(self.effective_at, self.situation.casino.zone, self.now), *self.breaches_then]

    def _field_for_member(self, member: str) -> str | None:
        """The form field for a member of the value."""
        return member if member in self.fields else None


class CurrencyForm(FactForm):
    if_malformed = "A currency is three capital letters, such as AUD."
    code = forms.CharField(label="Currency", max_length=3, help_text="Three capital letters, such as AUD.")


class ClockField(forms.TimeField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(widget=forms.TimeInput({"type": "time", "class": "input-short"}, format="%H:%M"), **kwargs)

    def clean(self, value: Any) -> Any:
        cleaned = super().clean(value)
        return f"{cleaned:%H:%M}" if cleaned else None


class GamingDayForm(FactForm):
    cut_over = ClockField(label="Cut-over", help_text="By the casino's own clock.")


class LinesField(forms.CharField):
    """One item a line: one word and a text. The word comes first, or last with `is_last`."""

    def __init__(self, *, first: str, rest: str, is_last: bool = False, **kwargs: Any) -> None:
        super().__init__(widget=forms.Textarea({"rows": 6}), **kwargs)
        self.first, self.rest, self.is_last = first, rest, is_last

    def clean(self, value: Any) -> Any:
        return [self._split_line(line) for line in (super().clean(value) or "").splitlines() if line.strip()]

    def _split_line(self, line: str) -> dict[str, str]:
        cut = line.strip().rsplit(None, 1) if self.is_last else line.strip().split(None, 1)
        if len(cut) != 2:
            raise ValidationError(f"“{line.strip()}” says only one of two things. {self.help_text}")
        word, others = (cut[1], cut[0]) if self.is_last else (cut[0], cut[1])
        return {self.first: word, self.rest: others}

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        order = (self.rest, self.first) if self.is_last else (self.first, self.rest)
        return "\n".join(" ".join(str(part[name]) for name in order) for part in value)


class ShiftsForm(FactForm):
    shifts = LinesField(
        first="starts",
        rest="name",
        is_last=True,
        label="Shifts",
        help_text="One a line: its name, then when it begins, such as Day 06:00.",
    )
    if_malformed = "Write when each shift begins as hours and minutes, such as Day 06:00."

    def _field_for_member(self, member: str) -> str | None:
        return "shifts"


class HolidaysForm(FactForm):
    days = LinesField(
        first="on",
        rest="name",
        label="Holidays",
        required=False,
        help_text="Beside the public ones, one a line: the date, then its name, such as 2026-12-24 Bank Holiday.",
    )
    working_days = LinesField(
        first="on",
        rest="name",
        label="Public holidays that are working days here",
        required=False,
        help_text="One a line: the date, then why, such as 2026-12-28 Moved by proclamation.",
    )
    if_malformed = "Write each day as year, month and day, such as 2026-12-25 Christmas Day."

    def _field_for_member(self, member: str) -> str | None:
        return "days"


class RulesForm(FactForm):
    rules = forms.ChoiceField(label="Rules", help_text="Those approved for this casino.")

    def build_fields(self) -> None:
        approved = versions_in_force(self.situation.casino, self.now)
        self.fields["rules"].choices = [(slug, version.title) for slug, version in approved.items()]  # type: ignore[attr-defined]


class PayTableForm(FactForm):
    pay_table = forms.ChoiceField(label="Pay table", widget=forms.RadioSelect)

    def build_fields(self) -> None:
        tables = self.situation.pack.law.pay_table if self.situation.pack else {}
        self.fields["pay_table"].choices = [  # type: ignore[attr-defined]
            (name, f"Pay table {name}" + (f", {one.layout}" if one.layout else "")) for name, one in tables.items()
        ]


class WagersOfferedForm(FactForm):
    wagers = forms.MultipleChoiceField(
        label="Offered at this table", required=False, widget=forms.CheckboxSelectMultiple
    )

    def build_fields(self) -> None:
        wagers = optional_wagers(self.situation.pack) if self.situation.pack else {}
        self.fields["wagers"].choices = list(wagers.items())  # type: ignore[attr-defined]


class PostedOddsForm(FactForm):
    """One field for each row of the pay table. A row left empty is paid at the odds of the rules."""

    # About thirty short fields, laid out in columns.
    has_columns = True

    wording = forms.CharField(
        label="Other words about odds",
        required=False,
        max_length=500,
        widget=forms.Textarea({"rows": 3}),
        help_text="What else the layout says about them, word for word.",
    )

    def build_fields(self) -> None:
        self.rows: dict[str, pack.PayRow] = {}
        if self.situation.pack:
            table = self.situation.pack.law.pay_table[pack.choose_pay_table(self.situation.pack, None)]
            self.rows = {f"row-{key}": row for key, row in table.pays.items()}
        for name, row in self.rows.items():
            self.fields[name] = forms.CharField(
                label=self._row_label(row),
                max_length=60,
                required=False,
                help_text=f"At least {format_odds(row.odds)}.",
                widget=forms.TextInput({"class": "input-short", "autocomplete": "off"}),
            )
        self.order_fields([*self.rows, "wording"])

    def _wager_rule(self, row: pack.PayRow) -> Any:
        assert self.situation.pack is not None
        return self.situation.pack.law.wager[row.wager]

    def _bet_codes(self, row: pack.PayRow) -> tuple[str, ...]:
        return tuple(map(str, row.bets or self._wager_rule(row).bets))

    def _row_label(self, row: pack.PayRow) -> str:
        wager = self._wager_rule(row)
        totals = ", ".join(code.rpartition(":")[2] for code in map(str, row.bets))
        level = f", on {row.level} of the dice" if len(wager.wins) > 1 else ""
        return f"{wager.name}{f' of {totals}' if totals else ''}{level}"

    def initial_values(self, value: Any) -> dict[str, Any]:
        answers: dict[str, Any] = {"wording": value.wording}
        for name, row in self.rows.items():
            posted = value.odds.get(self._bet_codes(row)[0])
            level = list(self._wager_rule(row).wins).index(row.level)
            answers[name] = posted if isinstance(posted, str) else posted[level] if posted else ""
        return answers

    def value_from_input(self, typed: Mapping[str, Any]) -> dict[str, Any]:
        odds: dict[str, Any] = {}
        for name, row in self.rows.items():
            if typed.get(name):
                for code in self._bet_codes(row):
                    odds.setdefault(code, {})[row.level] = typed[name]
        return {
            "odds": {code: self._odds_by_level(code, levels) for code, levels in odds.items()},
            "wording": typed.get("wording") or None,
        }

    def clean(self) -> dict[str, Any]:
        """A wager that is paid by the number of matching dice must have all of its odds posted, or none."""
        for name, row in self.rows.items():
            others = (other for other, one in self.rows.items() if one.wager == row.wager and one.bets == row.bets)
            if not self.cleaned_data.get(name) and any(self.cleaned_data.get(other) for other in others):
                self.add_error(name, "Enter these odds too, or leave the others of this wager empty.")
        return super().clean()

    def _odds_by_level(self, code: str, levels: Mapping[str, str]) -> str | list[str]:
        row = next(row for row in self.rows.values() if code in self._bet_codes(row))
        names = list(self._wager_rule(row).wins)
        return levels[names[0]] if len(names) == 1 else [levels.get(name, "") for name in names]

    def _field_for_member(self, member: str) -> str | None:
        """The error of a box is shown at the first row that pays it."""
        code = member.removeprefix("odds.")
        rows = (name for name, row in self.rows.items() if code in self._bet_codes(row))
        return next(rows, None) or super()._field_for_member(member)


class LimitsForm(LimitsByWagerMixin, FactForm):
    min = MoneyField(label="Minimum", min_cents=1)
    max = MoneyField(label="Maximum", min_cents=1)
    multiples = forms.BooleanField(label="The sign asks for multiples of the minimum", required=False)
    unit = MoneyField(
        label="Unit", min_cents=1, required=False, help_text="If the sign states the steps in which wagers may rise."
    )

    def build_fields(self) -> None:
        rule = self.situation.pack.duties.minimum_raise if self.situation.pack else None
        if rule:
            self.fields["min"].help_text = (
                f"To raise it, a sign must first be displayed at the table for {rule.notice_minutes} minutes "
                f"(clause {rule.clause})."
            )
        self.add_wager_fields(self.situation.pack, self.situation.facts.get(fact_values.LimitsValue))

    def value_from_input(self, typed: Mapping[str, Any]) -> dict[str, Any]:
        by_bet = self.typed_limits_by_bet(typed)
        value = super().value_from_input(typed) | {"by_bet": by_bet}
        return {name: each for name, each in value.items() if each is not msgspec.UNSET}


class SmallestChipForm(FactForm):
    cents = MoneyField(label="Smallest payable chip", min_cents=1)


class StreakAmountForm(FactForm):
    cents = MoneyField(label="Amount of one wager", min_cents=1)


class EquipmentForm(FactForm):
    layout = forms.CharField(label="Layout", max_length=40, help_text="Its letter in the rules, such as C.")
    screen = forms.ChoiceField(
        label="Result screen",
        widget=forms.RadioSelect,
        choices=[("none", "None"), ("plasma", "Plasma"), ("lcd", "LCD")],
    )
    touch_screen = forms.BooleanField(label="Results are entered on a touch screen", required=False)
    shaker = forms.ChoiceField(
        label="Shaker",
        widget=forms.RadioSelect,
        choices=[("none", "None"), ("manual", "Manual"), ("automated", "Automated")],
    )


class DecksForm(FactForm):
    decks = forms.IntegerField(label="Decks in the shoe", min_value=0, max_value=1000)


class DiceForm(FactForm):
    dice = forms.CharField(label="Set of dice", max_length=60, required=False, help_text="Empty: none in use.")

    def value_from_input(self, typed: Mapping[str, Any]) -> dict[str, Any]:
        return {"dice": typed["dice"] or None}


class ShakerForm(FactForm):
    shaker = forms.CharField(label="Shaker", max_length=60, required=False, help_text="Empty: none in use.")
    type = forms.ChoiceField(
        label="Kind",
        widget=forms.RadioSelect,
        required=False,
        choices=[("manual", "Manual"), ("automated", "Automated")],
    )

    def value_from_input(self, typed: Mapping[str, Any]) -> dict[str, Any]:
        return {"shaker": typed["shaker"] or None, "type": (typed["type"] or None) if typed["shaker"] else None}


class TerminalLayoutForm(FactForm):
    layout = forms.ChoiceField(label="Layout", widget=forms.RadioSelect)

    def build_fields(self) -> None:
        tables = self.situation.pack.law.pay_table if self.situation.pack else {}
        self.fields["layout"].choices = [  # type: ignore[attr-defined]
            (one.layout, f"{one.layout}: pay table {name}") for name, one in tables.items() if one.layout
        ]


FORM_BY_FACT: Mapping[str, type[FactForm]] = {
    "currency": CurrencyForm,
    "gaming-day": GamingDayForm,
    "shifts": ShiftsForm,
    "holidays": HolidaysForm,
    "rules": RulesForm,
    "pay-table": PayTableForm,
    "wagers-offered": WagersOfferedForm,
    "posted-odds": PostedOddsForm,
    "limits": LimitsForm,
    "smallest-chip": SmallestChipForm,
    "streak-amount": StreakAmountForm,
    "equipment": EquipmentForm,
    "decks": DecksForm,
    "dice": DiceForm,
    "shaker": ShakerForm,
    "layout": TerminalLayoutForm,
}
