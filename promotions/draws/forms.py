"""Forms of draws and winners."""

from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from compliance.core.accounts.models import Casino
from compliance.core.web.ui.forms import LocalDateTimeField, MoneyField, set_zone
from promotions.draws.states import DrawAct
from promotions.terms.content.terms import Terms
from rounds.engine import Promotions
from rounds.engine.money import format_cents

PERSON_FIELDS = ("name", "address", "telephone", "email")


class DrawForm(forms.Form):
    """Base form with the casino's time zone and the current time. Refuses event times in the future."""

    def __init__(self, *args: Any, casino: Casino, now: datetime, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.casino, self.now = casino, now
        set_zone(self, casino.zone)

    def require_past(self, name: str) -> datetime:
        when: datetime = self.cleaned_data[name]
        if when > self.now:
            raise ValidationError("That is still to come. Enter when it happened.")
        return when


class DrawScheduleForm(DrawForm):
    scheduled_at = LocalDateTimeField(label="When it is to be held")
    place = forms.CharField(label="Where", max_length=300)
    method = forms.CharField(label="How the winners are drawn", max_length=300)

    def __init__(self, *args: Any, terms: Terms, **kwargs: Any) -> None:
        initial = {
            "scheduled_at": terms.awarded_at,
            "place": terms.answer_for("when-and-where-awarded").get("where", ""),
            "method": str(terms.answer_for("manner-of-award").get("text", ""))[:300],
        }
        super().__init__(*args, initial=initial, **kwargs)
        self.terms = terms

    def clean_scheduled_at(self) -> datetime:
        when: datetime = self.cleaned_data["scheduled_at"]
        if self.terms.closes_at and when < self.terms.closes_at:
            raise ValidationError("Entries are still open then. Enter a time after they close.")
        return when


class HoldForm(DrawForm):
    held_at = LocalDateTimeField(label="When it was held")
    place = forms.CharField(label="Where", max_length=300)
    method = forms.CharField(label="How the winners were drawn", max_length=300)
    entries = forms.IntegerField(label="How many entries were in the draw", min_value=0, max_value=10**9)
    scrutineer = forms.CharField(label="Scrutineer", max_length=120, required=False)
    is_confirmed = forms.BooleanField(label="The scrutineer confirms how the draw was held", required=False)
    result = forms.CharField(
        label="Result",
        widget=forms.Textarea({"rows": 3}),
        max_length=2000,
        help_text="The entries that were drawn, in order. Do not name a patron.",
    )

    def __init__(self, *args: Any, needs_scrutineer: bool, duties: Promotions, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if needs_scrutineer:
            self.fields["scrutineer"].help_text = (
                "A prize is worth so much that a scrutineer must oversee the draw "
                f"(clause {duties.scrutineer.clause}). Without one it is recorded, and flagged."
            )

    def clean_held_at(self) -> datetime:
        return self.require_past("held_at")


class StopForm(DrawForm):
    act = forms.ChoiceField(
        label="What happens to the draw",
        widget=forms.RadioSelect,
        choices=[(DrawAct.POSTPONED, "Postponed until its integrity is validated"), (DrawAct.CANCELLED, "Cancelled")],
    )
    determined_at = LocalDateTimeField(label="When the doubt was determined")
    reason = forms.CharField(
        label="Why its integrity is in doubt",
        widget=forms.Textarea({"rows": 4}),
        max_length=2000,
        help_text="Do not name a patron.",
    )

    def clean_determined_at(self) -> datetime:
        return self.require_past("determined_at")


class ValidateForm(DrawForm):
    how = forms.CharField(label="How the integrity was validated", widget=forms.Textarea({"rows": 4}), max_length=2000)
    scheduled_at = LocalDateTimeField(label="When the draw is to be held now")


class WinnerForm(DrawForm):
    prize = forms.ChoiceField(label="Prize", widget=forms.RadioSelect)
    value_cents = MoneyField(
        label="Value", required=False, help_text="Only if it differs from the value in the terms.", min_cents=1
    )
    entry_drawn = forms.CharField(
        label="Entry that was drawn", max_length=120, help_text="Such as the ticket number. Not the name."
    )
    name = forms.CharField(
        label="Name of the winner",
        max_length=200,
        required=False,
        help_text="Kept apart from everything else; every look at it is recorded.",
    )
    address = forms.CharField(label="Address", max_length=300, required=False)
    telephone = forms.CharField(label="Telephone", max_length=60, required=False)
    email = forms.EmailField(label="Email", max_length=200, required=False)

    def __init__(self, *args: Any, terms: Terms, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.terms = terms
        prize = self.fields["prize"]
        assert isinstance(prize, forms.ChoiceField)
        prize.choices = [(each.name, f"{each.name}, {format_cents(each.value_cents)}") for each in terms.prizes]

    def prize_value_cents(self) -> int:
        chosen = self.terms.prize_named(self.cleaned_data["prize"])
        typed: int | None = self.cleaned_data["value_cents"]
        return typed or (chosen.value_cents if chosen else 0)

    def doubts(self) -> list[str]:
        chosen, value = self.terms.prize_named(self.cleaned_data["prize"]), self.prize_value_cents()
        if chosen is None or value == chosen.value_cents:
            return []
        return [f"{chosen.name} is worth {format_cents(chosen.value_cents)} in the terms, not {format_cents(value)}."]

    def winner_details(self) -> dict[str, str]:
        return {name: self.cleaned_data[name] for name in PERSON_FIELDS}


class AttemptForm(DrawForm):
    method = forms.ChoiceField(label="How somebody tried", widget=forms.RadioSelect)
    attempted_at = LocalDateTimeField(label="When")
    is_reached = forms.ChoiceField(
        label="Was the winner reached?", choices=[("yes", "Yes"), ("no", "No")], widget=forms.RadioSelect
    )

    def __init__(self, *args: Any, duties: Promotions, drawn_at: datetime, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.drawn_at = drawn_at
        method = self.fields["method"]
        assert isinstance(method, forms.ChoiceField)
        method.choices = [(name, name.replace("-", " ").capitalize()) for name in duties.notification.methods]

    def clean_attempted_at(self) -> datetime:
        when = self.require_past("attempted_at")
        if when < self.drawn_at:
            raise ValidationError("The draw was not held yet then. Enter a time after it.")
        return when


class PublishForm(DrawForm):
    where = forms.CharField(label="Where they were published", max_length=300)
    published_at = LocalDateTimeField(label="When")

    def clean_published_at(self) -> datetime:
        return self.require_past("published_at")
