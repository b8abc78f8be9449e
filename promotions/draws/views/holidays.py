"""Holidays of a casino, over which deadlines roll: the public ones of its rules' place, corrected by recorded facts."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django import forms
from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.access import require_roles
from compliance.core.web.ui.components import Column, DataTable, Tag
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from promotions.shared.duties import promotion_rules_at
from promotions.shared.holiday_calendar import public_holidays
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
        help_text="Beside the public ones, one a line: the date, then its name, such as 2026-12-24 Bank Holiday.",
    )
    working_days = LinesField(
        first="on",
        rest="name",
        label="Public holidays that are working days here",
        required=False,
        help_text="One a line: the date, then why, such as 2026-12-28 Moved by proclamation.",
    )

    def clean_days(self) -> tuple[Holiday, ...]:
        return self._parse_days("days")

    def clean_working_days(self) -> tuple[Holiday, ...]:
        return self._parse_days("working_days")

    def _parse_days(self, name: str) -> tuple[Holiday, ...]:
        return tuple(sorted((self._parse_day(line) for line in self.cleaned_data[name]), key=lambda day: day.on))

    def _parse_day(self, line: dict[str, str]) -> Holiday:
        try:
            return Holiday(on=date.fromisoformat(line["on"]), name=line["name"][:120])
        except ValueError:
            raise forms.ValidationError(f"“{line['on']}” is no date. Write it as 2026-12-25.") from None


def recorded_corrections(casino: Casino, now: datetime) -> HolidaysValue:
    return casino_facts_at(casino, now).get(HolidaysValue) or HolidaysValue(days=())


@dataclass(frozen=True)
class CalendarDay:
    on: date
    name: str
    source: Tag


def holiday_list(casino: Casino, now: datetime) -> list[CalendarDay]:
    """The public holidays from last year to next year, and every correction."""
    rules, corrections = promotion_rules_at(casino, now), recorded_corrections(casino, now)
    calendar = rules.duties.notification.holiday_calendar if rules else ""
    today = now.astimezone(casino.zone).date()
    public = {on: name for year in (-1, 0, 1) for on, name in public_holidays(calendar, today.year + year).items()}
    corrected = {day.on for day in (*corrections.days, *corrections.working_days)}
    days = [CalendarDay(on, name, Tag("Public holiday")) for on, name in public.items() if on not in corrected]
    days += [CalendarDay(day.on, day.name, Tag("Added here", "info")) for day in corrections.days]
    days += [CalendarDay(day.on, day.name, Tag("Working day here", "warning")) for day in corrections.working_days]
    return sorted(days, key=lambda day: day.on)


@require_roles(*MAY_READ_HOLIDAYS)
@require_safe
def holidays(request: CasinoRequest, casino: str) -> ListResponse:
    table = DataTable(
        caption=f"Holidays of {request.casino}",
        columns=(
            Column("Day", lambda row: f"{row.on:%A}, {row.on.day} {row.on:%B %Y}", is_row_heading=True),
            Column("Holiday", "name"),
            Column("From", "source"),
        ),
        rows=holiday_list(request.casino, timezone.now()),
        empty="No holidays are known. Deadlines roll over weekends only.",
    )
    may_keep = request.user.has_role(*MAY_KEEP_HOLIDAYS, casino=request.casino)
    return list_response(request, "draws/holidays.html", {"table": table, "may_keep": may_keep})


@require_roles(*MAY_KEEP_HOLIDAYS)
@allow_get_post
def change_holidays(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()
    corrections = recorded_corrections(request.casino, now)
    current: dict[str, list[dict[str, Any]]] = {
        name: [{"on": day.on.isoformat(), "name": day.name} for day in getattr(corrections, name)]
        for name in ("days", "working_days")
    }
    form = HolidaysForm(bound_data(request), initial=current)
    act = ConfirmPage(
        f"Change the holidays of {request.casino}",
        (
            "Public holidays are known already. Record here what differs from them.",
            "The corrections hold from the beginning of today. Deadlines of days before keep the calendar they had.",
            "All corrections are recorded, under your name.",
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
            value=HolidaysValue(days=form.cleaned_data["days"], working_days=form.cleaned_data["working_days"]),
            effective_at=today,
            actor=request.user,
            now=now,
        ),
    )
