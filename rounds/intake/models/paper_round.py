"""Rounds played while a controller was out, written on paper and entered by people: two of them."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from compliance.core.accounts.models import Casino, User
from rounds.floor.models import Table


class PaperState(models.TextChoices):
    ENTERED = "entered", "Waiting for a second person"
    CONFIRMED = "confirmed", "Confirmed"
    REFUSED = "refused", "Refused"


# Which state may follow which; the database checks the same (migration 0004).
NEXT_STATES = {PaperState.ENTERED: (PaperState.CONFIRMED, PaperState.REFUSED)}


class PaperRound(models.Model):
    """A round as it was written on paper. Entered by one supervisor; another confirms it, which records it as a
    `round` with origin paper, or refuses it. Decided once, never changed otherwise, kept for ever."""

    app_privileges = ("SELECT", "INSERT", "UPDATE")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="paper_rounds")
    table = models.ForeignKey(Table, models.PROTECT, related_name="paper_rounds")
    # The round's body as a controller would have sent it, in canonical JSON.
    body = models.TextField()
    played_at = models.DateTimeField()
    why = models.TextField()
    state = models.CharField(max_length=20, choices=PaperState.choices, default=PaperState.ENTERED)
    entered_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    entered_at = models.DateTimeField()
    decided_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    reason = models.TextField(blank=True)
    # The entry, once it is confirmed.
    entry_index = models.BigIntegerField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-entered_at", "-pk"]
        indexes: ClassVar = [models.Index(fields=["casino", "state", "-entered_at"], name="paper_at_casino")]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(state=PaperState.ENTERED, decided_by=None, decided_at=None, entry_index=None)
                | Q(state=PaperState.CONFIRMED, decided_at__isnull=False, entry_index__isnull=False)
                | (Q(state=PaperState.REFUSED, decided_at__isnull=False, entry_index=None) & ~Q(reason="")),
                name="intake_paper_state",
            ),
            models.CheckConstraint(
                condition=Q(decided_by=None) | ~Q(decided_by=F("entered_by")), name="intake_paper_two_people"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table}, {self.played_at:%Y-%m-%d %H:%M} UTC"
