"""Stakes owed because something became void after it was settled: handed back, and signed for."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache

from compliance.accounts.models import Casino
from compliance.accounts.requests import CasinoRequest
from compliance.accounts.sign_off import SignOffForm
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import posted
from compliance.equipment.models import StakesReturned
from compliance.equipment.returns import (
    MAY_RETURN_STAKES,
    WagerAfter,
    access_determination,
    return_stakes,
    wagers_after,
)
from compliance.equipment.views.places import address_of, entry_link
from compliance.web.access import held_by
from compliance.web.components import Column, Table
from compliance.web.errors import Refusal
from compliance.web.forms import MoneyField
from compliance.web.templatetags.kit import local, money

TITLES = {
    "void-set": "rounds void for damaged dice",
    "invalidation": "an outcome that was invalidated",
    "wagers-voided": "wagers declared void",
}
returners_of_stakes = held_by(*MAY_RETURN_STAKES)


class ReturnStakesForm(SignOffForm):
    wagers = forms.MultipleChoiceField(
        label="Stakes that were handed back", widget=forms.CheckboxSelectMultiple,
        help_text="Tick those for which all that is owed was handed back, or a single one of which part was.",
        error_messages={"required": "Tick at least one wager."},
    )  # fmt: skip
    part = MoneyField(
        label="If only part of it was handed back, how much", required=False, min_cents=1,
        help_text="For a single wager. Leave it empty when all that is owed was handed back.",
    )  # fmt: skip
    how = forms.CharField(
        label="How it was handed back", max_length=300, help_text="Such as: in value chips at the table."
    )

    def __init__(self, *args: Any, owed: list[WagerAfter], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["wagers"].choices = [(each.key, _words(each)) for each in owed]  # type: ignore[attr-defined]


def _words(each: WagerAfter) -> SafeString:
    bet = each.bet.replace(":", " ")
    return format_html("Round {}, wager {} on {}: {} owed", each.round, each.wager, bet, money(each.due_cents))


@returners_of_stakes
@never_cache
@asks_first
def returns(request: CasinoRequest, casino: str, because: int) -> HttpResponse:
    place = request.casino
    entry = access_determination(place, because)
    owed = [each for each in wagers_after(place, entry) if each.due_cents]
    form = ReturnStakesForm(posted(request), request=request, owed=owed)
    if request.method == "POST" and form.is_valid():
        try:
            made = return_stakes(
                casino=place, because=because, wagers=form.cleaned_data["wagers"], how=form.cleaned_data["how"],
                part_cents=form.cleaned_data["part"], actor=request.user, now=timezone.now(),
            )  # fmt: skip
            what = f"{len(made.returned):,} stakes" if form.cleaned_data["part"] is None else "Part of one stake"
            messages.success(request, f"{what} recorded as handed back, in your name.")
            return redirect(address_of("returns", place, because=because))
        except Refusal as refusal:
            form.add_error(None, refusal.words)
    context = {
        "casino": place, "form": form, "owed": owed, "owed_cents": sum(each.due_cents for each in owed),
        "what": TITLES[entry.kind], "entry": entry_link(place, because), "table": returned_table(place, because),
    }  # fmt: skip
    return render(request, "equipment/returns.html", context)


def returned_table(casino: Casino, because: int) -> Table:
    return Table(
        caption="What was handed back",
        columns=(
            Column("When", lambda row: local(row.at, casino), is_row_heading=True),
            Column("Wagers", lambda row: f"{len(row.returned):,}", is_figure=True),
            Column("Amount", lambda row: money(row.cents), is_figure=True),
            Column("How", "how"),
            Column("By", "by_name"),
            Column("Recorded", lambda row: entry_link(casino, row.entry_index)),
        ),
        rows=StakesReturned.objects.filter(casino=casino, because=because),
        empty="Nothing was recorded as handed back so far.",
    )
