"""What becomes of a notice. The database holds every change to the same table (migration 0002)."""

from django.db.models import TextChoices

from compliance.web.components import Tag


class State(TextChoices):
    SCHEDULED = "scheduled", "Scheduled"
    SIGN_UP = "sign-up", "Sign up"
    IN_FORCE = "in-force", "In force"
    WITHDRAWN = "withdrawn", "Withdrawn"
    LAPSED = "lapsed", "Lapsed"


# A sign that comes down takes its notice back to where it was; nothing follows an end.
MAY_FOLLOW: dict[State, frozenset[State]] = {
    State.SCHEDULED: frozenset({State.SIGN_UP, State.IN_FORCE, State.WITHDRAWN, State.LAPSED}),
    State.SIGN_UP: frozenset({State.SCHEDULED, State.IN_FORCE, State.WITHDRAWN, State.LAPSED}),
    State.IN_FORCE: frozenset(),
    State.WITHDRAWN: frozenset(),
    State.LAPSED: frozenset(),
}
OPEN = frozenset(state for state, following in MAY_FOLLOW.items() if following)
TAGS = {
    State.SCHEDULED: Tag("Scheduled", "warning"),
    State.SIGN_UP: Tag("Sign up", "info"),
    State.IN_FORCE: Tag("In force", "success"),
    State.WITHDRAWN: Tag("Withdrawn", "neutral"),
    State.LAPSED: Tag("Lapsed", "danger"),
}
