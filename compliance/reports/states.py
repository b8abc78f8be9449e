"""State machine of schedules. A database trigger enforces the same transitions (migration 0004)."""

from django.db.models import TextChoices


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
