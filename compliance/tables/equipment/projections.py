"""Projections of equipment entries, of controllers and people alike, for the pages. Maintained by the consumer.

They can be rebuilt from the log. `index` is the entry that created the row.
"""

from datetime import datetime, timedelta
from typing import ClassVar

from django.db import models
from django.db.models import Q

from compliance.core.web.ui.components import Tag

PROJECTION_PRIVILEGES = ("SELECT", "INSERT", "UPDATE", "DELETE")


class ProjectedRow(models.Model):
    """A row created by one entry. Written only by the consumer; deleted when its entry is corrected."""

    app_privileges = PROJECTION_PRIVILEGES

    log = models.TextField()
    table = models.CharField(max_length=50)
    index = models.BigIntegerField()
    at = models.DateTimeField()
    by = models.CharField(max_length=120, blank=True)

    class Meta:
        abstract = True
        ordering: ClassVar = ["-at", "-index"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["log", "index"], name="%(app_label)s_%(class)s_one_entry"),
        ]
        indexes: ClassVar = [models.Index(fields=["log", "table", "-at"], name="%(class)s_of_table")]


class FaultQuerySet(models.QuerySet["Fault"]):
    def stopping_play(self) -> "FaultQuerySet":
        """Faults for which play is stopped until a person signs for its return."""
        return self.filter(stops_play=True, returned_at=None)

    def unresolved(self) -> "FaultQuerySet":
        """Not repaired, or repaired and not yet signed for."""
        return self.filter(returned_at=None).exclude(stops_play=False, mended_at__isnull=False)

    def not_repaired(self) -> "FaultQuerySet":
        return self.filter(mended_at=None)


class Fault(ProjectedRow):
    """A fault of equipment: reported, repaired, returned to play. `state` derives the current state.

    A fault that stops play is resolved when a person signs for the return to play; any other when it is repaired.
    """

    name = models.CharField(max_length=64)
    equipment = models.CharField(max_length=32)
    effect = models.CharField(max_length=32)
    round = models.CharField(max_length=64, blank=True)
    note = models.CharField(max_length=500, blank=True)
    # From the rules in force at that table. Without a duty, a fault stops no play and raises no alert.
    stops_play = models.BooleanField()
    clause = models.CharField(max_length=40, blank=True)
    alert_index = models.BigIntegerField(null=True)
    mended_at = models.DateTimeField(null=True)
    mended_index = models.BigIntegerField(null=True)
    mended_by = models.CharField(max_length=120, blank=True)
    returned_at = models.DateTimeField(null=True)
    returned_index = models.BigIntegerField(null=True)
    returned_by = models.CharField(max_length=120, blank=True)

    objects = FaultQuerySet.as_manager()

    class Meta(ProjectedRow.Meta):
        abstract = False
        constraints: ClassVar = [
            *ProjectedRow.Meta.constraints,
            models.CheckConstraint(
                condition=Q(returned_at=None) | Q(mended_at__isnull=False), name="fault_mended_before_it_returns"
            ),
        ]

    def __str__(self) -> str:
        return f"Fault {self.name}"

    @property
    def state(self) -> str:
        if self.returned_at or (self.mended_at and not self.stops_play):
            return "over"
        return "mended" if self.mended_at else "failing"

    @property
    def tag(self) -> Tag:
        if self.state == "over":
            return Tag("Back in play", "success") if self.stops_play else Tag("Mended", "success")
        if self.state == "mended":
            return Tag("Mended, play still stopped", "warning")
        return Tag("Play stopped", "danger") if self.stops_play else Tag("Failing", "warning")


class Piece(models.TextChoices):
    DICE = "dice", "Dice"
    SHAKER = "shaker", "Shaker or tumbler"
    SHOE = "shoe", "Shoe"


class CustodyQuerySet(models.QuerySet["Custody"]):
    def at_table(self) -> "CustodyQuerySet":
        return self.filter(removed_at=None)

    def of_piece(self, piece: str) -> "CustodyQuerySet":
        return self.filter(piece=piece)


class Custody(ProjectedRow):
    """When a set of dice, a shaker or a shoe was at a table. `at` is when it was placed."""

    piece = models.CharField(max_length=8, choices=Piece.choices)
    name = models.CharField(max_length=64)
    type = models.CharField(max_length=16, blank=True)
    is_sealed = models.BooleanField(null=True)
    removed_at = models.DateTimeField(null=True)
    removed_index = models.BigIntegerField(null=True)
    removed_because = models.CharField(max_length=32, blank=True)

    objects = CustodyQuerySet.as_manager()

    class Meta(ProjectedRow.Meta):
        abstract = False

    def __str__(self) -> str:
        return self.name

    def time_at_table(self, now: datetime) -> timedelta:
        return (self.removed_at or now) - self.at

    def time_left(self, at_most: timedelta, now: datetime) -> timedelta:
        """Negative once the time is over. Exactly the allowed time is not a breach."""
        return at_most - self.time_at_table(now)


class InspectionMade(ProjectedRow):
    """An inspection of equipment: item, occasion, number of trials, numbers used, by whom, and whether it worked."""

    item = models.CharField(max_length=32)
    occasion = models.CharField(max_length=32)
    trials = models.PositiveIntegerField()
    entered = models.JSONField()
    has_passed = models.BooleanField()
    shift = models.CharField(max_length=64, blank=True)
    position = models.CharField(max_length=32)

    class Meta(ProjectedRow.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"{self.item}, {self.occasion}"


class TableTurn(ProjectedRow):
    """An opening or closing of a table. Inspections "before opening" are counted from it."""

    is_open = models.BooleanField()

    class Meta(ProjectedRow.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"{self.table} {'opened' if self.is_open else 'closed'}"


class CardsCounted(ProjectedRow):
    """A card count, or a foreign card found. `cards` is empty when nothing was counted."""

    shoe = models.CharField(max_length=64)
    decks = models.PositiveIntegerField(null=True)
    cards = models.PositiveIntegerField(null=True)
    foreign_cards = models.PositiveIntegerField()
    round = models.CharField(max_length=64, blank=True)
    note = models.CharField(max_length=500, blank=True)

    class Meta(ProjectedRow.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"Cards of {self.shoe}"


class ChipsMoved(ProjectedRow):
    """Chips without value issued to a player (`chips` above 0) or handed back (below 0), at the value set at issue."""

    chip_set = models.CharField(max_length=64)
    colour = models.CharField(max_length=50)
    value_cents = models.BigIntegerField()
    chips = models.IntegerField()
    holder = models.CharField(max_length=64)
    marker_cents = models.BigIntegerField(null=True)
    paid_cents = models.BigIntegerField(null=True)
    # Table where they were issued, if it was another one.
    issued_at = models.CharField(max_length=50, blank=True)

    class Meta(ProjectedRow.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"{self.chips} {self.colour}"
