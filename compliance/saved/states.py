"""How often somebody is told, and what becomes of a message. The database holds every change to the same table."""

from django.db.models import TextChoices


class Every(TextChoices):
    ONCE = "at-once", "At once"
    DAY = "day", "Once a gaming day"
    WEEK = "week", "Once a week"


class Sending(TextChoices):
    WAITING = "waiting", "To be sent"
    SENT = "sent", "Sent"
    GIVEN_UP = "given-up", "Given up"
    # The person may not open any of it any more, or wants no messages any more.
    WITHHELD = "withheld", "Not sent"


SENDING_MAY_FOLLOW: dict[Sending, frozenset[Sending]] = {
    Sending.WAITING: frozenset({Sending.SENT, Sending.GIVEN_UP, Sending.WITHHELD}),
    Sending.SENT: frozenset(),
    Sending.GIVEN_UP: frozenset(),
    Sending.WITHHELD: frozenset(),
}
