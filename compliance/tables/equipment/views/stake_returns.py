"""Stakes owed for rounds or wagers voided after settlement: the list, and recording that they were handed back."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from compliance.core.accounts.auth.reauthenticate import ReauthenticateForm
from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.corrections.list_marks import CorrectionMarks
from compliance.core.corrections.selectors import record_lines, recorded_indexes
from compliance.core.web.access import require_roles
from compliance.core.web.errors import Refusal
from compliance.core.web.templatetags.ui import money
from compliance.core.web.ui.components import Column, DataTable
from compliance.core.web.ui.confirm_page import allow_get_post, bound_data
from compliance.core.web.ui.forms import MoneyField
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.precheck import carry_out
from compliance.tables.equipment.models import StakesReturned
from compliance.tables.equipment.services.stake_returns import (
    MAY_RETURN_STAKES,
    VoidedWager,
    access_void_set,
    return_stakes,
    voided_wagers,
)
from compliance.tables.equipment.views.common import entry_link
from rounds.intake.entry_kinds import INVALIDATION, VOID_SET, WAGERS_VOIDED
from rounds.rulebook.labels import bet_label

TITLES: dict[str, str] = {
    VOID_SET: "rounds determined to be affected by damaged dice",
    INVALIDATION: "an outcome that was invalidated",
    WAGERS_VOIDED: "wagers declared void",
}
stake_returners_only = require_roles(*MAY_RETURN_STAKES)


class ReturnStakesForm(ReauthenticateForm):
    wagers = forms.MultipleChoiceField(
        label="Stakes that were handed back",
        widget=forms.CheckboxSelectMultiple,
        help_text="Tick those whose stake was handed back whole, or a single one of which part was.",
        error_messages={"required": "Tick at least one wager."},
    )
    part = MoneyField(
        label="If only part of it was handed back, how much",
        required=False,
        min_cents=1,
        help_text="For a single wager. Leave it empty when the whole amount was handed back.",
    )
    how = forms.CharField(
        label="How it was handed back", max_length=300, help_text="Such as: in value chips at the table."
    )

    def __init__(self, *args: Any, listed: list[VoidedWager], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["wagers"].choices = [(each.key, _wager_label(each)) for each in listed]  # type: ignore[attr-defined]


def _wager_label(each: VoidedWager) -> SafeString:
    what = "{} owed" if each.due_cents else "{} staked, not owed"
    amount = format_html(what, money(each.due_cents or each.returnable_cents))
    return format_html("Round {}, wager {} on {}: {}", each.round, each.wager, bet_label(each.bet), amount)


@stake_returners_only
@allow_get_post
def stake_returns(request: CasinoRequest, casino: str, because: int) -> HttpResponse:
    place = request.casino
    entry = access_void_set(place, because)
    listed = [each for each in voided_wagers(place, entry) if each.returnable_cents]
    form = ReturnStakesForm(bound_data(request), request=request, listed=listed)
    if request.method == "POST" and form.is_valid():
        try:
            made = carry_out(
                request,
                form,
                lambda: return_stakes(
                    casino=place,
                    because=because,
                    wagers=form.cleaned_data["wagers"],
                    how=form.cleaned_data["how"],
                    part_cents=form.cleaned_data["part"],
                    actor=request.user,
                    now=timezone.now(),
                ),
            )
            count = len(made.returned)
            stakes = f"{count:,} stake{'' if count == 1 else 's'}"
            what = stakes if form.cleaned_data["part"] is None else "Part of one stake"
            messages.success(request, f"{what} recorded as handed back, in your name.")
            return redirect(casino_url("equipment:returns", place, because=because))
        except Refusal as refusal:
            form.add_error(None, refusal.full_message)
    context = {
        "casino": place,
        "form": form,
        "listed": listed,
        "owed_cents": sum(each.due_cents for each in listed),
        "not_owed_cents": sum(each.returnable_cents for each in listed if not each.due_cents),
        "what": TITLES[entry.kind],
        "entry": entry_link(place, because),
        "table": returned_stakes_table(place, because),
        "corrections": record_lines(
            request.user, place, recorded_indexes(StakesReturned.recorded.filter(casino=place, because=because))
        ),
    }
    return render(request, "equipment/returns.html", context)


def returned_stakes_table(casino: Casino, because: int) -> DataTable:
    marks = CorrectionMarks(casino)
    return DataTable(
        caption="What was handed back",
        columns=(
            Column("When", "at", is_row_heading=True),
            Column("Wagers", lambda row: f"{len(row.returned):,}", is_figure=True),
            Column("Amount", "total_cents", is_money=True),
            Column("How", "how"),
            Column("By", "by_name"),
            Column("Recorded", lambda row: entry_link(casino, row.entry_index)),
            marks.column,
        ),
        rows=StakesReturned.recorded.filter(casino=casino, because=because),
        prepare=marks.read,
        empty="Nothing was recorded as handed back so far.",
    )
