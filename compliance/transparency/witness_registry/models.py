"""Witnesses of a log, their cosignatures and disagreements. Append-only."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models

from compliance.core.accounts.ledger.person_act import PersonActModel, ReasonedActModel
from compliance.core.accounts.models import Casino
from rounds.ledger import LedgerModel, encode_timestamp
from rounds.transparency_log import formats

APPEND_ONLY = ("SELECT", "INSERT")


class Witness(PersonActModel):
    """That a witness's signatures count for a casino's log. Registered by the government with an entry of that log;
    never changed, kept for ever. Ends with a WitnessEnd.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="witnesses")
    name = models.CharField(max_length=120)
    key = models.CharField(max_length=300)

    app_privileges = APPEND_ONLY

    class Meta(PersonActModel.Meta):
        abstract = False
        ordering: ClassVar = ["name", "pk"]
        constraints: ClassVar = [
            *PersonActModel.Meta.constraints,
            models.UniqueConstraint(fields=["casino", "key"], name="witnesses_witness_once"),
        ]

    def __str__(self) -> str:
        return self.name

    def entry_body(self) -> dict[str, Any]:
        return {"name": self.name, "key": self.key, **self.act_fields()}

    @property
    def ended(self) -> "WitnessEnd | None":
        return getattr(self, "end", None)

    @property
    def parsed_key(self) -> formats.WitnessKey:
        return formats.WitnessKey.parse(self.key)


class WitnessEnd(ReasonedActModel):
    """That a witness's signatures no longer count: who ended it and why. Written with an entry of the casino's log;
    never changed, kept for ever.
    """

    witness = models.OneToOneField(Witness, models.PROTECT, related_name="end")

    read_with = ("witness",)
    app_privileges = APPEND_ONLY

    class Meta(ReasonedActModel.Meta):
        abstract = False
        ordering: ClassVar = ["-pk"]

    def __str__(self) -> str:
        return f"{self.witness}, ended"

    def entry_body(self) -> dict[str, Any]:
        return {"name": self.witness.name, "key": self.witness.key, **self.act_fields()}


class Cosignature(models.Model):
    """A witness's signature on one checkpoint, as served with it. Posted by the witness, one for each witness and size;
    never changed, kept for ever. Not an entry: it is signed itself.
    """

    witness = models.ForeignKey(Witness, models.PROTECT, related_name="cosignatures")
    size = models.BigIntegerField()
    line = models.TextField()
    cosigned_at = models.DateTimeField()
    received_at = models.DateTimeField()

    app_privileges = APPEND_ONLY

    class Meta:
        ordering: ClassVar = ["-size"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["witness", "size"], name="witnesses_cosignature_once"),
        ]

    def __str__(self) -> str:
        return f"{self.witness} at {self.size}"


class Dissent(LedgerModel):
    """A witness's signed statement that it refused a checkpoint. Posted by the witness and recorded as an entry with
    the whole statement; never changed, kept for ever. Only the first of each reason and kept checkpoint is stored.
    """

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
    app_privileges = APPEND_ONLY

    class Meta(LedgerModel.Meta):
        abstract = False
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            *LedgerModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["witness", "reason", "kept_size", "kept_root"], name="witnesses_dissent_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.witness} disagrees at {self.kept_size}"

    def entry_body(self) -> dict[str, Any]:
        return {
            "witness": self.witness.name,
            "reason": self.reason,
            "kept": {"size": self.kept_size, "root": self.kept_root},
            "offered": {"size": self.offered_size, "root": self.offered_root},
            "at": encode_timestamp(self.stated_at),
            "statement": self.statement,
        }

    @property
    def reason_text(self) -> str:
        return formats.DISAGREEMENT_REASONS[self.reason]
