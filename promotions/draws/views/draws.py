"""Draws of a promotion, and the actions on one."""

from collections.abc import Callable, Iterator
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.corrections.list_marks import CorrectionMarks, Parts
from compliance.core.corrections.selectors import record_lines, recorded_indexes
from compliance.core.web.local_time import format_local
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.components import Column, DataTable, SummaryList, SummaryRow, Tag, Timeline, TimelineEntry
from compliance.core.web.ui.confirm_page import ConfirmPage as Page
from compliance.core.web.ui.confirm_page import allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.core.web.ui.record_notes import ListNotes, record_notes
from promotions.draws.forms import DrawForm, DrawScheduleForm, HoldForm, PublishForm, StopForm, ValidateForm
from promotions.draws.models import Attempt, Draw, DrawStep, Publication, Winner
from promotions.draws.notification_deadline import is_notification_required, winner_deadline
from promotions.draws.selectors import access_draw, entries_of_draw
from promotions.draws.services import hold_draw, publish_results, schedule_draw, stop_draw, validate_draw
from promotions.draws.states import TRANSITIONS, DrawAct, DrawState
from promotions.shared.deadlines import HolidayCache
from promotions.shared.duties import require_duties
from promotions.shared.permissions import MAY_WRITE
from promotions.terms.content.prize_rules import needs_scrutineer
from promotions.terms.content.terms import Terms
from promotions.terms.models import Promotion
from promotions.terms.selectors import access_promotion, version_in_force
from promotions.terms.views.common import readers, writers
from rounds.engine import Promotions

STATE_TAGS = {
    DrawState.SCHEDULED: Tag("Scheduled", "info"),
    DrawState.POSTPONED: Tag("Postponed", "warning"),
    DrawState.HELD: Tag("Held", "success"),
    DrawState.CANCELLED: Tag("Cancelled", "danger"),
}


def current_terms(promotion: Promotion) -> Terms:
    in_force = version_in_force(promotion, timezone.now())
    return in_force.terms if in_force else Terms({})


@readers
@require_safe
def draws(request: CasinoRequest, casino: str, promotion: int) -> ListResponse:
    found = access_promotion(request.user, request.casino, promotion)
    notes = ListNotes(request, lambda row: [row.entry_index, *(step.entry_index for step in row.steps.all())])
    parts = [Parts(model.recorded.all(), "draw_id") for model in (DrawStep, Publication, Winner)]
    marks = CorrectionMarks(request.casino, parts, also_read=notes.read)
    table = DataTable(
        caption=f"Draws of {found.reference}",
        columns=(
            Column("Draw", "number", sort="number", is_row_heading=True, link=lambda row: row.get_absolute_url()),
            Column("When", "due_at", sort="due_at"),
            Column("Where", "place"),
            Column("State", lambda row: notes.tag(row, STATE_TAGS[DrawState(row.state)]), sort="state"),
            marks.column,
        ),
        rows=Draw.recorded.with_state().filter(promotion=found).prefetch_related("steps"),
        prepare=marks.read,
        sort="number",
        empty="No draw is scheduled yet.",
    )
    context = {
        "promotion": found,
        "table": table,
        "may_write": request.user.has_role(*MAY_WRITE, casino=request.casino),
    }
    return list_response(request, "draws/draws.html", context)


@readers
@require_safe
def draw(request: CasinoRequest, casino: str, promotion: int, draw: int) -> ListResponse:
    found = access_draw(request.user, request.casino, promotion, draw, is_withdrawn_shown=True)
    duties = require_duties(request.casino, timezone.now()).duties
    state = DrawState(found.state)
    steps = list(found.steps.select_related("by"))
    may = {act.value: (state, act) in TRANSITIONS for act in DrawAct}
    notes = record_notes(request, entries_of_draw(found))
    context = {
        "draw": found,
        "notes": notes,
        "state": notes.tag(STATE_TAGS[state]),
        "facts": _summary_list(found, steps, duties, request),
        "happened": _timeline(found, steps, request),
        "winners": _winner_table(found, duties, request),
        "may": may | {"stop": state in (DrawState.SCHEDULED, DrawState.POSTPONED)},
        "is_held": state is DrawState.HELD,
        "may_write": request.user.has_role(*MAY_WRITE, casino=request.casino),
        "corrections": record_lines(request.user, request.casino, _recorded_indexes(found)),
    }
    return list_response(request, "draws/draw.html", context, lists=("winners",))


