"""A casino's settings for disputes: service levels, and its own procedure where the rules are silent."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from compliance.core.accounts.ledger.person_act import PersonActModel
from compliance.core.accounts.models import Casino
from compliance.disputes.models.dispute import APPEND_ONLY


class ServiceLevel(PersonActModel):
    """How many hours a casino allows for a wait, from this time on. The newest row applies. Set by a compliance
    officer; never changed; kept for ever."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    wait = models.SlugField(max_length=32)
    hours = models.PositiveSmallIntegerField()

    app_privileges = APPEND_ONLY

    class Meta(PersonActModel.Meta):
        ordering: ClassVar = ["-at", "-pk"]
        constraints: ClassVar = [
            *PersonActModel.Meta.constraints,
            models.CheckConstraint(condition=Q(hours__gte=1, hours__lte=8760), name="disputes_level_is_up_to_a_year"),
        ]

    def __str__(self) -> str:
        return f"{self.wait}: {self.hours} h"

    def entry_body(self) -> dict[str, Any]:
        return {"wait": self.wait, "hours": self.hours, **self.act_fields()}


class OwnProcedure(PersonActModel):
    """The operator's own procedure for disputes where its rule document is silent. The newest row applies. Set by a
    compliance officer; never changed; kept for ever."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    text = models.TextField()

    app_privileges = APPEND_ONLY

    class Meta(PersonActModel.Meta):
        ordering: ClassVar = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"Own procedure, {self.at:%Y-%m-%d %H:%M} UTC"

    def entry_body(self) -> dict[str, Any]:
        return {"text": self.text, **self.act_fields()}
