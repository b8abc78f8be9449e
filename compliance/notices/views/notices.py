"""Changes of a table's limits: the list, a new one, one of them with its clock, and withdrawing it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.models import Casino
from compliance.accounts.requests import CasinoRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.notices.forms import THEN, LimitForm, ReasonForm
from compliance.notices.models import LimitNotice
from compliance.notices.planning import rule_for
from compliance.notices.selectors import access_notice, notices_of
from compliance.notices.services import schedule_notice, withdraw_notice
from compliance.notices.states import TAGS, State
from compliance.notices.views.presenting import address_of, limits_words, show_refusal, table_page
from compliance.signs.models import Showing
from compliance.signs.selectors import clock_of
from compliance.signs.views.presenting import SignNow, readers, supervisors
from compliance.web.components import Column, SummaryList, SummaryRow, Table, Tag, Timeline, TimelineEntry
from compliance.web.errors import Refusal
from compliance.web.templatetags.kit import local
from rounds.floor.selectors import access_table


@readers
@never_cache
@require_safe
def notices(request: CasinoRequest, casino: str) -> HttpResponse:
    table = Table(
        caption="Changes of limits, the newest first",
        columns=(
            Column(
                "Table", "table.name", is_row_heading=True,
                link=lambda row: address_of("notice", request.casino, notice=row.pk),
            ),
            Column("Limits", limits_words),
            Column("Takes effect", lambda row: local(row.effective_at, request.casino), sort="effective_at"),
            Column("State", lambda row: TAGS[State(row.state)], sort="state"),
            Column("Scheduled by", "scheduled_by_name"),
        ),
        rows=notices_of(request.casino),
        query=request.GET,
        empty="No change of limits was announced yet.",
    )  # fmt: skip
    return render(request, "notices/notices.html", {"casino": request.casino, "table": table})


@supervisors
@never_cache
@asks_first
def new(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    now = timezone.now()
    rule = rule_for(found, now)
    form = LimitForm(posted(request), rule=rule)
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        try:
            notice = schedule_notice(
                table=found, limits=form.limits, streak_cents=typed.get("streak"), note=typed["note"],
                effective_at=typed["effective_at"] if typed["when"] == THEN else None, actor=request.user, now=now,
            )  # fmt: skip
        except Refusal as refusal:
            show_refusal(form, refusal)
        else:
            messages.success(request, _said(notice))
            return redirect(table_page(request.casino, found.slug))
    context = {
        "casino": request.casino, "floor_table": found, "form": form, "rule": rule,
        "back": table_page(request.casino, found.slug),
    }  # fmt: skip
    return render(request, "notices/new.html", context)


def _said(notice: LimitNotice) -> str:
    if notice.state == State.IN_FORCE:
        return f"{notice.table}: the new limits are in force."
    if notice.sign is None:
        return f"{notice.table}: the change is scheduled."
    return f"{notice.table}: the change is scheduled. Put the sign up now: its clock starts when it is up."


@readers
@never_cache
@require_safe
def notice(request: CasinoRequest, casino: str, notice: int) -> HttpResponse:
    found, now = access_notice(request.user, request.casino, notice), timezone.now()
    sign = SignNow(found.sign, clock_of(found.sign, now), now) if found.sign else None
    context = {
        "casino": request.casino,
        "notice": found,
        "tag": TAGS[State(found.state)],
        "sign": sign,
        "facts": _facts(found, request.casino),
        "timeline": Timeline(_happened(found), request.casino),
        "back": table_page(request.casino, found.table.slug),
    }
    return render(request, "notices/notice.html", context)


def _facts(notice: LimitNotice, casino: Casino) -> SummaryList:
    rows = [
        SummaryRow("Limits", limits_words(notice)),
        SummaryRow("Takes effect", local(notice.effective_at, casino)),
        SummaryRow("Scheduled by", notice.scheduled_by_name),
        SummaryRow("Sign", notice.sign.name if notice.sign else "None needed"),
    ]
    if notice.note:
        rows.append(SummaryRow("Note", notice.note))
    return SummaryList(rows)


def _happened(notice: LimitNotice) -> list[TimelineEntry]:
    """What the sign did until the notice ended; that it comes down afterwards is no news."""
    end = getattr(notice, "end", None)
    entries = [TimelineEntry("Scheduled", notice.scheduled_at, notice.scheduled_by_name)]
    showings = Showing.objects.filter(sign=notice.sign).order_by("since_at") if notice.sign else ()
    for showing in showings:
        entries.append(TimelineEntry("Sign went up", showing.since_at, showing.by_name, tag=Tag("Up", "info")))
        if showing.until_at and (end is None or showing.until_at < end.at):
            lost = Tag("Lost", "danger") if showing.was_lost else Tag("Down", "warning")
            entries.append(TimelineEntry("Sign came down", showing.until_at, detail="Its clock began again.", tag=lost))
    if end is not None:
        tag = TAGS[State(end.state)]
        entries.append(TimelineEntry(tag.label, end.at, end.by_name, end.reason, tag))
    return sorted(entries, key=lambda entry: entry.at)


@supervisors
@never_cache
@asks_first
def withdraw(request: CasinoRequest, casino: str, notice: int) -> HttpResponse:
    found = access_notice(request.user, request.casino, notice)
    form = ReasonForm(posted(request))
    act = Act(
        title=f"Withdraw the change at {found.table}",
        consequences=("The limits stay as they are, and its sign comes down.", "The notice stays on record."),
        submit="Withdraw",
        back=address_of("notice", request.casino, notice=found.pk),
        back_label=found.table.name,
        done=f"{found.table}: the change is withdrawn.",
        is_danger=True,
    )
    return act_page(
        request, act, form,
        lambda: withdraw_notice(
            notice=found, reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now()
        ),
        then=table_page(request.casino, found.table.slug),
    )  # fmt: skip
