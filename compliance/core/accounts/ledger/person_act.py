"""Abstract models for entries of other apps: the person responsible, when, and the reason."""

from typing import Any

from django.db import models

from compliance.core.accounts.models import User, person_reference
from rounds.ledger import LedgerModel, encode_timestamp


class PersonActModel(LedgerModel):
    """Base of rows that record what one person did, and when. The name is stored as it was then, so that the entry
    does not change when the person's name does."""

    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    by_name = models.CharField(max_length=120)
    at = models.DateTimeField()

    class Meta(LedgerModel.Meta):
        abstract = True

    def act_fields(self) -> dict[str, Any]:
        """Members of the entry that describe the act itself."""
        return {"by": person_reference(self.by_id, self.by_name), "at": encode_timestamp(self.at)}


class ReasonedActModel(PersonActModel):
    """An act for which a reason must be given."""

    reason = models.CharField(max_length=300)

    class Meta(PersonActModel.Meta):
        abstract = True

    def act_fields(self) -> dict[str, Any]:
        return {"reason": self.reason, **super().act_fields()}
