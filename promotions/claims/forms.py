"""Forms of claims: claim, decision, notification of the reasons, payment."""

from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from compliance.core.web.local_time import format_local
from compliance.core.web.ui.forms import FilterForm, LocalDateTimeField, MoneyField
from promotions.claims.denials import missing_details
from promotions.claims.models import Claim, ClaimState, HandoverType
from promotions.draws.forms import DrawForm
from promotions.draws.models import Winner
from promotions.terms.content.prize_rules import outright_prohibited
from promotions.terms.content.terms import Prize, Terms
from promotions.terms.forms.prizes import LitresField
from rounds.engine import Promotions
from rounds.engine.money import format_cents

NO_NAMES = "Do not name the patron: this stays when the details are gone."
METHOD_LABELS = {"cash": "Cash", "crossed-cheque": "Crossed cheque", "electronic-transfer": "Electronic transfer"}


class ClaimForm(DrawForm):
    """The value of a claim is that of its prize in the terms; nobody types it."""

    prize = forms.ChoiceField(label="Prize that is claimed", widget=forms.RadioSelect)
    winner = forms.ChoiceField(label="Winner", required=False, help_text="If the claimant is a recorded winner.")
    claimed_at = LocalDateTimeField(label="When it was claimed")
    details = forms.CharField(
        label="Details of the claim",
        required=False,
        widget=forms.Textarea({"rows": 4}),
        max_length=2000,
        help_text=NO_NAMES,
    )

    def __init__(self, *args: Any, terms: Terms, winners: list[Winner], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.terms, self.winners = terms, {str(winner.pk): winner for winner in winners}
        prize, winner = self.fields["prize"], self.fields["winner"]
        assert isinstance(prize, forms.ChoiceField)
        assert isinstance(winner, forms.ChoiceField)
        prize.choices = [(each.name, f"{each.name}, {format_cents(each.value_cents)}") for each in terms.prizes]
        known = ((key, f"{each.reference}, {each.prize}") for key, each in self.winners.items())
        winner.choices = [("", "Nobody who is recorded"), *known]

    def clean_claimed_at(self) -> Any:
        return self.require_past("claimed_at")

    def prize_value_cents(self) -> int:
        prize = self.terms.prize_named(self.cleaned_data["prize"])
        return prize.value_cents if prize else 0

    def doubts(self) -> list[str]:
        winner, prize = self.chosen_winner(), self.cleaned_data["prize"]
        if winner is None or winner.prize == prize:
            return []
        return [f"{winner.reference} won {winner.prize}, and {prize} is claimed."]

    def chosen_winner(self) -> Winner | None:
        return self.winners.get(self.cleaned_data["winner"])


class MeetForm(forms.Form):
    reasons = forms.CharField(
        label="Note", required=False, widget=forms.Textarea({"rows": 3}), max_length=2000, help_text=NO_NAMES
    )


class DenyForm(forms.Form):
    """Has name and address fields only when the rules require them."""

    reasons = forms.CharField(
        label="Why the claim is not met",
        widget=forms.Textarea({"rows": 4}),
        max_length=2000,
        help_text=f"The patron is told these words. {NO_NAMES}",
    )
    name = forms.CharField(label="Name of the claimant", max_length=200, required=False)
    address = forms.CharField(label="Address", max_length=300, required=False, widget=forms.Textarea({"rows": 3}))
    is_unknown = forms.BooleanField(
        label="Name or address could not be obtained",
        required=False,
        help_text="The denial is recorded without them, and flagged.",
    )

    def __init__(self, *args: Any, claim: Claim, terms: Terms, duties: Promotions, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        missing = missing_details(claim, terms, duties.denial)
        if not missing:
            for name in ("name", "address", "is_unknown"):
                del self.fields[name]
            return
        over = format_cents(duties.denial.record_over_cents)
        self.fields["name"].help_text = f"Kept with denied claims over {over} (clause {duties.denial.record_clause})."
        for name in missing:
            self.fields[name].required = self.data.get("is_unknown") != "on"
            self.fields[name].error_messages["required"] = (
                f"Enter the claimant's {name}, or tick that it could not be obtained."
            )

    def claimant_details(self) -> dict[str, str]:
        return {name: self.cleaned_data.get(name, "") for name in ("name", "address")}


class ReasonsToldForm(DrawForm):
    method = forms.ChoiceField(label="How the patron was told", widget=forms.RadioSelect)
    told_at = LocalDateTimeField(label="When")

    def __init__(
        self, *args: Any, duties: Promotions, claimed_at: datetime, decided_at: datetime | None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.claimed_at, self.decided_at = claimed_at, decided_at
        method = self.fields["method"]
        assert isinstance(method, forms.ChoiceField)
        named = {"mail": "Letter by mail"}
        method.choices = [
            (name, named.get(name, name.replace("-", " ").capitalize())) for name in duties.notification.methods
        ]

    def clean_told_at(self) -> Any:
        when = self.require_past("told_at")
        if when < self.claimed_at:
            raise ValidationError("Nothing was claimed yet then. Enter a time after the claim.")
        return when

    def doubts(self) -> list[str]:
        """Forms have minute precision: the minute of the decision is not before it."""
        told_at, decided_at = self.cleaned_data["told_at"], self.decided_at
        if decided_at is None or told_at >= decided_at.replace(second=0, microsecond=0):
            return []
        return [f"The claim was denied on {format_local(decided_at, self.casino)}, after the time that you entered."]


class PayForm(DrawForm):
    """For money: the methods the winner chose and the amounts paid by each. Otherwise: what was handed over."""

    form = forms.ChoiceField(label="What was handed over", widget=forms.RadioSelect)
    paid_at = LocalDateTimeField(label="When")
    statement = forms.CharField(label="Note", required=False, max_length=300, help_text=NO_NAMES)

    def __init__(
        self,
        *args: Any,
        prize: Prize | None,
        value_cents: int,
        duties: Promotions,
        prescribed: dict[str, str],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.duties, self.methods = duties, duties.cash_choice.methods
        form = self.fields["form"]
        assert isinstance(form, forms.ChoiceField)
        is_cash = prize is not None and prize.is_cash
        kinds = [HandoverType.CASH] if is_cash else [HandoverType.AS_DESCRIBED, HandoverType.CASH_ALTERNATIVE]
        form.choices = [(kind.value, kind.label) for kind in kinds]
        form.initial = kinds[0].value
        self.has_choice = is_cash and value_cents > duties.cash_choice.over_cents
        if self.has_choice:
            self._add_amounts("chosen", "Winner chose", f"Clause {duties.cash_choice.clause}: the winner chooses.")
        due_cents = value_cents if is_cash else prize.cash_alternative_cents if prize else None
        stated = "" if due_cents is None else f"The terms state {format_cents(due_cents)} in all."
        self._add_amounts("paid", "Paid", stated)
        if not is_cash:
            self._add_prohibited(prescribed)
            if prize is None or prize.cash_alternative_cents is None:
                form.help_text = (
                    "The terms state no cash alternative. If one was paid, it is recorded and flagged "
                    f"(clause {duties.cash_alternative.clause})."
                )

    def _add_amounts(self, of: str, words: str, hint: str) -> None:
        for method in self.methods:
            label = f"{words}: {METHOD_LABELS.get(method, method.replace('-', ' ')).lower()}"
            self.fields[f"{of}-{method}"] = MoneyField(label=label, required=False, help_text=hint)

    def _add_prohibited(self, prescribed: dict[str, str]) -> None:
        self.fields["liquor_ml"] = LitresField(label="Litres of liquor in it", required=False)
        outright = [(item.item, item.item.capitalize()) for item in outright_prohibited(self.duties)]
        self.fields["includes"] = forms.MultipleChoiceField(
            label="Did it include any of these?",
            required=False,
            widget=forms.CheckboxSelectMultiple,
            choices=[*outright, *prescribed.items()],
        )

    def amounts(self, of: str) -> dict[str, int]:
        typed = ((method, self.cleaned_data.get(f"{of}-{method}")) for method in self.methods)
        return {method: cents for method, cents in typed if cents}

    def clean_paid_at(self) -> Any:
        return self.require_past("paid_at")

    def clean(self) -> dict[str, Any]:
        first = f"paid-{self.methods[0]}"
        is_money = self.cleaned_data.get("form") in (HandoverType.CASH, HandoverType.CASH_ALTERNATIVE)
        if is_money and not self.amounts("paid") and not any(name.startswith("paid-") for name in self.errors):
            self.add_error(first, "Enter how much was paid, and how.")
        if self.cleaned_data.get("form") == HandoverType.AS_DESCRIBED and self.amounts("paid"):
            self.add_error(first, ValidationError("No money is paid with the prize itself. Leave the amounts empty."))
        return self.cleaned_data


class ClaimFilter(FilterForm):
    words = forms.CharField(label="Number, prize or words", required=False, max_length=120)
    state = forms.ChoiceField(label="State", required=False, choices=[("", "Any"), *ClaimState.choices])


class DenialFilter(FilterForm):
    words = forms.CharField(label="Number, prize or words of the reasons", required=False, max_length=120)
    since = forms.DateField(label="Denied from", required=False, widget=forms.DateInput({"type": "date"}))
    until = forms.DateField(label="Denied until", required=False, widget=forms.DateInput({"type": "date"}))
    over_cents = MoneyField(label="Over", required=False)
