"""The casino's holidays, which deadlines roll over: kept by an administrator, a dated fact of the floor."""

from datetime import date, datetime
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.models import Casino
from compliance.accounts.requests import CasinoRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.web.access import held_by
from compliance.web.components import Column, Table
from promotions.standing import MAY_KEEP_HOLIDAYS, MAY_READ_HOLIDAYS
from promotions.terms.views.common import address_of
from rounds.floor.fact_forms import LinesField
from rounds.floor.gaming_days import MIDNIGHT, starts_at
from rounds.floor.selectors import casino_facts_at
from rounds.floor.services import state_fact
from rounds.floor.values import Holiday, Holidays


class CalendarForm(forms.Form):
    days = LinesField(
        first="on", rest="name", label="Holidays", required=False,
        help_text="One a line: year, month and day, then its name, such as 2026-12-25 Christmas Day.",
    )  # fmt: skip

    def clean_days(self) -> tuple[Holiday, ...]:
        return tuple(sorted((self._day(line) for line in self.cleaned_data["days"]), key=lambda day: day.on))

    def _day(self, line: dict[str, str]) -> Holiday:
        try:
            return Holiday(on=date.fromisoformat(line["on"]), name=line["name"][:120])
        except ValueError:
            raise forms.ValidationError(f"“{line['on']}” is no date. Write it as 2026-12-25.") from None


def calendar_of(casino: Casino, now: datetime) -> tuple[Holiday, ...]:
    stated = casino_facts_at(casino, now).get(Holidays)
    return stated.days if stated else ()


@held_by(*MAY_READ_HOLIDAYS)
@never_cache
@require_safe
def holidays(request: CasinoRequest, casino: str) -> HttpResponse:
    table = Table(
        caption=f"Holidays of {request.casino}",
        columns=(
            Column("Day", lambda row: f"{row.on:%A}, {row.on.day} {row.on:%B %Y}", is_row_heading=True),
            Column("Holiday", "name"),
        ),
        rows=sorted(calendar_of(request.casino, timezone.now()), key=lambda day: day.on),
        query=request.GET,
        empty="No holidays are kept. Deadlines roll over weekends only.",
    )
    may_keep = request.user.holds(*MAY_KEEP_HOLIDAYS, casino=request.casino)
    return render(request, "draws/holidays.html", {"casino": request.casino, "table": table, "may_keep": may_keep})


@held_by(*MAY_KEEP_HOLIDAYS)
@never_cache
@asks_first
def change(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()
    kept: list[dict[str, Any]] = [
        {"on": day.on.isoformat(), "name": day.name} for day in calendar_of(request.casino, now)
    ]
    form = CalendarForm(posted(request), initial={"days": kept})
    act = Act(
        f"Change the holidays of {request.casino}",
        (
            "The new calendar holds from the beginning of today. Deadlines of days before keep the calendar they had.",
            "The whole calendar is recorded, under your name.",
        ),
        "Keep this calendar",
        address_of("draws:holidays", request.casino),
        "Holidays",
        "The calendar is kept.",
    )  # fmt: skip
    today = starts_at(now.astimezone(request.casino.zone).date(), MIDNIGHT, request.casino.zone)
    return act_page(
        request, act, form,
        lambda: state_fact(
            casino=request.casino, value=Holidays(days=form.cleaned_data["days"]), effective_at=today,
            actor=request.user, now=now,
        ),
    )  # fmt: skip
