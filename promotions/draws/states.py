"""State machine of a draw: which act leads from which state to which. A database trigger enforces it (migration
0002)."""

from django.db import models


class DrawState(models.TextChoices):
    SCHEDULED = "scheduled", "Scheduled"
    POSTPONED = "postponed", "Postponed"
    HELD = "held", "Held"
    CANCELLED = "cancelled", "Cancelled"


class DrawAct(models.TextChoices):
    HELD = "held", "Held"
    POSTPONED = "postponed", "Postponed"
    CANCELLED = "cancelled", "Cancelled"
    VALIDATED = "validated", "Validated and scheduled again"


TRANSITIONS: dict[tuple[DrawState, DrawAct], DrawState] = {
    (DrawState.SCHEDULED, DrawAct.HELD): DrawState.HELD,
    (DrawState.SCHEDULED, DrawAct.POSTPONED): DrawState.POSTPONED,
    (DrawState.SCHEDULED, DrawAct.CANCELLED): DrawState.CANCELLED,
    (DrawState.POSTPONED, DrawAct.VALIDATED): DrawState.SCHEDULED,
    (DrawState.POSTPONED, DrawAct.CANCELLED): DrawState.CANCELLED,
    # A draw held before it was validated was still held.
    (DrawState.POSTPONED, DrawAct.HELD): DrawState.HELD,
}
STOP_ACTS = frozenset({DrawAct.POSTPONED, DrawAct.CANCELLED})
