"""Forms for chips without value (colour checks, non-value chips), whose value is fixed when they are issued, and for
vouchers."""

from typing import Any, get_args

from django import forms

from compliance.core.web.ui.forms import MoneyField
from compliance.tables.equipment.forms.base import PSEUDONYM, SLUG, NameField, RecordForm, choices_from
from rounds.engine import pack
from rounds.floor.fact_values import LimitsValue
from rounds.floor.models import Table
from rounds.floor.selectors import facts_at
from rounds.intake.protocol import chips as lines
from rounds.intake.protocol.fields import Body, Position, Staff


class HolderForm(RecordForm):
    """A record about what one player holds."""

    is_in_play = True

    seat = forms.IntegerField(label="Seat", min_value=1, max_value=500, required=False)
    player = forms.CharField(
        label="Or the player's mark of the day", max_length=40, required=False, validators=[PSEUDONYM]
    )

    def clean(self) -> dict[str, Any]:
        typed: dict[str, Any] = super().clean() or {}
        if not typed.get("seat") and not typed.get("player") and not self.errors:
            raise forms.ValidationError("Say whose they are: a seat, or the player's mark of the day.")
        return typed

    def holder_fields(self) -> dict[str, Any]:
        return {"seat": self.cleaned_data["seat"], "player": self.cleaned_data["player"] or None}


class ChipsForm(HolderForm):
    set = NameField(label="Set of the table", help_text="As the set is marked, such as T3.")
    colour = forms.CharField(label="Colour", max_length=50, validators=[SLUG])
    value = MoneyField(label="Value of one chip", min_cents=1)
    chips = forms.IntegerField(label="How many", min_value=1, max_value=100_000)
    field_order = ("set", "colour", "value", "chips", "seat", "player")

    def duty(self) -> pack.ColourChips | None:
        return self.table_context.pack.duties.colour_chips if self.table_context.pack else None


class ChipsIssuedForm(ChipsForm):
    title, button = "Issue chips without value", "Issue"

    marker = MoneyField(label="Value on the marker button", required=False, min_cents=1)
    agreed = forms.BooleanField(label="Whoever holds this colour already agrees", required=False)
    approved_by = forms.ChoiceField(
        label="Who allowed the same player a further colour",
        required=False,
        choices=[("", "Nobody, or it is the first"), *choices_from(*get_args(Position))],
    )
    approved_number = NameField(label="Their staff number", required=False)

    def prepare(self) -> None:
        duty = self.duty()
        if duty is not None and duty.value_unless_declared == "table-minimum":
            self.fields["value"].required = False
            self.fields["value"].help_text = "Empty if the player named none: then the table's minimum counts."

    def clean(self) -> dict[str, Any]:
        """Without a value, the table's minimum when they were issued."""
        typed = super().clean()
        self.is_declared = typed.get("value") is not None
        if not self.is_declared and "value" not in self.errors:
            limits = facts_at(self.table_context.table, typed["at"]).get(LimitsValue) if typed.get("at") else None
            if limits is None:
                self.add_error("value", "The table's minimum is not on record. Enter the value.")
            else:
                typed["value"] = limits.min
        if typed.get("approved_number") and not typed.get("approved_by"):
            self.add_error("approved_by", "Choose the position of whoever allowed it.")
        return typed

    def guidance(self) -> list[str]:
        duty = self.duty()
        if duty is None:
            return []
        sentences = [
            f"A value above the table's minimum is shown by a marker button (rule {duty.marker_above_minimum_clause}).",
            f"Several colours for one player: the {duty.several_colours_by} allows it "
            f"(rule {duty.several_colours_clause}).",
        ]
        if duty.one_value_clause:
            sentences.append(f"One value for a player's chips of one colour (rule {duty.one_value_clause}).")
        if duty.same_colour_needs_agreement_clause:
            sentences.append(
                "The same colour for two players only if those who hold it agree "
                f"(rule {duty.same_colour_needs_agreement_clause})."
            )
        return sentences

    def body(self, by: Staff) -> Body:
        typed = self.cleaned_data
        approved_by = (
            Staff(position=typed["approved_by"], number=typed["approved_number"] or None)
            if typed["approved_by"]
            else None
        )
        return lines.ChipsIssued(
            set=typed["set"],
            colour=typed["colour"],
            value=typed["value"],
            chips=typed["chips"],
            marker=typed["marker"],
            agreed=typed["agreed"] or None,
            approved_by=approved_by,
            declared=None if self.is_declared else False,
            **self.holder_fields(),
        )


class ChipsRedeemedForm(ChipsForm):
    title, button = "Take chips without value back", "Take back"

    paid = MoneyField(label="Paid for them")
    issued_at = forms.ChoiceField(label="Issued at table")
    issuer_closed = forms.BooleanField(label="That table is closed", required=False)

    def prepare(self) -> None:
        field: Any = self.fields["issued_at"]
        tables = Table.objects.filter(casino=self.table_context.table.casino).order_by("name")
        field.choices = [(table.slug, table.name) for table in tables]
        field.initial = self.table_context.table.slug

    def guidance(self) -> list[str]:
        duty = self.duty()
        if duty is None:
            return []
        elsewhere = "unless that table is closed" if duty.elsewhere_if_closed else "and nowhere else"
        return [f"They are redeemed at the table that issued them, {elsewhere} (rule {duty.redeemed_clause})."]

    def body(self, by: Staff) -> Body:
        typed = self.cleaned_data
        return lines.ChipsRedeemed(
            set=typed["set"],
            colour=typed["colour"],
            value=typed["value"],
            chips=typed["chips"],
            paid=typed["paid"],
            issued_at=typed["issued_at"],
            issuer_closed=typed["issuer_closed"] or None,
            **self.holder_fields(),
        )


class VoucherForm(HolderForm):
    title, button = "Exchange a voucher", "Exchange"

    voucher = NameField(label="Voucher", help_text="Its number, as it is printed on it.")
    value = MoneyField(label="Value of the voucher", min_cents=1)
    tokens = MoneyField(label="Handed out in tokens")
    conditions_met = forms.ChoiceField(
        label="Are the conditions printed on it met?",
        widget=forms.RadioSelect,
        choices=[("yes", "Yes"), ("no", "No")],
    )
    field_order = ("voucher", "value", "tokens", "conditions_met", "seat", "player")

    def guidance(self) -> list[str]:
        duty = self.table_context.pack.duties.voucher if self.table_context.pack else None
        if duty is None:
            return []
        return [f"It is exchanged for tokens of the same value, on the conditions printed on it (rule {duty.clause})."]

    def body(self, by: Staff) -> Body:
        typed = self.cleaned_data
        return lines.VoucherExchanged(
            voucher=typed["voucher"],
            value=typed["value"],
            tokens=typed["tokens"],
            conditions_met=typed["conditions_met"] == "yes",
            by=by,
            **self.holder_fields(),
        )
