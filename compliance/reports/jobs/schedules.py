"""Schedules of reports: create, pause, resume, stop; and the requests made when a day or week is over."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from compliance.reports.document.period import DAY, Period, day_begins_at
from compliance.reports.entry_kinds import RESCHEDULED, SCHEDULED
from compliance.reports.errors import BadSchedule, ScheduledAlready, ScheduleMoved
from compliance.reports.kinds import MAY_REPORT, REPORT_KINDS
from compliance.reports.models import Report, Schedule, ScheduleStep
from compliance.reports.selectors import require_reporter
from compliance.reports.states import ScheduleInterval, ScheduleState
from rounds.floor.facts.gaming_days import gaming_day
from rounds.ledger import append, make_entry, write_row

# Wait after the end of a period, because lines arrive late and the audit needs time.
DELAY_AFTER_PERIOD = timedelta(hours=1)


@transaction.atomic
def schedule_report(
    *, casino: Casino, kind: str, every: str, to: Sequence[Role], actor: User, now: datetime
) -> Schedule:
    """Starts with the current gaming day: the first report is due when that day, or the week beginning with it, is
    over."""
    require_reporter(actor, casino)
    is_known = kind in REPORT_KINDS and REPORT_KINDS[kind].can_be_scheduled and every in ScheduleInterval
    if not is_known or not to or not set(to) <= MAY_REPORT:
        raise BadSchedule
    if REPORT_KINDS[kind].is_of_one_day and every != ScheduleInterval.DAY:
        raise BadSchedule("This report is of one gaming day, so it cannot be made by the week.")
    schedule = Schedule(
        casino=casino,
        kind=kind,
        every=every,
        to=sorted(role.value for role in set(to)),
        by=actor,
        by_name=actor.name,
        at=now,
        next_on=gaming_day(casino, now),
    )
    if Schedule.objects.filter(casino=casino, kind=kind, every=every).exclude(state=ScheduleState.STOPPED).exists():
        raise ScheduledAlready
    [receipt] = append(casino.slug, [make_entry(SCHEDULED, schedule.entry_body())], now)
    schedule.log, schedule.entry_index = receipt.log, receipt.index
    try:
        with transaction.atomic():
            schedule.save(force_insert=True)
    except IntegrityError as error:
        raise ScheduledAlready from error
    return schedule


@transaction.atomic
def change_schedule_state(
    *, schedule: Schedule, state: ScheduleState, reason: str, actor: User, now: datetime
) -> Schedule:
    """Pauses, resumes or stops a schedule. Periods that pass during a pause are not made up for."""
    require_reporter(actor, schedule.casino)
    locked = Schedule.objects.select_for_update(no_key=True, of=("self",)).select_related("casino").get(pk=schedule.pk)
    if not locked.may_become(state):
        raise ScheduleMoved(f"It is {locked.get_state_display().lower()} already.")
    locked.state = state
    if state == ScheduleState.ACTIVE:
        locked.next_on = max(locked.next_on, gaming_day(locked.casino, now))
    locked.save(update_fields=["state", "next_on"])
    step = ScheduleStep(schedule=locked, state=state, reason=reason, by=actor, by_name=actor.name, at=now)
    write_row(step, kind=RESCHEDULED, log=locked.log, now=now)
    return locked


def due_period(schedule: Schedule) -> Period:
    return Period(schedule.casino, schedule.next_on, schedule.next_on + (schedule.days - 1) * DAY)


def next_report_due_at(schedule: Schedule) -> datetime:
    """When the next report is requested."""
    return day_begins_at(schedule.casino, schedule.next_on + schedule.days * DAY) + DELAY_AFTER_PERIOD


def request_due_reports(now: datetime) -> int:
    """Requests each period that is over, once and in order, also after an outage of the workers. Returns how many."""
    running = Schedule.objects.filter(state=ScheduleState.ACTIVE).order_by("pk").values_list("pk", flat=True)
    return sum(_request_while_due(pk, now) for pk in list(running))


@transaction.atomic
def _request_while_due(pk: int, now: datetime) -> int:
    locked = Schedule.objects.select_for_update(skip_locked=True, no_key=True, of=("self",))
    schedule = locked.select_related("casino", "by").filter(pk=pk, state=ScheduleState.ACTIVE).first()
    count = 0
    while schedule is not None and next_report_due_at(schedule) <= now:
        _create_scheduled_report(schedule, now)
        count += 1
    return count


def _create_scheduled_report(schedule: Schedule, now: datetime) -> Report:
    kind = REPORT_KINDS[schedule.kind]
    assert kind.for_period is not None
    report = Report.objects.create(
        casino=schedule.casino,
        kind=kind.slug,
        chosen=dict(kind.for_period(due_period(schedule))),
        asked_by=schedule.by,
        asked_by_name=schedule.by_name,
        asked_at=now,
        schedule=schedule,
        scheduled_on=schedule.next_on,
        title=kind.title,
    )
    schedule.next_on += schedule.days * DAY
    schedule.save(update_fields=["next_on"])
    return report
