"""What becomes of an alert and of each message of it. The database holds every change to the same tables."""

from django.db.models import TextChoices


class State(TextChoices):
    WAITING = "waiting", "Not acknowledged"
    ACKNOWLEDGED = "acknowledged", "Acknowledged"


class Sending(TextChoices):
    WAITING = "waiting", "To be sent"
    SENT = "sent", "Sent"
    GIVEN_UP = "given-up", "Given up"


class Step(TextChoices):
    """What happens to an alert after it was raised. Each is an entry of the kind `alert-<step>`."""

    SENT = "sent", "E-mailed"
    FAILED = "failed", "Could not be delivered"
    ESCALATED = "escalated", "Escalated"
    ACKNOWLEDGED = "acknowledged", "Acknowledged"


MAY_FOLLOW: dict[State, frozenset[State]] = {
    State.WAITING: frozenset({State.ACKNOWLEDGED}),
    State.ACKNOWLEDGED: frozenset(),
}
SENDING_MAY_FOLLOW: dict[Sending, frozenset[Sending]] = {
    Sending.WAITING: frozenset({Sending.SENT, Sending.GIVEN_UP}),
    Sending.SENT: frozenset(),
    Sending.GIVEN_UP: frozenset(),
}
