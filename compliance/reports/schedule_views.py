"""Reports made by themselves: the list of schedules, a new one, and pausing, resuming or stopping one."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.requests import CasinoRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.reports.contents import KINDS
from compliance.reports.forms import ReasonForm, ScheduleForm
from compliance.reports.models import Schedule
from compliance.reports.scheduling import due_period, move_schedule, schedule_report
from compliance.reports.selectors import access_schedule, schedules_of
from compliance.reports.states import RUNNING_MAY_FOLLOW, Running
from compliance.reports.views import address_of, reporters
from compliance.reports.wording import day_words
from compliance.web.components import Column, Table
from compliance.web.errors import NotFound
from compliance.web.templatetags.kit import local

# The word on the button, and what follows.
MOVES = {
    Running.PAUSED: ("Pause", "No report is made until somebody resumes it. What is over by then is not made up for."),
    Running.ACTIVE: ("Resume", "Reports are made again, from the gaming day that runs now."),
    Running.STOPPED: (
        "Stop",
        "No report is made by it any more. It cannot be started again: set up a new one.",
    ),
}


@reporters
@never_cache
@require_safe
def schedules(request: CasinoRequest, casino: str) -> HttpResponse:
    place = request.casino

    def next_one(schedule: Schedule) -> str:
        is_running = schedule.state == Running.ACTIVE
        return f"When {day_words(due_period(schedule).last)} is over" if is_running else "None"

    def change(schedule: Schedule) -> str:
        return address_of("schedule", place, schedule=schedule.pk)

    table = Table(
        caption="Schedules, newest first",
        columns=(
            Column("Report", _title, is_row_heading=True, link=change),
            Column("How often", "get_every_display"),
            Column("State", "tag"),
            Column("Told by e-mail", "addressees"),
            Column("Next one", next_one),
            Column("Set up by", "by_name", sort="by_name"),
            Column("Set up", lambda row: local(row.at, place), sort="at"),
        ),
        rows=schedules_of(place),
        query=request.GET,
        sort="-at",
        is_caption_hidden=True,
        empty="No report is made by schedule yet.",
    )
    return render(request, "reports/schedules.html", {"casino": place, "table": table})


def _title(schedule: Schedule) -> str:
    return KINDS[schedule.kind].title


@reporters
@never_cache
@require_safe
def schedule(request: CasinoRequest, casino: str, schedule: int) -> HttpResponse:
    it = access_schedule(request.user, request.casino, schedule)
    moves = [
        (MOVES[state][0], address_of("move-schedule", request.casino, schedule=it.pk, state=state.value))
        for state in Running
        if state in RUNNING_MAY_FOLLOW[Running(it.state)]
    ]
    steps = Table(
        caption="What became of it",
        columns=(
            Column("Became", "get_state_display", is_row_heading=True),
            Column("When", lambda row: local(row.at, request.casino)),
            Column("By", "by_name"),
            Column("Why", "reason"),
        ),
        rows=it.steps.order_by("at", "pk"),
        empty="Nothing since it was set up.",
    )
    made = Table(
        caption="Reports made by it, newest first",
        columns=(
            Column(
                "Report", lambda row: f"{row.title} ({row.pk})", is_row_heading=True,
                link=lambda row: address_of("report", request.casino, report=row.pk),
            ),
            Column("From", "scheduled_on"),
            Column("State", "tag"),
        ),
        rows=it.reports.order_by("-scheduled_on"),
        query=request.GET,
        name="made",
        empty="It has made no report yet.",
    )  # fmt: skip
    context = {
        "casino": request.casino,
        "schedule": it,
        "title": _title(it),
        "moves": moves,
        "steps": steps,
        "made": made,
    }
    return render(request, "reports/schedule.html", context)


@reporters
@never_cache
@asks_first
def add(request: CasinoRequest, casino: str) -> HttpResponse:
    form = ScheduleForm(posted(request))
    act = Act(
        f"Have a report made by itself, {request.casino}",
        ("It is made when each gaming day, or each week, is over, beginning with the one that runs now.",),
        "Set up the schedule", address_of("schedules", request.casino), "Schedules", "The schedule is set up.",
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: schedule_report(
            casino=request.casino, kind=form.cleaned_data["kind"], every=form.cleaned_data["every"], to=form.roles(),
            actor=request.user, now=timezone.now(),
        ),
    )  # fmt: skip


@reporters
@never_cache
@asks_first
def move(request: CasinoRequest, casino: str, schedule: int, state: str) -> HttpResponse:
    it = access_schedule(request.user, request.casino, schedule)
    if state not in Running:
        raise NotFound
    word, follows = MOVES[Running(state)]
    form = ReasonForm(posted(request))
    act = Act(
        f"{word}: {_title(it)}, {it.get_every_display().lower()}", (follows,), word,
        address_of("schedule", request.casino, schedule=it.pk), _title(it), "It is recorded.",
        is_danger=state == Running.STOPPED,
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: move_schedule(
            schedule=it, state=Running(state), reason=form.cleaned_data["reason"], actor=request.user,
            now=timezone.now(),
        ),
    )  # fmt: skip
