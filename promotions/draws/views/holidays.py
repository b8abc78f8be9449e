"""Holidays of a casino, over which deadlines roll. Maintained by an administrator as dated facts of rounds.floor."""

from datetime import date, datetime
from typing import Any

from django import forms
from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.access import require_roles
from compliance.core.web.ui.components import Column, DataTable
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from promotions.shared.permissions import MAY_KEEP_HOLIDAYS, MAY_READ_HOLIDAYS
from rounds.floor.fact_values import Holiday, HolidaysValue
from rounds.floor.facts.gaming_days import MIDNIGHT, clock_instant
from rounds.floor.pages.fact_forms import LinesField
from rounds.floor.selectors import casino_facts_at
from rounds.floor.services import record_fact


class HolidaysForm(forms.Form):
    days = LinesField(
        first="on",
        rest="name",
        label="Holidays",
        required=False,
        help_text="One a line: year, month and day, then its name, such as 2026-12-25 Christmas Day.",
    )

    def clean_days(self) -> tuple[Holiday, ...]:
        return tuple(sorted((self._parse_day(line) for line in self.cleaned_data["days"]), key=lambda day: day.on))

    def _parse_day(self, line: dict[str, str]) -> Holiday:
        try:
            return Holiday(on=date.fromisoformat(line["on"]), name=line["name"][:120])
        except ValueError:
            raise forms.ValidationError(f"“{line['on']}” is no date. Write it as 2026-12-25.") from None


def stated_holidays(casino: Casino, now: datetime) -> tuple[Holiday, ...]:
    stated = casino_facts_at(casino, now).get(HolidaysValue)
    return stated.days if stated else ()


@require_roles(*MAY_READ_HOLIDAYS)
@require_safe
def holidays(request: CasinoRequest, casino: str) -> ListResponse:
    table = DataTable(
        caption=f"Holidays of {request.casino}",
        columns=(
            Column("Day", lambda row: f"{row.on:%A}, {row.on.day} {row.on:%B %Y}", is_row_heading=True),
            Column("Holiday", "name"),
        ),
        rows=sorted(stated_holidays(request.casino, timezone.now()), key=lambda day: day.on),
        empty="No holidays are kept. Deadlines roll over weekends only.",
    )
    may_keep = request.user.has_role(*MAY_KEEP_HOLIDAYS, casino=request.casino)
    return list_response(request, "draws/holidays.html", {"table": table, "may_keep": may_keep})


@require_roles(*MAY_KEEP_HOLIDAYS)
@allow_get_post
def change_holidays(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()
    current: list[dict[str, Any]] = [
        {"on": day.on.isoformat(), "name": day.name} for day in stated_holidays(request.casino, now)
    ]
    form = HolidaysForm(bound_data(request), initial={"days": current})
    act = ConfirmPage(
        f"Change the holidays of {request.casino}",
        (
            "The new calendar holds from the beginning of today. Deadlines of days before keep the calendar they had.",
            "The whole calendar is recorded, under your name.",
        ),
        "Keep this calendar",
        casino_url("draws:holidays", request.casino),
        "Holidays",
        "The calendar is kept.",
    )
    today = clock_instant(now.astimezone(request.casino.zone).date(), MIDNIGHT, request.casino.zone)
    return confirm_page(
        request,
        act,
        form,
        lambda: record_fact(
            casino=request.casino,
            value=HolidaysValue(days=form.cleaned_data["days"]),
            effective_at=today,
            actor=request.user,
            now=now,
        ),
    )
