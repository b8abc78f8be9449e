"""The states of a draw, and which act leads from which to which. The database checks the same (migration 0002)."""

from django.db import models


class State(models.TextChoices):
    SCHEDULED = "scheduled", "Scheduled"
    POSTPONED = "postponed", "Postponed"
    HELD = "held", "Held"
    CANCELLED = "cancelled", "Cancelled"


class Act(models.TextChoices):
    HELD = "held", "Held"
    POSTPONED = "postponed", "Postponed"
    CANCELLED = "cancelled", "Cancelled"
    VALIDATED = "validated", "Validated and scheduled again"


FOLLOWS: dict[tuple[State, Act], State] = {
    (State.SCHEDULED, Act.HELD): State.HELD,
    (State.SCHEDULED, Act.POSTPONED): State.POSTPONED,
    (State.SCHEDULED, Act.CANCELLED): State.CANCELLED,
    (State.POSTPONED, Act.VALIDATED): State.SCHEDULED,
    (State.POSTPONED, Act.CANCELLED): State.CANCELLED,
    # What was held while nobody had validated it was held all the same.
    (State.POSTPONED, Act.HELD): State.HELD,
}
STOPS = frozenset({Act.POSTPONED, Act.CANCELLED})
