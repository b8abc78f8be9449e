"""PaperRound: a round written on paper while a controller was down, entered by one person, confirmed by another."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from compliance.core.accounts.models import Casino, User
from rounds.floor.models import Table


class PaperState(models.TextChoices):
    ENTERED = "entered", "Waiting for a second person"
    CONFIRMED = "confirmed", "Confirmed"
    REFUSED = "refused", "Refused"


# Allowed state transitions; migration 0004 enforces the same with a trigger.
NEXT_STATES = {PaperState.ENTERED: (PaperState.CONFIRMED, PaperState.REFUSED)}


class PaperRound(models.Model):
    """A round as written on paper. Entered by one supervisor; a second one confirms it, which appends a `round` entry
    with origin paper, or refuses it. Written by services/paper_rounds.py, decided once, otherwise never changed, kept
    for ever."""

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
    # What the first person was warned of, and the reason for which they entered it. Part of the entry's origin.
    warnings = models.JSONField(default=list, blank=True)
    warning_reason = models.TextField(blank=True, default="")
    decided_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    reason = models.TextField(blank=True)
    # The index of its ledger entry, once confirmed.
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
