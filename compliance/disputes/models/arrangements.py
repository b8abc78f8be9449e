"""What a casino arranges for its disputes: how long a step may take, and its own procedure where rules are silent."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from compliance.accounts.models import Casino, User, named
from compliance.disputes.models.dispute import GROWS_ONLY
from rounds.ledger.leaves import write_instant
from rounds.ledger.recorded import RecordedModel


class ServiceLevel(RecordedModel):
    """How many hours a casino allows for a wait, from this instant on. The newest one governs; kept for ever."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    wait = models.SlugField(max_length=32)
    hours = models.PositiveSmallIntegerField()
    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    by_name = models.CharField(max_length=120)
    at = models.DateTimeField()

    app_privileges = GROWS_ONLY

    class Meta(RecordedModel.Meta):
        ordering: ClassVar = ["-at", "-pk"]
        constraints: ClassVar = [
            *RecordedModel.Meta.constraints,
            models.CheckConstraint(condition=Q(hours__gte=1, hours__lte=8760), name="disputes_level_is_up_to_a_year"),
        ]

    def __str__(self) -> str:
        return f"{self.wait}: {self.hours} h"

    def as_record(self) -> dict[str, Any]:
        return {
            "wait": self.wait,
            "hours": self.hours,
            "by": named(self.by_id, self.by_name),
            "at": write_instant(self.at),
        }


class OwnProcedure(RecordedModel):
    """How the operator deals with disputes where its rule document is silent, in its own words. The newest counts.

    Stated by a compliance officer; never changed; kept for ever."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    text = models.TextField()
    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    by_name = models.CharField(max_length=120)
    at = models.DateTimeField()

    app_privileges = GROWS_ONLY

    class Meta(RecordedModel.Meta):
        ordering: ClassVar = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"Own procedure, {self.at:%Y-%m-%d %H:%M} UTC"

    def as_record(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "by": named(self.by_id, self.by_name),
            "at": write_instant(self.at),
        }
