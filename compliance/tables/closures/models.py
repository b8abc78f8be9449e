"""Closures of tables and the steps that ended them."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from compliance.core.accounts.models import Casino, User, person_reference
from compliance.tables.closures.states import TRANSITIONS, ClosureState
from compliance.tables.signs.models import Sign
from rounds.floor.models import Table
from rounds.ledger import LedgerModel, WithdrawableModel, encode_timestamp


class Closure(LedgerModel):
    """Records that a table is to close: when, whether players are present and a streak runs, its signs, who is
    notified.

    Written by a supervisor; only `state` changes; kept for ever. `is_emergency` marks a closing without notice.
    """

    entry_time = "announced_at"
    read_with = ("table", "sign", "call")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    table = models.ForeignKey(Table, models.PROTECT, related_name="closures")
    closes_at = models.DateTimeField()
    players_present = models.BooleanField()
    streak_in_progress = models.BooleanField()
    is_emergency = models.BooleanField(default=False)
    reason = models.CharField(max_length=500, blank=True)
    sign = models.OneToOneField(Sign, models.PROTECT, null=True, blank=True, related_name="closure")
    call = models.OneToOneField(Sign, models.PROTECT, null=True, blank=True, related_name="+")
    clause = models.CharField(max_length=20, blank=True)
    # When the alert to the role in `told` was raised. The alert itself records when they received it.
    told_at = models.DateTimeField(null=True, blank=True)
    told = models.CharField(max_length=32, blank=True)
    state = models.CharField(max_length=12, choices=ClosureState.choices)
    announced_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    announced_by_name = models.CharField(max_length=120)
    announced_at = models.DateTimeField()

    objects = models.Manager()
    app_privileges = ("SELECT", "INSERT", "UPDATE")

    class Meta(LedgerModel.Meta):
        ordering: ClassVar = ["-announced_at", "-pk"]
        indexes: ClassVar = [models.Index(fields=["table", "-announced_at"], name="closures_of_table")]
        constraints: ClassVar = [
            *LedgerModel.Meta.constraints,
            models.UniqueConstraint(fields=["table"], condition=Q(state="announced"), name="closures_one_announced"),
            models.UniqueConstraint(fields=["table"], condition=Q(state="closed"), name="closures_one_closed"),
            models.CheckConstraint(condition=Q(state__in=ClosureState.values), name="closures_state_known"),
            models.CheckConstraint(condition=Q(is_emergency=False) | ~Q(reason=""), name="closures_emergency_says_why"),
        ]

    def __str__(self) -> str:
        return f"{self.table} at {self.closes_at:%Y-%m-%d %H:%M} UTC"

    def may_become(self, state: ClosureState) -> bool:
        return state in TRANSITIONS[ClosureState(self.state)]

    def entry_body(self) -> Mapping[str, Any]:
        return {
            "table": self.table.slug,
            "closes_at": encode_timestamp(self.closes_at),
            "players_present": self.players_present,
            "streak_in_progress": self.streak_in_progress,
            "emergency": self.is_emergency,
            "reason": self.reason,
            "sign": self.sign.name if self.sign else None,
            "final_call": self.call.name if self.call else None,
            "clause": self.clause,
            "told": {"position": self.told, "at": encode_timestamp(self.told_at)} if self.told_at else None,
            "by": person_reference(self.announced_by_id, self.announced_by_name),
        }


class ClosureStep(WithdrawableModel):
    """Records that a closure was carried out, withdrawn, or ended by reopening. Of each, one
    stands at a time; never changes; kept for ever."""

    read_with = ("closure__table",)

    closure = models.ForeignKey(Closure, models.PROTECT, related_name="steps")
    state = models.CharField(max_length=12, choices=ClosureState.choices)
    at = models.DateTimeField()
    by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    by_name = models.CharField(max_length=120)
    reason = models.CharField(max_length=500, blank=True)

    app_privileges = ("SELECT", "INSERT")

    class Meta(WithdrawableModel.Meta):
        ordering: ClassVar = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.closure_id} {self.state}"

    def entry_body(self) -> Mapping[str, Any]:
        record: dict[str, Any] = {
            "table": self.closure.table.slug,
            "closure": self.closure.entry_index,
            "state": self.state,
            "at": encode_timestamp(self.at),
            "reason": self.reason,
        }
        by = person_reference(self.by_id, self.by_name) if self.by_id is not None else self.by_name
        return {**record, "by": by}
