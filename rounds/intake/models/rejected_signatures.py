"""Counters of rejected signatures. They limit the ledger to one entry a minute, however many batches are rejected."""

from datetime import datetime, timedelta

from django.db import models

from rounds.floor.models import Controller
from rounds.intake.models.feed import UPDATABLE

RECORDED_EVERY = timedelta(minutes=1)


class RejectionCounter(models.Model):
    """Abstract base: number of rejections since the last ledger entry that recorded them."""

    app_privileges = UPDATABLE

    unrecorded = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()
    recorded_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    def is_due(self, now: datetime) -> bool:
        return self.recorded_at is None or now - self.recorded_at >= RECORDED_EVERY


class RefusedSignatures(RejectionCounter):
    """Rejected signatures under one controller key that are not recorded in the ledger yet. Updated with each rejection
    and reset when recorded. `why` is the latest reason."""

    controller = models.ForeignKey(Controller, models.PROTECT, related_name="+")
    key_id = models.CharField(max_length=16, unique=True)
    why = models.CharField(max_length=50, default="bad-signature")

    def __str__(self) -> str:
        return f"{self.key_id}: {self.unrecorded}"


class UnknownKeys(RejectionCounter):
    """Batches under unknown keys that are not recorded in the ledger yet: one row per casino whose tables they named,
    and one for batches that named no known table. Not one row per key, because an attacker can invent a key per batch.

    Updated with each rejection and reset when recorded. `named` counts by key id, up to MAX_KEYS_NAMED ids; the others
    are only in `unrecorded`. `claimed` counts by table.
    """

    log = models.SlugField(max_length=50, unique=True)
    named = models.JSONField(default=dict)
    claimed = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"{self.log}: {self.unrecorded} under unknown keys"
