"""Signatures that were refused, counted until they are recorded: however many come, an entry a minute."""

from datetime import datetime, timedelta

from django.db import models

from rounds.floor.models import Controller
from rounds.intake.models.feed import UPDATABLE

RECORDED_EVERY = timedelta(minutes=1)


class RejectionCounter(models.Model):
    """Refusals since the last entry that said how many there were."""

    app_privileges = UPDATABLE

    unrecorded = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()
    recorded_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    def is_due(self, now: datetime) -> bool:
        return self.recorded_at is None or now - self.recorded_at >= RECORDED_EVERY


class RefusedSignatures(RejectionCounter):
    """Signatures refused under one key of a controller and not recorded yet. `why` is the last of the reasons."""

    controller = models.ForeignKey(Controller, models.PROTECT, related_name="+")
    key_id = models.CharField(max_length=16, unique=True)
    why = models.CharField(max_length=50, default="bad-signature")

    def __str__(self) -> str:
        return f"{self.key_id}: {self.unrecorded}"


class UnknownKeys(RejectionCounter):
    """Batches under keys that no controller has: a row for each casino whose tables they claimed to be of, and one for
    those that named no table of anybody's. Not a row a key: a stranger can invent one for each batch.

    `named` counts by key id, for as many ids as an entry names; the rest are in the sum alone. `claimed` counts by
    table.
    """

    log = models.SlugField(max_length=50, unique=True)
    named = models.JSONField(default=dict)
    claimed = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"{self.log}: {self.unrecorded} under unknown keys"
