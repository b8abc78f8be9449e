"""Commitments to wagers, and the proofs made from them. Append-only."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q

from compliance.core.accounts.ledger.person_act import PersonActModel, ReasonedActModel
from compliance.core.accounts.models import Casino
from compliance.core.web.ui.components import Tag
from compliance.core.web.ui.links import casino_url
from rounds.ledger import LedgerModel
from rounds.transparency_log import tree

APPEND_ONLY = ("SELECT", "INSERT")
INDEX_BYTES = 8
NODE_BYTES = INDEX_BYTES + tree.HASH_BYTES
STANDS, WITHDRAWN = Tag("Can be checked", "success"), Tag("Withdrawn", "warning")


class Commitment(LedgerModel):
    """That the rounds among entries first..last-1 have these wagers and no others. Written by the consumer with an
    entry of the casino's log; never changed, kept for ever.

    The salts are derived from `key`, which is in no entry. `nodes` has the index and the node of each round, so that
    one round can be proved without computing the others.
    """

    entry_time = "at"

    first = models.BigIntegerField()
    last = models.BigIntegerField()
    rounds = models.PositiveIntegerField()
    root_sha256 = models.CharField(max_length=64)
    key = models.BinaryField()
    nodes = models.BinaryField()
    at: "models.DateTimeField[datetime, datetime]" = models.DateTimeField()

    app_privileges = APPEND_ONLY

    class Meta(LedgerModel.Meta):
        abstract = False
        ordering: ClassVar = ["log", "first"]
        constraints: ClassVar = [
            *LedgerModel.Meta.constraints,
            models.UniqueConstraint(fields=["log", "first"], name="proofs_commitment_once"),
            models.CheckConstraint(
                condition=Q(first__gte=0, rounds__gte=1, last__lte=F("entry_index"))
                & Q(last__gte=F("first") + F("rounds")),
                name="proofs_commitment_is_a_stretch",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.log}, entries {self.first} to {self.last - 1}"

    def entry_body(self) -> dict[str, Any]:
        return {"first": self.first, "last": self.last, "rounds": self.rounds, "root": self.root_sha256}

    def nodes_by_entry(self) -> dict[int, bytes]:
        """Nodes by entry index, in log order."""
        stored = bytes(self.nodes)
        return {
            int.from_bytes(stored[start : start + INDEX_BYTES], "big"): stored[start + INDEX_BYTES : start + NODE_BYTES]
            for start in range(0, len(stored), NODE_BYTES)
        }


class Proof(PersonActModel):
    """A proof of one wager for its patron. Written with an entry that names the person who made it, the wager and the
    file's SHA-256; never changed, kept for ever.

    `code` opens the public check for the holder of the sheet, and is in no entry.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    round_index = models.BigIntegerField()
    round = models.CharField(max_length=64)
    table = models.CharField(max_length=50)
    wager = models.CharField(max_length=64)
    code = models.CharField(max_length=32, unique=True)
    content = models.BinaryField()
    content_sha256 = models.CharField(max_length=64)

    app_privileges = APPEND_ONLY

    class Meta(PersonActModel.Meta):
        abstract = False
        ordering: ClassVar = ["-at", "-pk"]
        indexes: ClassVar = [
            models.Index(fields=["casino", "-at", "-id"], name="proofs_of_casino"),
            models.Index(fields=["casino", "round_index"], name="proofs_of_round"),
        ]

    def __str__(self) -> str:
        return f"Proof {self.pk}"

    def entry_body(self) -> dict[str, Any]:
        return {
            "entry": self.round_index,
            "round": self.round,
            "wager": self.wager,
            "proof_sha256": self.content_sha256,
            **self.act_fields(),
        }

    def get_absolute_url(self) -> str:
        return casino_url("proofs:proof", self.casino, proof=self.pk)

    @property
    def withdrawn(self) -> "Withdrawal | None":
        return getattr(self, "withdrawal", None)

    @property
    def tag(self) -> Tag:
        return WITHDRAWN if self.withdrawn else STANDS


class Withdrawal(ReasonedActModel):
    """That a proof's code no longer opens the check: who withdrew it and why. Written with an entry; never changed,
    kept for ever. The patron's file remains valid.
    """

    proof = models.OneToOneField(Proof, models.PROTECT, related_name="withdrawal")

    read_with = ("proof",)
    app_privileges = APPEND_ONLY

    class Meta(ReasonedActModel.Meta):
        abstract = False
        ordering: ClassVar = ["-pk"]

    def __str__(self) -> str:
        return f"{self.proof}, withdrawn"

    def entry_body(self) -> dict[str, Any]:
        return {"proof_sha256": self.proof.content_sha256, "wager": self.proof.wager, **self.act_fields()}
