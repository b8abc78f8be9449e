"""State machines of reports and schedules. Database triggers enforce the same transitions (migrations 0002 and
0004)."""

from django.db.models import TextChoices


class State(TextChoices):
    WAITING = "waiting", "Waiting"
    MAKING = "making", "Being made"
    RECORDED = "recorded", "Being proved"
    READY = "ready", "Ready"
    FAILED = "failed", "Failed"


# RECORDED: the pages are in the ledger, and only the proofs are to be attached. If a worker is lost, the report resumes
# from its state.
TRANSITIONS: dict[State, frozenset[State]] = {
    State.WAITING: frozenset({State.MAKING}),
    State.MAKING: frozenset({State.RECORDED, State.FAILED}),
    State.RECORDED: frozenset({State.READY}),
    State.READY: frozenset(),
    State.FAILED: frozenset(),
}
UNFINISHED = frozenset({State.WAITING, State.MAKING, State.RECORDED})


class ScheduleState(TextChoices):
    """Whether a schedule generates reports."""

    ACTIVE = "active", "Running"
    PAUSED = "paused", "Paused"
    STOPPED = "stopped", "Stopped"


SCHEDULE_TRANSITIONS: dict[ScheduleState, frozenset[ScheduleState]] = {
    ScheduleState.ACTIVE: frozenset({ScheduleState.PAUSED, ScheduleState.STOPPED}),
    ScheduleState.PAUSED: frozenset({ScheduleState.ACTIVE, ScheduleState.STOPPED}),
    ScheduleState.STOPPED: frozenset(),
}


class ScheduleInterval(TextChoices):
    DAY = "day", "Every gaming day"
    WEEK = "week", "Every week"
