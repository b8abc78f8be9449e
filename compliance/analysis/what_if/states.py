"""States of a trial and their transitions. A database trigger enforces the same table (migration 0002)."""

from django.db.models import TextChoices


class State(TextChoices):
    WAITING = "waiting", "Waiting"
    TRYING = "trying", "Being tried"
    DONE = "done", "Done"
    STOPPED = "stopped", "Stopped"
    FAILED = "failed", "Failed"


TRANSITIONS: dict[State, frozenset[State]] = {
    State.WAITING: frozenset({State.TRYING, State.STOPPED}),
    State.TRYING: frozenset({State.DONE, State.STOPPED, State.FAILED}),
    State.DONE: frozenset(),
    State.STOPPED: frozenset(),
    State.FAILED: frozenset(),
}
UNFINISHED = frozenset({State.WAITING, State.TRYING})
