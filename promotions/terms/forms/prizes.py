"""The two pages of a prize: its type, then its value, details and declared contents."""

import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import slugify

from compliance.core.web.files.uploads import UploadField
from compliance.core.web.ui.forms import MoneyField, require_confirmation
from promotions.terms.content.completeness import detail_fields
from promotions.terms.content.prize_rules import (
    COUNTED_DETAILS,
    ML_A_LITRE,
    PRIZE_TYPES,
    liquor_limit,
    may_have_cash_alternative,
    open_questions,
    outright_prohibited,
    prohibitions,
)
from promotions.terms.content.terms import Prize
from promotions.terms.forms.wizard_steps import MAX_TEXT_LENGTH, TextArea
from rounds.engine import Promotions

DETAIL, FREE_OF = "detail-", "free-of-"
PLANS_FILE = "plans_sha256"
LITRES = re.compile(r"(\d{1,5})(?:\.(\d{1,3}))?")


class PrizeTypeForm(forms.Form):
    type = forms.ChoiceField(
        label="What kind of prize is it?",
        choices=list(PRIZE_TYPES.items()),
        widget=forms.RadioSelect,
        error_messages={"required": "Choose what kind of prize it is."},
    )


class LitresField(forms.CharField):
    """Litres in the form, whole millilitres in Python."""

    def clean(self, value: Any) -> Any:
        text = super().clean(value).strip()
        if not text:
            return 0
        found = LITRES.fullmatch(text)
        if found is None:
            raise ValidationError("Enter litres in figures, such as 4.5, with at most three digits after the point.")
        return int(found[1]) * ML_A_LITRE + int((found[2] or "").ljust(3, "0"))

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, int):
            return value
        return f"{value // ML_A_LITRE}.{value % ML_A_LITRE:03}".rstrip("0").rstrip(".") if value else ""


class PrizeForm(forms.Form):
    """`others` are the draft's other prizes. With `is_past` the prize was already offered, so it is recorded as it
    was."""

    name = forms.CharField(label="Name of the prize", max_length=120)
    value_cents = MoneyField(
        label="Value",
        min_cents=1,
        help_text="Of one, where there are several. Including GST.",
        error_messages={"required": "Enter what the prize is worth."},
    )
    quantity = forms.IntegerField(label="How many of them", min_value=1, max_value=100_000, initial=1)
    conditions = TextArea(
        label="Conditions",
        required=False,
        rows=3,
        help_text="On receiving, using or accepting it. Leave it empty if there are none.",
    )

    def __init__(
        self,
        *args: Any,
        prize_type: str,
        duties: Promotions,
        prescribed: Mapping[str, str],
        others: tuple[Prize, ...],
        is_past: bool,
        prize: Prize | None = None,
        **kwargs: Any,
    ) -> None:
        self.prize_type, self.duties, self.prescribed = prize_type, duties, prescribed
        self.others, self.is_past, self.prize = others, is_past, prize
        super().__init__(*args, **kwargs)
        self.initial = _initial_values(prize) if prize else {}
        for name, label, hint in detail_fields(duties, prize_type):
            said: dict[str, Any] = {"label": label, "help_text": hint, "required": not is_past}
            self.fields[DETAIL + name] = (
                forms.IntegerField(min_value=1, max_value=10_000, **said)
                if name in COUNTED_DETAILS
                else forms.CharField(max_length=MAX_TEXT_LENGTH, **said)
            )
        if DETAIL + "plans" in self.fields:
            self.fields["plans_file"] = UploadField(
                label="File with the plans", required=False, help_text="A PDF, PNG or JPEG of at most 5 MB."
            )
        self._add_cash_alternative()
        self._add_prohibited()
        self.order_fields(["name", "value_cents", "quantity", *(n for n in self.fields if n.startswith(DETAIL))])

    def _add_cash_alternative(self) -> None:
        if may_have_cash_alternative(self.duties, self.prize_type):
            self.fields["cash_alternative_cents"] = MoneyField(
                label="Cash alternative",
                required=False,
                min_cents=1,
                help_text="If the winner may choose money instead, how much. "
                f"What is not stated here cannot be paid (clause {self.duties.cash_alternative.clause}).",
            )

    def _add_prohibited(self) -> None:
        if self.prize_type in ("cash", "casino-dollars", "slots-dollars"):
            return
        limit = liquor_limit(self.duties)
        if limit:
            self.fields["liquor_ml"] = LitresField(
                label="Litres of liquor in it",
                required=False,
                help_text=f"A prize may include {limit.over_litres} litres at most (clause {limit.clause}).",
            )
        outright = [(item.item, f"{item.item[0].upper()}{item.item[1:]}") for item in outright_prohibited(self.duties)]
        self.fields["includes"] = forms.MultipleChoiceField(
            label="Does it consist of or include any of these?",
            required=False,
            widget=forms.CheckboxSelectMultiple,
            choices=[*outright, *((key, f"{words} (prescribed)") for key, words in self.prescribed.items())],
            help_text="Leave all empty if it does not.",
        )

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name.casefold() in {other.name.casefold() for other in self.others}:
            raise ValidationError("Another prize has this name. Give each prize its own, or raise how many there are.")
        return name

    def clean(self) -> dict[str, Any]:
        if self.errors or self.is_past:
            return self.cleaned_data
        for prohibition in prohibitions(self.to_prize(), self.duties, self.prescribed):
            self.add_error(prohibition.member, f"{prohibition.sentence} Clause {prohibition.clause} prohibits it.")
        self._ask_about_words()
        return self.cleaned_data

    def _ask_about_words(self) -> None:
        """Adds a box for each prohibited item that the words suggest. The form is accepted once it is answered."""
        if self.errors:
            return
        for asked in open_questions(self.to_prize(), self.duties, self.prescribed):
            name = FREE_OF + slugify(asked.item)
            question = f"{asked.sentence} Tick this if it includes none (clause {asked.clause})."
            require_confirmation(self, name, f"No, it includes no {asked.label}", question)

    def _prohibited_keys(self) -> list[str]:
        return [*(item.item for item in self.duties.prohibited), *self.prescribed]

    def to_prize(self, plans_sha256: str = "") -> Prize:
        typed = self.cleaned_data
        details = {name.removeprefix(DETAIL): typed[name] for name in self.fields if name.startswith(DETAIL)}
        details = {name: "" if value is None else str(value) for name, value in details.items()}
        plans = plans_sha256 or (self.prize.details.get(PLANS_FILE, "") if self.prize else "")
        return Prize(
            name=typed["name"],
            type=self.prize_type,
            value_cents=typed["value_cents"],
            quantity=typed["quantity"],
            conditions=typed["conditions"],
            details=details | ({PLANS_FILE: plans} if plans else {}),
            includes=tuple(typed.get("includes") or ()),
            liquor_ml=typed.get("liquor_ml") or 0,
            free_of=tuple(item for item in self._prohibited_keys() if typed.get(FREE_OF + slugify(item))),
            cash_alternative_cents=typed.get("cash_alternative_cents"),
        )


def _initial_values(prize: Prize) -> dict[str, Any]:
    plain = {name: getattr(prize, name) for name in prize.__struct_fields__ if name not in ("details", "type")}
    return plain | {DETAIL + name: value for name, value in prize.details.items()}
