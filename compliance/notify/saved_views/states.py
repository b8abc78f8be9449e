"""How often somebody is told, and what becomes of a message. The database holds every change to the same table."""

from django.db.models import TextChoices


class Frequency(TextChoices):
    ONCE = "at-once", "At once"
    DAY = "day", "Once a gaming day"
    WEEK = "week", "Once a week"


class MessageState(TextChoices):
    WAITING = "waiting", "To be sent"
    SENT = "sent", "Sent"
    GIVEN_UP = "given-up", "Given up"
    # The person may not open any of it any more, or wants no messages any more.
    WITHHELD = "withheld", "Not sent"


MESSAGE_TRANSITIONS: dict[MessageState, frozenset[MessageState]] = {
    MessageState.WAITING: frozenset({MessageState.SENT, MessageState.GIVEN_UP, MessageState.WITHHELD}),
    MessageState.SENT: frozenset(),
    MessageState.GIVEN_UP: frozenset(),
    MessageState.WITHHELD: frozenset(),
}
