"""State machine of a closure. A database trigger enforces the same transitions, and lets a closing move back from a
state whose step was withdrawn (migration 0003)."""

from django.db.models import TextChoices

from compliance.core.web.ui.components import Tag


class ClosureState(TextChoices):
    ANNOUNCED = "announced", "Announced"
    CLOSED = "closed", "Closed"
    WITHDRAWN = "withdrawn", "Withdrawn"
    REOPENED = "reopened", "Open again"


TRANSITIONS: dict[ClosureState, frozenset[ClosureState]] = {
    ClosureState.ANNOUNCED: frozenset({ClosureState.CLOSED, ClosureState.WITHDRAWN}),
    ClosureState.CLOSED: frozenset({ClosureState.REOPENED}),
    ClosureState.WITHDRAWN: frozenset(),
    ClosureState.REOPENED: frozenset(),
}
STATE_TAGS = {
    ClosureState.ANNOUNCED: Tag("Announced", "warning"),
    ClosureState.CLOSED: Tag("Closed", "info"),
    ClosureState.WITHDRAWN: Tag("Withdrawn", "neutral"),
    ClosureState.REOPENED: Tag("Open again", "success"),
}
