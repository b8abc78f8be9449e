"""The statements with which read-only logs continued. Append-only."""

from typing import Any, ClassVar

from django.db import models

from compliance.core.accounts.ledger.person_act import PersonActModel
from rounds.ledger import encode_timestamp, maintenance


class EpochBegun(PersonActModel):
    """That a person stated what was lost, and the log continues: the first entry of its epoch. Written once by the
    government, or by an administrator if there is none; never changed, kept for ever.
    """

    number = models.PositiveIntegerField()
    # The log's size at that time, and the origin under which it signs from then on.
    size = models.BigIntegerField()
    root = models.CharField(max_length=64)
    origin = models.CharField(max_length=200)
    reason = models.CharField(max_length=16)
    halted_at = models.DateTimeField()
    # The newest checkpoint known outside the database, byte for byte; null if there was none.
    outside_size = models.BigIntegerField(null=True)
    outside_note = models.TextField(blank=True)
    lost = models.TextField()
    why = models.TextField()
    evidence = models.TextField(blank=True)

    app_privileges = ("SELECT", "INSERT")

    class Meta(PersonActModel.Meta):
        abstract = False
        ordering: ClassVar = ["log", "-number"]
        constraints: ClassVar = [
            *PersonActModel.Meta.constraints,
            models.UniqueConstraint(fields=["log", "number"], name="restores_epochbegun_once"),
        ]

    def __str__(self) -> str:
        return f"{self.log}, epoch {self.number}"

    def entry_body(self) -> dict[str, Any]:
        outside = None if self.outside_size is None else {"size": self.outside_size, "checkpoint": self.outside_note}
        return {
            "epoch": self.number,
            "size": self.size,
            "root": self.root,
            "origin": self.origin,
            "reason": self.reason,
            "halted_at": encode_timestamp(self.halted_at),
            "outside": outside,
            "lost": self.lost,
            "why": self.why,
            "evidence": self.evidence,
            **self.act_fields(),
        }

    @property
    def reason_text(self) -> str:
        return maintenance.HALT_REASONS[self.reason]