def _recorded_indexes(draw: Draw) -> list[int]:
    rows = (model.recorded.filter(draw=draw) for model in (DrawStep, Publication, Winner))
    return [draw.entry_index, *recorded_indexes(*rows)]


def _summary_list(draw: Draw, steps: list[DrawStep], duties: Promotions, request: CasinoRequest) -> SummaryList:
    needed = needs_scrutineer(current_terms(draw.promotion).prizes, duties)
    rows = [
        SummaryRow("Reference", draw.reference),
        SummaryRow("When", local(draw.due_at, request.casino)),
        SummaryRow("Where", draw.place),
        SummaryRow("How", draw.method),
        SummaryRow("Scrutineer", f"Needed (clause {duties.scrutineer.clause})" if needed else "Not needed"),
    ]
    held = next((step for step in steps if step.act == DrawAct.HELD), None)
    if held:
        confirmed = Tag("Confirmed", "info") if held.has_scrutineer else Tag("Not confirmed", "warning")
        rows += [
            SummaryRow("Held", local(held.happened_at, request.casino)),
            SummaryRow("Entries", f"{held.particulars['entries']:,}"),
            SummaryRow("Scrutineer present", held.particulars["scrutineer"] or "Nobody"),
            SummaryRow("Scrutineer's confirmation", confirmed),
            SummaryRow("Result", held.statement),
        ]
    for published in draw.publications.all():
        rows.append(SummaryRow("Results published", published.where))
    return SummaryList(rows)


def _timeline(draw: Draw, steps: list[DrawStep], request: CasinoRequest) -> Timeline:
    entries = [TimelineEntry("Scheduled", draw.at, f"by {draw.by.name}")]
    for step in steps:
        detail = step.statement
        entries.append(TimelineEntry(step.get_act_display(), step.happened_at, f"by {step.by.name}", detail))
    return Timeline(entries, request.casino)


def _winner_table(draw: Draw, duties: Promotions, request: CasinoRequest) -> DataTable:
    known, notes = HolidayCache(), ListNotes(request, lambda row: [row.entry_index])
    attempts = Parts(Attempt.recorded.all(), "winner_id")
    marks = CorrectionMarks(request.casino, [attempts], also_read=notes.read)

    def notified_cell(winner: Winner) -> object:
        if not is_notification_required(duties.notification, is_presence_required=winner.is_presence_required):
            return "Was present"
        if winner.drawn_at is None:
            # Withdrawn, and the record of the draw too.
            return ""
        due = winner_deadline(request.casino, winner.drawn_at, duties.notification, known)
        if winner.is_reached:
            return notes.tag(winner, Tag("Told", "success"))
        late = due.is_overdue(winner.first_attempt_at, timezone.now())
        return Tag("Overdue", "danger") if late else f"By the end of {due.last_on.day} {due.last_on:%b %Y}"

    return DataTable(
        caption="Winners",
        columns=(
            Column("Winner", "reference", is_row_heading=True, link=lambda row: row.address("winner")),
            Column("Prize", "prize"),
            Column("Value", "value_cents", is_money=True),
            Column("Entry drawn", "entry_drawn"),
            Column("Told", notified_cell),
            marks.column,
        ),
        rows=Winner.recorded.with_details().filter(draw=draw),
        prepare=marks.read,
        empty="No winner is recorded yet.",
        name="winners",
        is_caption_hidden=True,
    )


@writers
@allow_get_post
def schedule(request: CasinoRequest, casino: str, promotion: int) -> HttpResponse:
    found = access_promotion(request.user, request.casino, promotion)
    form = DrawScheduleForm(bound_data(request), terms=current_terms(found), casino=request.casino, now=timezone.now())
    page = Page(
        f"Schedule a draw of {found.reference}",
        ("It stands on the board and the calendar until it is held.",),
        "Schedule it",
        found.address("draws", app="draws"),
        "Draws",
        "The draw is scheduled.",
    )
    return _submit(request, page, form, lambda typed, common: schedule_draw(promotion=found, **typed, **common))


