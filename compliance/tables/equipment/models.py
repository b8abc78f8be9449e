"""What people recorded about a table's equipment. One ledger entry for each row; rows never change."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from compliance.core.accounts.ledger.person_act import PersonActModel
from compliance.core.accounts.models import Casino, User, person_reference
from compliance.tables.equipment.projections import (  # noqa: F401 - Django finds models through this module
    CardsCounted,
    ChipsMoved,
    Custody,
    Fault,
    InspectionMade,
    TableTurn,
)
from rounds.floor.models import Table
from rounds.ledger import WithdrawableModel, encode_timestamp

APPEND_ONLY = ("SELECT", "INSERT")


class ManualLine(WithdrawableModel):
    """A manual record in the format of a controller's line; its entry has the kind of that line.

    Written by floor staff; never changes; kept for ever.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    table = models.ForeignKey(Table, models.PROTECT, related_name="+")
    kind = models.CharField(max_length=40)
    at = models.DateTimeField()
    body = models.JSONField()
    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    by_name = models.CharField(max_length=120)
    recorded_at = models.DateTimeField()

    read_with = ("table",)
    app_privileges = APPEND_ONLY

    class Meta(WithdrawableModel.Meta):
        db_table = "equipment_personsline"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["log", "entry_index"], name="equipment_personsline_one_entry")
        ]
        abstract = False
        ordering: ClassVar = ["-recorded_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.kind}, {self.at:%Y-%m-%d %H:%M} UTC"

    def entry_body(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "table": self.table.slug,
            "at": encode_timestamp(self.at),
            "body": self.body,
            "origin": {"how": "person", "by": person_reference(self.by_id, self.by_name)},
        }


class ReturnToPlay(PersonActModel, WithdrawableModel):
    """Records that a person inspected a repaired table and signed for its return to play. Never changes; kept for
    ever."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    table = models.ForeignKey(Table, models.PROTECT, related_name="+")
    # Indexes of the entries that reported the faults.
    faults = models.JSONField()
    note = models.CharField(max_length=300)

    read_with = ("table",)
    app_privileges = APPEND_ONLY

    class Meta(PersonActModel.Meta):
        abstract = False
        ordering: ClassVar = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.table} back in play, {self.at:%Y-%m-%d %H:%M} UTC"

    def entry_body(self) -> dict[str, Any]:
        return {"table": self.table.slug, "faults": self.faults, "note": self.note, **self.act_fields()}


class VoidSet(PersonActModel, WithdrawableModel):
    """Records which rounds a shift manager determined to be affected by damaged dice. All of them are void.

    `rounds` are indexes of the rounds' entries. Never changes; kept for ever.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    table = models.ForeignKey(Table, models.PROTECT, related_name="+")
    dice_set = models.CharField(max_length=64)
    clause = models.CharField(max_length=40, blank=True)
    rounds = models.JSONField()
    reason = models.CharField(max_length=500)

    read_with = ("table",)
    app_privileges = APPEND_ONLY

    class Meta(PersonActModel.Meta):
        abstract = False
        ordering: ClassVar = ["-at", "-pk"]
        constraints: ClassVar = [
            *PersonActModel.Meta.constraints,
            models.CheckConstraint(condition=~Q(rounds=[]) & ~Q(reason=""), name="void_set_says_what_and_why"),
        ]

    def __str__(self) -> str:
        return f"{len(self.rounds)} rounds of {self.table}"

    def entry_body(self) -> dict[str, Any]:
        return {
            "table": self.table.slug,
            "rounds": self.rounds,
            "reason": self.reason,
            "dice_set": self.dice_set,
            "clause": self.clause or None,
            **self.act_fields(),
        }


class StakesReturned(PersonActModel, WithdrawableModel):
    """Records that stakes were handed back for rounds or wagers that became void later: how much for which wager.

    `because` is the index of the entry that voided them. Written by a supervisor of the table; never changes; kept for
    ever.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    table = models.ForeignKey(Table, models.PROTECT, related_name="+")
    because = models.BigIntegerField()
    # A list of {"round": index of its entry, "wager": its number, "cents"}.
    returned = models.JSONField()
    how = models.CharField(max_length=300)

    read_with = ("table",)
    app_privileges = APPEND_ONLY

    class Meta(PersonActModel.Meta):
        abstract = False
        ordering: ClassVar = ["-at", "-pk"]
        indexes: ClassVar = [models.Index(fields=["casino", "because"], name="equipment_returned_because")]
        constraints: ClassVar = [
            *PersonActModel.Meta.constraints,
            models.CheckConstraint(condition=~Q(returned=[]) & ~Q(how=""), name="stakes_returned_says_what_and_how"),
        ]

    def __str__(self) -> str:
        return f"{len(self.returned)} stakes of {self.table}"

    @property
    def total_cents(self) -> int:
        return sum(each["cents"] for each in self.returned)

    def entry_body(self) -> dict[str, Any]:
        return {
            "table": self.table.slug,
            "because": self.because,
            "rounds": sorted({each["round"] for each in self.returned}),
            "returned": self.returned,
            "how": self.how,
            **self.act_fields(),
        }
