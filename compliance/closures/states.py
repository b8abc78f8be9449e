"""What becomes of a closing. The database holds every change to the same table (migration 0002)."""

from django.db.models import TextChoices

from compliance.web.components import Tag


class State(TextChoices):
    ANNOUNCED = "announced", "Announced"
    CLOSED = "closed", "Closed"
    WITHDRAWN = "withdrawn", "Withdrawn"
    REOPENED = "reopened", "Open again"


MAY_FOLLOW: dict[State, frozenset[State]] = {
    State.ANNOUNCED: frozenset({State.CLOSED, State.WITHDRAWN}),
    State.CLOSED: frozenset({State.REOPENED}),
    State.WITHDRAWN: frozenset(),
    State.REOPENED: frozenset(),
}
TAGS = {
    State.ANNOUNCED: Tag("Announced", "warning"),
    State.CLOSED: Tag("Closed", "info"),
    State.WITHDRAWN: Tag("Withdrawn", "neutral"),
    State.REOPENED: Tag("Open again", "success"),
}