@writers
@allow_get_post
def hold(request: CasinoRequest, casino: str, promotion: int, draw: int) -> HttpResponse:
    found = access_draw(request.user, request.casino, promotion, draw)
    now = timezone.now()
    duties, terms = require_duties(request.casino, now).duties, current_terms(found.promotion)
    initial = {"held_at": found.due_at, "place": found.place, "method": found.method, "scrutineer": terms.scrutineer}
    form = HoldForm(
        bound_data(request),
        initial=initial,
        needs_scrutineer=needs_scrutineer(terms.prizes, duties),
        duties=duties,
        casino=request.casino,
        now=now,
    )
    page = _confirm_page(
        found,
        f"Record that {found.reference} was held",
        "Record the draw",
        "The draw is recorded.",
        "What you record stays as you record it, under your name.",
        *_hold_warnings(found, terms, request),
    )
    return _submit(request, page, form, lambda typed, common: hold_draw(draw=found, **typed, **common))


def _hold_warnings(draw: Draw, terms: Terms, request: CasinoRequest) -> Iterator[str]:
    """What would be flagged. It is recorded all the same: a draw that was held was held."""
    if draw.state == DrawState.POSTPONED:
        yield "This draw is postponed and was not validated. If it was held all the same, it is recorded, and flagged."
    times = " and ".join(format_local(time, request.casino) for time in terms.award_times)
    if times:
        yield f"The terms say when it is held: {times}. Another time is recorded, and flagged."


@writers
@allow_get_post
def stop(request: CasinoRequest, casino: str, promotion: int, draw: int) -> HttpResponse:
    found = access_draw(request.user, request.casino, promotion, draw)
    form = StopForm(bound_data(request), casino=request.casino, now=timezone.now())
    page = _confirm_page(
        found,
        f"Postpone or cancel {found.reference}",
        "Stop the draw and tell the inspectorate",
        "The draw is stopped. The inspectorate is told.",
        "Only because the integrity of the draw or the promotion is in doubt.",
        "The inspectorate is told at once, with your reason and your name.",
        is_danger=True,
    )

    def call_service(typed: dict[str, Any], common: dict[str, Any]) -> Any:
        return stop_draw(draw=found, **(typed | {"act": DrawAct(typed["act"])}), **common)

    return _submit(request, page, form, call_service)


@writers
@allow_get_post
def validate(request: CasinoRequest, casino: str, promotion: int, draw: int) -> HttpResponse:
    found = access_draw(request.user, request.casino, promotion, draw)
    form = ValidateForm(bound_data(request), casino=request.casino, now=timezone.now())
    page = _confirm_page(found, f"Validate {found.reference} and go on", "Go on", "The draw is scheduled again.")
    return _submit(request, page, form, lambda typed, common: validate_draw(draw=found, **typed, **common))


@writers
@allow_get_post
def publish(request: CasinoRequest, casino: str, promotion: int, draw: int) -> HttpResponse:
    found = access_draw(request.user, request.casino, promotion, draw)
    where = str(current_terms(found.promotion).answer_for("publication-of-results").get("text", ""))[:300]
    form = PublishForm(bound_data(request), initial={"where": where}, casino=request.casino, now=timezone.now())
    page = _confirm_page(
        found, f"Record that the results of {found.reference} were published", "Record it", "It is recorded."
    )
    return _submit(request, page, form, lambda typed, common: publish_results(draw=found, **typed, **common))


def _confirm_page(draw: Draw, title: str, submit: str, done: str, *consequences: str, is_danger: bool = False) -> Page:
    notes = consequences or ("What you record stays as you record it, under your name.",)
    return Page(title, notes, submit, draw.get_absolute_url(), draw.reference, done, is_danger)


def _submit(
    request: CasinoRequest, page: Page, form: DrawForm, service: Callable[[dict[str, Any], dict[str, Any]], Any]
) -> HttpResponse:
    common = {"actor": request.user, "now": form.now}
    return confirm_page(request, page, form, lambda: service(form.cleaned_data, common))
