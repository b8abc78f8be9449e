"""Frequencies of subscriptions and states of messages. Database triggers enforce the same transitions."""

from django.db.models import TextChoices


class Frequency(TextChoices):
    ONCE = "at-once", "At once"
    DAY = "day", "Once a gaming day"
    WEEK = "week", "Once a week"


class MessageState(TextChoices):
    WAITING = "waiting", "To be sent"
    SENT = "sent", "Sent"
    GIVEN_UP = "given-up", "Given up"
    # The person may no longer open any of the views, or has unsubscribed.
    WITHHELD = "withheld", "Not sent"


MESSAGE_TRANSITIONS: dict[MessageState, frozenset[MessageState]] = {
    MessageState.WAITING: frozenset({MessageState.SENT, MessageState.GIVEN_UP, MessageState.WITHHELD}),
    MessageState.SENT: frozenset(),
    MessageState.GIVEN_UP: frozenset(),
    MessageState.WITHHELD: frozenset(),
}
