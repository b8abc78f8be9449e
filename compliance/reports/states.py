"""What becomes of a report and of a schedule. The database holds every change to the same tables (its migrations)."""

from django.db.models import TextChoices


class State(TextChoices):
    WAITING = "waiting", "Waiting"
    MAKING = "making", "Being made"
    RECORDED = "recorded", "Being proved"
    READY = "ready", "Ready"
    FAILED = "failed", "Failed"


# Recorded: its pages are in the ledger, and only the proofs are still to be attached. A lost worker's report is begun
# again where it stands.
MAY_FOLLOW: dict[State, frozenset[State]] = {
    State.WAITING: frozenset({State.MAKING}),
    State.MAKING: frozenset({State.RECORDED, State.FAILED}),
    State.RECORDED: frozenset({State.READY}),
    State.READY: frozenset(),
    State.FAILED: frozenset(),
}
UNFINISHED = frozenset({State.WAITING, State.MAKING, State.RECORDED})


class ScheduleState(TextChoices):
    """Whether a schedule still makes reports."""

    ACTIVE = "active", "Running"
    PAUSED = "paused", "Paused"
    STOPPED = "stopped", "Stopped"


SCHEDULE_MAY_FOLLOW: dict[ScheduleState, frozenset[ScheduleState]] = {
    ScheduleState.ACTIVE: frozenset({ScheduleState.PAUSED, ScheduleState.STOPPED}),
    ScheduleState.PAUSED: frozenset({ScheduleState.ACTIVE, ScheduleState.STOPPED}),
    ScheduleState.STOPPED: frozenset(),
}


class ScheduleInterval(TextChoices):
    DAY = "day", "Every gaming day"
    WEEK = "week", "Every week"
