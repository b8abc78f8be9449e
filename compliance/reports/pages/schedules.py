"""Pages of schedules: list, new, pause, resume, stop."""

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.errors import NotFound
from compliance.core.web.ui.components import Column, DataTable
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.forms import ReasonForm
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.reports.document.formatting import format_day
from compliance.reports.jobs.schedules import change_schedule_state, due_period, schedule_report
from compliance.reports.kinds import REPORT_KINDS
from compliance.reports.models import Schedule, ScheduleStep
from compliance.reports.pages.forms import ReportScheduleForm
from compliance.reports.pages.reports import reporters_only
from compliance.reports.selectors import access_schedule, schedules_of
from compliance.reports.states import SCHEDULE_TRANSITIONS, ScheduleState

# Button label, and what happens.
STATE_CHANGES = {
    ScheduleState.PAUSED: (
        "Pause",
        "No report is made until somebody resumes it. What is over by then is not made up for.",
    ),
    ScheduleState.ACTIVE: ("Resume", "Reports are made again, from the gaming day that runs now."),
    ScheduleState.STOPPED: (
        "Stop",
        "No report is made by it any more. It cannot be started again: set up a new one.",
    ),
}


@reporters_only
@require_safe
def schedules(request: CasinoRequest, casino: str) -> ListResponse:
    place = request.casino

    def next_report_text(schedule: Schedule) -> str:
        is_running = schedule.state == ScheduleState.ACTIVE
        return f"When {format_day(due_period(schedule).last)} is over" if is_running else "None"

    def schedule_url(schedule: Schedule) -> str:
        return casino_url("reports:schedule", place, schedule=schedule.pk)

    table = DataTable(
        caption="Schedules, newest first",
        columns=(
            Column("Report", _report_title, is_row_heading=True, link=schedule_url),
            Column("How often", "get_every_display"),
            Column("State", "tag"),
            Column("Told by e-mail", "addressees"),
            Column("Next one", next_report_text),
            Column("Set up by", "by_name", sort="by_name"),
            Column("Set up", "at", sort="at"),
        ),
        rows=schedules_of(place),
        sort="-at",
        is_caption_hidden=True,
        empty="No report is made by schedule yet.",
    )
    return list_response(request, "reports/schedules.html", {"table": table})


def _report_title(schedule: Schedule) -> str:
    return REPORT_KINDS[schedule.kind].title


@reporters_only
@require_safe
def schedule(request: CasinoRequest, casino: str, schedule: int) -> ListResponse:
    it = access_schedule(request.user, request.casino, schedule)
    moves = [
        (
            STATE_CHANGES[state][0],
            casino_url("reports:move-schedule", request.casino, schedule=it.pk, state=state.value),
        )
        for state in ScheduleState
        if state in SCHEDULE_TRANSITIONS[ScheduleState(it.state)]
    ]
    steps = DataTable(
        caption="What became of it",
        columns=(
            Column("Became", "get_state_display", is_row_heading=True),
            Column("When", "at"),
            Column("By", "by_name"),
            Column("Why", "reason"),
        ),
        rows=it.steps.order_by("at", "pk"),
        empty="Nothing since it was set up.",
    )
    made = DataTable(
        caption="Reports made by it, newest first",
        columns=(
            Column(
                "Report",
                lambda row: f"{row.title} ({row.pk})",
                is_row_heading=True,
                link=lambda row: casino_url("reports:report", request.casino, report=row.pk),
            ),
            Column("From", "scheduled_on"),
            Column("State", "tag"),
        ),
        rows=it.reports.order_by("-scheduled_on"),
        name="made",
        empty="It has made no report yet.",
    )
    context = {"schedule": it, "title": _report_title(it), "moves": moves, "steps": steps, "made": made}
    return list_response(request, "reports/schedule.html", context, lists=("made",))


@reporters_only
@allow_get_post
def add_schedule(request: CasinoRequest, casino: str) -> HttpResponse:
    form = ReportScheduleForm(bound_data(request))
    act = ConfirmPage(
        f"Have a report made by itself, {request.casino}",
        ("It is made when each gaming day, or each week, is over, beginning with the one that runs now.",),
        "Set up the schedule",
        casino_url("reports:schedules", request.casino),
        "Schedules",
        "The schedule is set up.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: schedule_report(
            casino=request.casino,
            kind=form.cleaned_data["kind"],
            every=form.cleaned_data["every"],
            to=form.roles(),
            actor=request.user,
            now=timezone.now(),
        ),
    )


@reporters_only
@allow_get_post
def change_schedule(request: CasinoRequest, casino: str, schedule: int, state: str) -> HttpResponse:
    it = access_schedule(request.user, request.casino, schedule)
    if state not in ScheduleState:
        raise NotFound
    word, follows = STATE_CHANGES[ScheduleState(state)]
    form = ReasonForm(bound_data(request), model=ScheduleStep)
    act = ConfirmPage(
        f"{word}: {_report_title(it)}, {it.get_every_display().lower()}",
        (follows,),
        word,
        casino_url("reports:schedule", request.casino, schedule=it.pk),
        _report_title(it),
        "It is recorded.",
        is_danger=state == ScheduleState.STOPPED,
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: change_schedule_state(
            schedule=it,
            state=ScheduleState(state),
            reason=form.cleaned_data["reason"],
            actor=request.user,
            now=timezone.now(),
        ),
    )
