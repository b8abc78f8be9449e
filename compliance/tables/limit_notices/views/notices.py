"""Pages of limit notices: list, new, detail with its clock, withdraw."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.errors import Refusal
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.components import Column, DataTable, SummaryList, SummaryRow, Tag, Timeline, TimelineEntry
from compliance.core.web.ui.confirm_page import ConfirmPage, add_refusal_error, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.forms import ReasonForm
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.core.web.ui.precheck import carry_out
from compliance.tables.limit_notices.change_rules import limit_change_rule_for
from compliance.tables.limit_notices.forms import AT_TIME, LimitForm
from compliance.tables.limit_notices.models import LimitNotice, NoticeStep
from compliance.tables.limit_notices.selectors import access_notice, notices_of
from compliance.tables.limit_notices.services import schedule_notice, withdraw_notice
from compliance.tables.limit_notices.states import STATE_TAGS, NoticeState
from compliance.tables.limit_notices.views.common import limits_text, table_url
from compliance.tables.signs.models import Showing
from compliance.tables.signs.presentation.text import time_of_day
from compliance.tables.signs.selectors import clock_of
from compliance.tables.signs.views.common import SignStatus, readers_only, supervisors_only
from rounds.floor.selectors import access_table


@readers_only
@require_safe
def notices(request: CasinoRequest, casino: str) -> ListResponse:
    table = DataTable(
        caption="Changes of limits, the newest first",
        columns=(
            Column(
                "Table",
                "table.name",
                is_row_heading=True,
                link=lambda row: casino_url("notices:notice", request.casino, notice=row.pk),
            ),
            Column("Limits", limits_text),
            Column("Takes effect", "effective_at", sort="effective_at"),
            Column("State", lambda row: STATE_TAGS[NoticeState(row.state)], sort="state"),
            Column("Scheduled by", "scheduled_by_name"),
        ),
        rows=notices_of(request.casino),
        empty="No change of limits was announced yet.",
    )
    return list_response(request, "limit_notices/notices.html", {"table": table})


@supervisors_only
@allow_get_post
def new_notice(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    now = timezone.now()
    rule = limit_change_rule_for(found, now)
    form = LimitForm(bound_data(request), rule=rule)
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        try:
            notice = carry_out(
                request,
                form,
                lambda: schedule_notice(
                    table=found,
                    limits=form.limits,
                    streak_cents=typed.get("streak"),
                    note=typed["note"],
                    effective_at=typed["effective_at"] if typed["when"] == AT_TIME else None,
                    actor=request.user,
                    now=now,
                ),
            )
        except Refusal as refusal:
            add_refusal_error(form, refusal)
        else:
            messages.success(request, _success_message(notice))
            return redirect(table_url(request.casino, found.slug))
    context = {
        "casino": request.casino,
        "floor_table": found,
        "form": form,
        "rule": rule,
        "back": table_url(request.casino, found.slug),
    }
    return render(request, "limit_notices/new.html", context)


def _success_message(notice: LimitNotice) -> str:
    if notice.state == NoticeState.IN_FORCE:
        return f"{notice.table}: the new limits are in force."
    if notice.sign is None:
        return f"{notice.table}: the change is scheduled for {time_of_day(notice.effective_at, notice.casino)}."
    when = time_of_day(notice.effective_at, notice.casino)
    return f"{notice.table}: all of it changes at {when}. Put the sign up now: its clock starts when it is up."


@readers_only
@require_safe
def notice(request: CasinoRequest, casino: str, notice: int) -> HttpResponse:
    found, now = access_notice(request.user, request.casino, notice), timezone.now()
    sign = SignStatus(found.sign, clock_of(found.sign, now), now) if found.sign else None
    context = {
        "casino": request.casino,
        "notice": found,
        "tag": STATE_TAGS[NoticeState(found.state)],
        "sign": sign,
        "facts": _summary_list(found, request.casino),
        "timeline": Timeline(_timeline_entries(found), request.casino),
        "back": table_url(request.casino, found.table.slug),
    }
    return render(request, "limit_notices/notice.html", context)


def _summary_list(notice: LimitNotice, casino: Casino) -> SummaryList:
    rows = [
        SummaryRow("Limits", limits_text(notice)),
        SummaryRow("Takes effect", local(notice.effective_at, casino)),
        SummaryRow("Scheduled by", notice.scheduled_by_name),
        SummaryRow("Sign", notice.sign.name if notice.sign else "None needed"),
    ]
    if notice.note:
        rows.append(SummaryRow("Note", notice.note))
    return SummaryList(rows)


def _timeline_entries(notice: LimitNotice) -> list[TimelineEntry]:
    """Events of the sign until the notice ended. Its removal afterwards is left out."""
    end = getattr(notice, "end", None)
    entries = [TimelineEntry("Scheduled", notice.scheduled_at, notice.scheduled_by_name)]
    showings = Showing.objects.filter(sign=notice.sign).order_by("since_at") if notice.sign else ()
    for showing in showings:
        entries.append(TimelineEntry("Sign went up", showing.since_at, showing.by_name, tag=Tag("Up", "info")))
        if showing.until_at and (end is None or showing.until_at < end.at):
            lost = Tag("Lost", "danger") if showing.was_lost else Tag("Down", "warning")
            entries.append(TimelineEntry("Sign came down", showing.until_at, detail="Its clock began again.", tag=lost))
    if end is not None:
        tag = STATE_TAGS[NoticeState(end.state)]
        entries.append(TimelineEntry(tag.label, end.at, end.by_name, end.reason, tag))
    return sorted(entries, key=lambda entry: entry.at)


@supervisors_only
@allow_get_post
def withdraw(request: CasinoRequest, casino: str, notice: int) -> HttpResponse:
    found = access_notice(request.user, request.casino, notice)
    form = ReasonForm(bound_data(request), model=NoticeStep)
    act = ConfirmPage(
        title=f"Withdraw the change at {found.table}",
        consequences=("The limits stay as they are, and its sign comes down.", "The notice stays on record."),
        submit="Withdraw",
        back=casino_url("notices:notice", request.casino, notice=found.pk),
        back_label=found.table.name,
        done=f"{found.table}: the change is withdrawn.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: withdraw_notice(
            notice=found, reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now()
        ),
        redirect_to=table_url(request.casino, found.table.slug),
    )
