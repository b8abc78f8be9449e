"""Pages of winners: record one, detail, attempts to reach them, and the list of those not notified yet."""

from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.corrections.selectors import record_lines, recorded_indexes
from compliance.core.web.templatetags.ui import local, money
from compliance.core.web.ui.components import Column, DataTable, SummaryList, SummaryRow, Tag, Timeline, TimelineEntry
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.core.web.ui.record_notes import RecordNotes, record_notes
from compliance.privacy.personal_data.audited_read import read_personal_details
from compliance.privacy.personal_data.models import AccessPurpose
from promotions.draws.forms import AttemptForm, WinnerForm
from promotions.draws.models import Attempt, Winner
from promotions.draws.notification_deadline import NotificationDeadline, is_notification_required, winner_deadline
from promotions.draws.selectors import access_draw, access_winner, unnotified_winners
from promotions.draws.services import record_attempt, record_winner
from promotions.draws.views.draws import current_terms
from promotions.shared.deadlines import HolidayCache
from promotions.shared.duties import promotion_rules_at, require_duties
from promotions.shared.permissions import MAY_WRITE
from promotions.terms.views.common import readers, writers


@writers
@allow_get_post
def add_winner(request: CasinoRequest, casino: str, promotion: int, draw: int) -> HttpResponse:
    now = timezone.now()
    found = access_draw(request.user, request.casino, promotion, draw)
    form = WinnerForm(bound_data(request), terms=current_terms(found.promotion), casino=request.casino, now=now)
    act = ConfirmPage(
        f"Record a winner of {found.reference}",
        ("Prize and entry go into the ledger. The person's details are kept beside it, as a digest in it.",),
        "Record the winner",
        found.get_absolute_url(),
        found.reference,
        "The winner is recorded.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: record_winner(
            draw=found,
            prize=form.cleaned_data["prize"],
            value_cents=form.prize_value_cents(),
            entry_drawn=form.cleaned_data["entry_drawn"],
            person=form.winner_details(),
            actor=request.user,
            now=now,
        ),
    )


@readers
@require_safe
def winner(request: CasinoRequest, casino: str, promotion: int, draw: int, winner: int) -> HttpResponse:
    found = access_winner(request.user, request.casino, promotion, draw, winner, is_withdrawn_shown=True)
    records = [found.entry_index, *recorded_indexes(Attempt.recorded.filter(winner=found))]
    notes = record_notes(request, [found.entry_index, *found.attempts.values_list("entry_index", flat=True)])
    context = {
        "casino": request.casino,
        "winner": found,
        "notes": notes,
        "corrections": record_lines(request.user, request.casino, records),
        "facts": _summary_list(found, notes, request),
        "attempts": Timeline(_attempt_entries(found), request.casino, "Attempts to reach the winner"),
        "may_write": request.user.has_role(*MAY_WRITE, casino=request.casino),
        "person": None,
    }
    return render(request, "draws/winner.html", context)


def _summary_list(winner: Winner, notes: RecordNotes, request: CasinoRequest) -> SummaryList:
    duty = require_duties(request.casino, timezone.now()).duties.notification
    rows = [
        SummaryRow("Prize", winner.prize),
        SummaryRow("Value", money(winner.value_cents)),
        SummaryRow("Entry drawn", winner.entry_drawn),
        SummaryRow("Drawn", local(winner.drawn_at, request.casino)),
    ]
    if winner.drawn_at is None:
        # Of a withdrawn winner, if the record of the draw was withdrawn too.
        return SummaryList(rows)
    if not is_notification_required(duty, is_presence_required=winner.is_presence_required):
        return SummaryList([*rows, SummaryRow("Told", "Only those present could win")])
    due = winner_deadline(request.casino, winner.drawn_at, duty)
    is_overdue = due.is_overdue(winner.first_attempt_at, timezone.now())
    state = (
        Tag("Told", "success")
        if winner.is_reached
        else Tag("Overdue", "danger")
        if is_overdue
        else Tag("Tried, not reached", "warning")
        if winner.first_attempt_at
        else Tag("Not told yet", "info")
    )
    by_when = f"By the end of {due.last_on.day} {due.last_on:%b %Y} (clause {duty.clause})"
    readings = "; ".join(
        f"{name}: {day.day} {day:%b %Y}{', adopted' if name == duty.days_reading else ''}"
        for name, day in due.by_reading.items()
    )
    rows += [SummaryRow("To be told", by_when), SummaryRow("By each reading of the days", readings)]
    return SummaryList([*rows, SummaryRow("Told", notes.tag(state))])


