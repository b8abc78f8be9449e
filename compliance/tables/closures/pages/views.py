"""Pages for closing a table, made for a tablet: status, announce, close, emergency, withdraw, reopen."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.corrections.list_marks import CorrectionMarks, Parts, no_entry
from compliance.core.corrections.selectors import newest_indexes, record_lines
from compliance.core.web.errors import Refusal
from compliance.core.web.ui.components import Column, DataTable, Tag
from compliance.core.web.ui.confirm_page import ConfirmPage, add_refusal_error, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.forms import ReasonForm
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.core.web.ui.precheck import carry_out
from compliance.core.web.ui.record_notes import ListNotes, record_notes
from compliance.tables.closures.closing_rules import closing_rule_for
from compliance.tables.closures.models import Closure, ClosureStep
from compliance.tables.closures.pages.forms import AT_TIME, AnnounceForm, EmergencyForm
from compliance.tables.closures.selectors import RELATED_FIELDS, access_closure, announced_closures
from compliance.tables.closures.services import (
    announce_closure,
    close_in_emergency,
    close_table,
    reopen_table,
    withdraw_closure,
)
from compliance.tables.closures.services.corrections import CORRECTABLE_STATES
from compliance.tables.closures.states import STATE_TAGS, ClosureState
from compliance.tables.closures.table_activity import OpenOrClose, last_open_or_close, open_streak_wagers, recent_rounds
from compliance.tables.closures.todo_items import closing_todo_items
from compliance.tables.signs.models import Showing
from compliance.tables.signs.permissions import SUPERVISORS
from compliance.tables.signs.selectors import showing_entries
from compliance.tables.signs.views.common import readers_only, supervisors_only
from rounds.floor import models
from rounds.floor.selectors import access_table

MAX_WITH_FINDINGS = 10
ENTRY_RELATIONS = ("steps", "sign__showings", "call__showings")


@readers_only
@require_safe
def table(request: CasinoRequest, casino: str, table: str) -> ListResponse:
    found, now = access_table(request.user, request.casino, table), timezone.now()
    turn = last_open_or_close(found)
    context = {
        "floor_table": found,
        "rule": closing_rule_for(found, now),
        "turn": turn,
        "is_closed": turn is not None and not turn.is_open,
        "announced": next(iter(announced_closures([found])), None),
        "needs": list(closing_todo_items([found], now)),
        "may_act": request.user.has_role(*SUPERVISORS, casino=request.casino),
        "closures": _closure_table(request, found),
        "corrections": record_lines(request.user, request.casino, _manual_entries(found, turn)),
        "notes": record_notes(request, [*_shown_entries(found), turn.index if turn else None]),
    }
    return list_response(request, "closures/table.html", context, lists=("closures",))


def _entries_of(closure: Closure) -> list[int | None]:
    shown = [*showing_entries(closure.sign), *showing_entries(closure.call)]
    return [closure.entry_index, *shown, *(step.entry_index for step in closure.steps.all())]


def _shown_entries(table: models.Table) -> list[int | None]:
    """The entries of the last closings, about which the page shows the findings."""
    last = Closure.objects.filter(table=table).select_related("sign", "call").prefetch_related(*ENTRY_RELATIONS)
    return [entry for closure in last[:MAX_WITH_FINDINGS] for entry in _entries_of(closure)]


def _manual_entries(table: models.Table, turn: OpenOrClose | None) -> list[int]:
    """The newest entries that closed or opened the table; the one of an opening without a closing is its line."""
    steps = ClosureStep.recorded.filter(closure__table=table, by__isnull=False, state__in=CORRECTABLE_STATES)
    newest = newest_indexes(steps)
    return [*newest, turn.index] if turn is not None and turn.index + 1 not in newest else newest


def _closure_table(request: CasinoRequest, table: models.Table) -> DataTable:
    notes = ListNotes(request, _entries_of)
    parts = (
        Parts(ClosureStep.recorded.all(), "closure_id"),
        Parts(Showing.recorded.all(), "sign__closure", "shown_index"),
        Parts(Showing.recorded.all(), "sign__closure", "removed_index"),
    )
    marks = CorrectionMarks(request.casino, parts, own=no_entry, also_read=notes.read)

    def sign_cell(row: Closure) -> str | Tag:
        if row.is_emergency:
            return Tag("Emergency", "danger")
        return row.sign.name if row.sign else "None needed"

    return DataTable(
        caption="Closings of this table, the newest first",
        columns=(
            Column("Closes", "closes_at", is_row_heading=True),
            Column("State", lambda row: notes.tag(row, STATE_TAGS[ClosureState(row.state)])),
            Column("Players", lambda row: "present" if row.players_present else "none"),
            Column("Super Streak", lambda row: "in progress" if row.streak_in_progress else ""),
            Column("Sign", sign_cell),
            Column("Telling since", "told_at"),
            Column("Reason", "reason"),
            Column("By", "announced_by_name"),
            marks.column,
        ),
        rows=Closure.objects.filter(table=table)
        .select_related(*RELATED_FIELDS, "call")
        .prefetch_related(*ENTRY_RELATIONS),
        prepare=marks.read,
        empty="No closing of this table was recorded by people yet.",
        is_caption_hidden=True,
    )


@supervisors_only
@allow_get_post
def announce(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    found, now = access_table(request.user, request.casino, table), timezone.now()
    form = AnnounceForm(bound_data(request), rule=closing_rule_for(found, now))
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        try:
            closure = carry_out(
                request,
                form,
                lambda: announce_closure(
                    table=found,
                    closes_at=typed["closes_at"] if typed["when"] == AT_TIME else None,
                    reason=typed["reason"],
                    actor=request.user,
                    now=now,
                    **form.occupancy(),
                ),
            )
        except Refusal as refusal:
            add_refusal_error(form, refusal)
        else:
            said = "Put the sign up now: its clock starts when it is up." if closure.sign else "No sign is needed."
            messages.success(request, f"{found}: the closing is announced. {said}")
            return redirect(casino_url("signs:table", casino, table=found.slug))
    return _form_page(request, found, form, f"Close {found}", "Announce the closing", is_danger=False)


@supervisors_only
@allow_get_post
def close_in_emergency_form(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    found, now = access_table(request.user, request.casino, table), timezone.now()
    form = EmergencyForm(bound_data(request), rule=closing_rule_for(found, now))
    if request.method == "POST" and form.is_valid():
        try:
            carry_out(
                request,
                form,
                lambda: close_in_emergency(
                    table=found, reason=form.cleaned_data["reason"], actor=request.user, now=now, **form.occupancy()
                ),
            )
        except Refusal as refusal:
            add_refusal_error(form, refusal)
        else:
            messages.success(request, f"{found} is closed. It is on record as an emergency.")
            return redirect(casino_url("closures:table", request.casino, table=found.slug))
    return _form_page(request, found, form, f"Close {found} in an emergency", "Close now", is_danger=True)


def _form_page(
    request: CasinoRequest, table: models.Table, form: forms.Form, title: str, submit: str, *, is_danger: bool
) -> HttpResponse:
    now = timezone.now()
    context = {
        "casino": request.casino,
        "floor_table": table,
        "form": form,
        "title": title,
        "submit": submit,
        "is_danger": is_danger,
        "rule": closing_rule_for(table, now),
        "rounds": _recent_rounds_table(table),
        "running": open_streak_wagers(table),
        "back": casino_url("closures:table", request.casino, table=table.slug),
    }
    return render(request, "closures/announce.html", context)


def _recent_rounds_table(table: models.Table) -> DataTable:
    columns = (
        Column("Round", "name", is_row_heading=True),
        Column("When", "at"),
        Column("Wagers", "wagers", is_figure=True),
        Column("Players", "players", is_figure=True),
    )
    empty = "No round of this table was recorded."
    return DataTable(caption="Its last wagers", columns=columns, rows=recent_rounds(table), empty=empty, name="rounds")


@supervisors_only
@require_POST
def close(request: CasinoRequest, casino: str, closure: int) -> HttpResponse:
    """Closes the announced table with one POST, unless the audit would report it: then the page asks first."""
    found = access_closure(request.user, request.casino, closure)
    act = ConfirmPage(
        title=f"Close {found.table}",
        consequences=("Play ends at once.",),
        submit="Close the table",
        back=casino_url("closures:table", request.casino, table=found.table.slug),
        back_label=found.table.name,
        done=f"{found.table} is closed.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        forms.Form(request.POST),
        lambda: close_table(closure=found, actor=request.user, now=timezone.now()),
    )


@supervisors_only
@allow_get_post
def withdraw(request: CasinoRequest, casino: str, closure: int) -> HttpResponse:
    found = access_closure(request.user, request.casino, closure)
    form = ReasonForm(bound_data(request), model=ClosureStep)
    act = ConfirmPage(
        title=f"Withdraw the closing of {found.table}",
        consequences=("The table stays open, and its signs come down.", "The announcement stays on record."),
        submit="Withdraw",
        back=casino_url("closures:table", request.casino, table=found.table.slug),
        back_label=found.table.name,
        done=f"{found.table} stays open.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: withdraw_closure(
            closure=found, reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now()
        ),
    )


@supervisors_only
@allow_get_post
def reopen(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    act = ConfirmPage(
        title=f"Open {found} again",
        consequences=("Play may begin from now on, Super Streak wagers included where they are offered.",),
        submit="Open the table",
        back=casino_url("closures:table", request.casino, table=found.slug),
        back_label=found.name,
        done=f"{found} is open.",
    )
    return confirm_page(
        request,
        act,
        forms.Form(bound_data(request)),
        lambda: reopen_table(table=found, actor=request.user, now=timezone.now()),
    )
