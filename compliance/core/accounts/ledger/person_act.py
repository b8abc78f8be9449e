"""What the entries of many apps have in common: a person who answers for it, when it was, and perhaps why."""

from typing import Any

from django.db import models

from compliance.core.accounts.models import User, person_reference
from rounds.ledger import LedgerModel, encode_timestamp


class PersonActModel(LedgerModel):
    """What one person did, and when.

    The name is as it was on that day: what the entry says must not change when somebody changes theirs."""

    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    by_name = models.CharField(max_length=120)
    at = models.DateTimeField()

    class Meta(LedgerModel.Meta):
        abstract = True

    def act_fields(self) -> dict[str, Any]:
        """What the entry says of the act itself."""
        return {"by": person_reference(self.by_id, self.by_name), "at": encode_timestamp(self.at)}


class ReasonedActModel(PersonActModel):
    """One that the person has to give a reason for."""

    reason = models.CharField(max_length=300)

    class Meta(PersonActModel.Meta):
        abstract = True

    def act_fields(self) -> dict[str, Any]:
        return {"reason": self.reason, **super().act_fields()}
