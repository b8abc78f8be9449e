"""State machine of a notice. A database trigger enforces the same transitions (migration 0002)."""

from django.db.models import TextChoices

from compliance.core.web.ui.components import Tag


class NoticeState(TextChoices):
    SCHEDULED = "scheduled", "Scheduled"
    SIGN_UP = "sign-up", "Sign up"
    IN_FORCE = "in-force", "In force"
    WITHDRAWN = "withdrawn", "Withdrawn"
    LAPSED = "lapsed", "Lapsed"


# When its sign comes down, a notice returns to SCHEDULED. Final states have no successor.
TRANSITIONS: dict[NoticeState, frozenset[NoticeState]] = {
    NoticeState.SCHEDULED: frozenset(
        {NoticeState.SIGN_UP, NoticeState.IN_FORCE, NoticeState.WITHDRAWN, NoticeState.LAPSED}
    ),
    NoticeState.SIGN_UP: frozenset(
        {NoticeState.SCHEDULED, NoticeState.IN_FORCE, NoticeState.WITHDRAWN, NoticeState.LAPSED}
    ),
    NoticeState.IN_FORCE: frozenset(),
    NoticeState.WITHDRAWN: frozenset(),
    NoticeState.LAPSED: frozenset(),
}
OPEN_STATES = frozenset(state for state, following in TRANSITIONS.items() if following)
STATE_TAGS = {
    NoticeState.SCHEDULED: Tag("Scheduled", "warning"),
    NoticeState.SIGN_UP: Tag("Sign up", "info"),
    NoticeState.IN_FORCE: Tag("In force", "success"),
    NoticeState.WITHDRAWN: Tag("Withdrawn", "neutral"),
    NoticeState.LAPSED: Tag("Lapsed", "danger"),
}
