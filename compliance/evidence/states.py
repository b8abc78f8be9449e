"""What becomes of a bundle. The database holds every change to the same table (migration 0001)."""

from django.db.models import TextChoices


class State(TextChoices):
    WAITING = "waiting", "Waiting"
    PREPARING = "preparing", "Being prepared"
    READY = "ready", "Ready"
    FAILED = "failed", "Failed"
    REMOVED = "removed", "Removed"


# A bundle whose worker was lost is prepared again: it stays where it is.
MAY_FOLLOW: dict[State, frozenset[State]] = {
    State.WAITING: frozenset({State.PREPARING}),
    State.PREPARING: frozenset({State.PREPARING, State.READY, State.FAILED}),
    State.READY: frozenset({State.REMOVED}),
    State.FAILED: frozenset(),
    State.REMOVED: frozenset(),
}
UNFINISHED = frozenset({State.WAITING, State.PREPARING})