def _attempt_entries(winner: Winner) -> list[TimelineEntry]:
    return [
        TimelineEntry(
            attempt.method.replace("-", " ").capitalize(),
            attempt.at,
            f"by {attempt.by.name}",
            tag=Tag("Reached", "info") if attempt.is_reached else Tag("Not reached", "warning"),
        )
        for attempt in winner.attempts.select_related("by")
    ]


@writers
@allow_get_post
def new_attempt(request: CasinoRequest, casino: str, promotion: int, draw: int, winner: int) -> HttpResponse:
    now = timezone.now()
    found = access_winner(request.user, request.casino, promotion, draw, winner)
    form = AttemptForm(
        bound_data(request),
        initial=_corrected_attempt(request, found),
        duties=require_duties(request.casino, now).duties,
        drawn_at=found.drawn_at,
        casino=request.casino,
        now=now,
    )
    act = ConfirmPage(
        f"Record an attempt to tell {found.reference}",
        ("Also those that reached nobody: each one counts.",),
        "Record the attempt",
        found.address("winner"),
        found.reference,
        "The attempt is recorded.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: record_attempt(
            winner=found,
            method=form.cleaned_data["method"],
            attempted_at=form.cleaned_data["attempted_at"],
            is_reached=form.cleaned_data["is_reached"] == "yes",
            actor=request.user,
            now=now,
        ),
    )


def _corrected_attempt(request: CasinoRequest, winner: Winner) -> dict[str, Any]:
    """The values of a withdrawn attempt, which `?corrects=` names by its entry, to start from."""
    index = request.GET.get("corrects", "")
    attempt = Attempt.recorded.filter(winner=winner, entry_index=index).first() if index.isdecimal() else None
    if attempt is None:
        return {}
    is_reached = "yes" if attempt.is_reached else "no"
    return {"method": attempt.method, "attempted_at": attempt.at, "is_reached": is_reached}


@readers
@allow_get_post
def winner_details(request: CasinoRequest, casino: str, promotion: int, draw: int, winner: int) -> HttpResponse:
    """Shows the winner's details. Needs a POST, because the access is recorded in the ledger."""
    found = access_winner(request.user, request.casino, promotion, draw, winner)
    shown = None
    if request.method == "POST" and found.personal_id:
        shown = read_personal_details(
            request.user, request.casino, found.personal_id, purpose=AccessPurpose.CONTACT, now=timezone.now()
        )
    details = (
        SummaryList([SummaryRow(name.capitalize(), value) for name, value in shown.fields.items()]) if shown else None
    )
    return render(request, "draws/person.html", {"casino": request.casino, "winner": found, "details": details})


@readers
@require_safe
def unnotified(request: CasinoRequest, casino: str) -> ListResponse:
    context = {"table": unnotified_table(request, timezone.now())}
    return list_response(request, "draws/not-told.html", context)


def unnotified_table(request: CasinoRequest, now: datetime) -> DataTable:
    casino, found = request.casino, promotion_rules_at(request.casino, now)
    known = HolidayCache()

    def deadline(winner: Winner) -> NotificationDeadline:
        assert found is not None
        return winner_deadline(casino, winner.drawn_at, found.duties.notification, known)

    def state(winner: Winner) -> Tag:
        if deadline(winner).is_overdue(winner.first_attempt_at, now):
            return Tag("Overdue", "danger")
        return Tag("Tried", "warning") if winner.first_attempt_at else Tag("Waiting", "info")

    return DataTable(
        caption="Winners not notified yet, the oldest first",
        columns=(
            Column("Winner", "reference", is_row_heading=True, link=lambda row: row.address("winner")),
            Column("Prize", "prize"),
            Column("Drawn", "drawn_at"),
            Column("By the end of", lambda row: f"{deadline(row).last_on.day} {deadline(row).last_on:%b %Y}"),
            Column(
                "By each reading",
                lambda row: "; ".join(f"{name} {day.day} {day:%b}" for name, day in deadline(row).by_reading.items()),
            ),
            Column("State", state),
        ),
        rows=unnotified_winners(casino) if found else [],
        name="untold",
        empty="Every winner was told.",
        is_caption_hidden=True,
    )
