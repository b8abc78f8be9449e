"""What the entries of many apps have in common: a person who answers for it, when it was, and perhaps why."""

from typing import Any

from django.db import models

from compliance.accounts.models import User, named
from rounds.ledger.leaves import write_instant
from rounds.ledger.recorded import RecordedModel


class PersonsAct(RecordedModel):
    """What one person did, and when.

    The name is as it was on that day: what the entry says must not change when somebody changes theirs."""

    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    by_name = models.CharField(max_length=120)
    at = models.DateTimeField()

    class Meta(RecordedModel.Meta):
        abstract = True

    def as_act(self) -> dict[str, Any]:
        """What the entry says of the act itself."""
        return {"by": named(self.by_id, self.by_name), "at": write_instant(self.at)}


class ReasonedAct(PersonsAct):
    """One that the person has to give a reason for."""

    reason = models.CharField(max_length=300)

    class Meta(PersonsAct.Meta):
        abstract = True

    def as_act(self) -> dict[str, Any]:
        return {"reason": self.reason, **super().as_act()}
