"""Who watches a log from outside, and what they said of it. Nothing here changes or goes."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models

from compliance.accounts.acts import PersonsAct, ReasonedAct
from compliance.accounts.models import Casino
from rounds.ledger.cosignatures import REASONS, WitnessKey
from rounds.ledger.leaves import write_instant
from rounds.ledger.recorded import RecordedModel

GROWS_ONLY = ("SELECT", "INSERT")


class Witness(PersonsAct):
    """That a witness's word counts for a casino's log. Registered by the government, an entry of that log; never
    changes, and is kept for ever. It ends by a WitnessEnd."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="witnesses")
    name = models.CharField(max_length=120)
    key = models.CharField(max_length=300)

    app_privileges = GROWS_ONLY

    class Meta(PersonsAct.Meta):
        abstract = False
        ordering: ClassVar = ["name", "pk"]
        constraints: ClassVar = [
            *PersonsAct.Meta.constraints,
            models.UniqueConstraint(fields=["casino", "key"], name="witnesses_witness_once"),
        ]

    def __str__(self) -> str:
        return self.name

    def as_record(self) -> dict[str, Any]:
        return {"name": self.name, "key": self.key, **self.as_act()}

    @property
    def ended(self) -> "WitnessEnd | None":
        return getattr(self, "end", None)

    @property
    def parsed_key(self) -> WitnessKey:
        return WitnessKey.parse(self.key)


class WitnessEnd(ReasonedAct):
    """That a witness's word no longer counts: who ended it and why. An entry of the casino's log; never changes."""

    witness = models.OneToOneField(Witness, models.PROTECT, related_name="end")

    read_with = ("witness",)
    app_privileges = GROWS_ONLY

    class Meta(ReasonedAct.Meta):
        abstract = False
        ordering: ClassVar = ["-pk"]

    def __str__(self) -> str:
        return f"{self.witness}, ended"

    def as_record(self) -> dict[str, Any]:
        return {"name": self.witness.name, "key": self.witness.key, **self.as_act()}


class Cosignature(models.Model):
    """A witness's signature on one checkpoint, as it is served with it. Posted by the witness; one a witness and size,
    never changed, kept for ever. Not an entry: it bears a signature of its own."""

    witness = models.ForeignKey(Witness, models.PROTECT, related_name="cosignatures")
    size = models.BigIntegerField()
    line = models.TextField()
    cosigned_at = models.DateTimeField()
    received_at = models.DateTimeField()

    app_privileges = GROWS_ONLY

    class Meta:
        ordering: ClassVar = ["-size"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["witness", "size"], name="witnesses_cosignature_once"),
        ]

    def __str__(self) -> str:
        return f"{self.witness} at {self.size}"


class Dissent(RecordedModel):
    """A witness's signed word that it refused a checkpoint. Posted by the witness, an entry of the log with the whole
    statement; never changes. The first of its kind against each kept checkpoint is taken."""

    entry_time = "received_at"

    witness = models.ForeignKey(Witness, models.PROTECT, related_name="dissents")
    reason = models.CharField(max_length=32)
    kept_size = models.BigIntegerField()
    kept_root = models.CharField(max_length=64)
    offered_size = models.BigIntegerField()
    offered_root = models.CharField(max_length=64)
    stated_at = models.DateTimeField()
    statement = models.TextField()
    received_at: "models.DateTimeField[datetime, datetime]" = models.DateTimeField()

    read_with = ("witness",)
    app_privileges = GROWS_ONLY

    class Meta(RecordedModel.Meta):
        abstract = False
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            *RecordedModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["witness", "reason", "kept_size", "kept_root"], name="witnesses_dissent_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.witness} disagrees at {self.kept_size}"

    def as_record(self) -> dict[str, Any]:
        return {
            "witness": self.witness.name,
            "reason": self.reason,
            "kept": {"size": self.kept_size, "root": self.kept_root},
            "offered": {"size": self.offered_size, "root": self.offered_root},
            "at": write_instant(self.stated_at),
            "statement": self.statement,
        }

    @property
    def words(self) -> str:
        return REASONS[self.reason]
