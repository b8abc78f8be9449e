"""Notices of changed limits and the steps that ended them, limits of single players, and warnings."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q

from compliance.core.accounts.models import Casino, User, person_reference
from compliance.tables.limit_notices.states import OPEN_STATES, TRANSITIONS, NoticeState
from compliance.tables.signs.models import Sign
from rounds.floor.fact_values import LimitsValue, read_value
from rounds.floor.models import Table
from rounds.ledger import LedgerModel, WithdrawableModel, encode_timestamp

UPDATABLE = ("SELECT", "INSERT", "UPDATE")
APPEND_ONLY = ("SELECT", "INSERT")
PLAYER_OR_SEAT = ~Q(player="") | Q(seat__isnull=False)


class NoticeQuerySet(models.QuerySet["LimitNotice"]):
    def pending(self) -> "NoticeQuerySet":
        """Not in force, withdrawn or lapsed yet."""
        return self.filter(state__in=OPEN_STATES)

    def with_related(self) -> "NoticeQuerySet":
        return self.select_related("casino", "table", "sign", "scheduled_by")


class LimitNotice(LedgerModel):
    """Records that a table's limits are to change, with the sign that announces it if the rules require one.

    Written by a supervisor; only `state` changes; kept for ever.
    """

    read_with = ("table", "sign")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    table = models.ForeignKey(Table, models.PROTECT, related_name="limit_notices")
    min_cents = models.BigIntegerField()
    max_cents = models.BigIntegerField()
    multiples = models.BooleanField()
    unit_cents = models.BigIntegerField(null=True, blank=True)
    # Limits by bet, as in LimitsValue; empty where the sign states none.
    by_bet = models.JSONField(default=dict, blank=True)
    streak_cents = models.BigIntegerField(null=True, blank=True)
    effective_at = models.DateTimeField()
    sign = models.OneToOneField(Sign, models.PROTECT, null=True, blank=True, related_name="limit_notice")
    clause = models.CharField(max_length=20, blank=True)
    note = models.CharField(max_length=500, blank=True)
    state = models.CharField(max_length=12, choices=NoticeState.choices, default=NoticeState.SCHEDULED)
    scheduled_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    scheduled_by_name = models.CharField(max_length=120)
    scheduled_at = models.DateTimeField()

    objects = NoticeQuerySet.as_manager()
    app_privileges = UPDATABLE

    class Meta(LedgerModel.Meta):
        ordering: ClassVar = ["-scheduled_at", "-pk"]
        indexes: ClassVar = [models.Index(fields=["casino", "-scheduled_at"], name="notices_of_casino")]
        constraints: ClassVar = [
            *LedgerModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["table", "effective_at"],
                condition=Q(state__in=sorted(OPEN_STATES)),
                name="notices_one_an_instant",
            ),
            models.UniqueConstraint(
                fields=["table"],
                condition=Q(state__in=sorted(OPEN_STATES), sign__isnull=False),
                name="notices_one_raise",
            ),
            models.CheckConstraint(
                condition=Q(min_cents__gt=0, max_cents__gte=F("min_cents")), name="notices_maximum_not_below_minimum"
            ),
            models.CheckConstraint(condition=Q(state__in=NoticeState.values), name="notices_state_known"),
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.min_cents} to {self.max_cents} cents"

    @property
    def limits(self) -> LimitsValue:
        return read_value(LimitsValue, self._limits_as_dict())

    def _limits_as_dict(self) -> dict[str, Any]:
        limits = {
            "min": self.min_cents,
            "max": self.max_cents,
            "multiples": self.multiples,
            "unit": self.unit_cents,
        }
        return limits | ({"by_bet": self.by_bet} if self.by_bet else {})

    @property
    def is_open(self) -> bool:
        return self.state in OPEN_STATES

    def may_become(self, state: NoticeState) -> bool:
        return state in TRANSITIONS[NoticeState(self.state)]

    def entry_body(self) -> Mapping[str, Any]:
        return {
            "table": self.table.slug,
            "limits": self._limits_as_dict(),
            "streak_amount": self.streak_cents,
            "effective_at": encode_timestamp(self.effective_at),
            "sign": self.sign.name if self.sign else None,
            "clause": self.clause,
            "note": self.note,
            "by": person_reference(self.scheduled_by_id, self.scheduled_by_name),
        }


class NoticeStep(LedgerModel):
    """Records that a notice came into force, was withdrawn or lapsed. Written once; never changes; kept for ever."""

    read_with = ("notice__table",)

    notice = models.OneToOneField(LimitNotice, models.PROTECT, related_name="end")
    state = models.CharField(max_length=12, choices=NoticeState.choices)
    at = models.DateTimeField()
    by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    by_name = models.CharField(max_length=120, blank=True)
    reason = models.CharField(max_length=500, blank=True)

    objects = models.Manager()
    app_privileges = APPEND_ONLY

    class Meta(LedgerModel.Meta):
        ordering: ClassVar = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.notice_id} {self.state}"

    def entry_body(self) -> Mapping[str, Any]:
        record: dict[str, Any] = {
            "table": self.notice.table.slug,
            "notice": self.notice.entry_index,
            "at": encode_timestamp(self.at),
            "reason": self.reason,
        }
        return record if self.by_id is None else {**record, "by": person_reference(self.by_id, self.by_name)}


class PlayerLimit(WithdrawableModel):
    """Records that one player at a table has limits of their own, shown by a separate sign.

    Written by a supervisor; ended once, otherwise never changes; kept for ever. The player is a pseudonym of the gaming
    day or a seat, never a name.
    """

    read_with = ("table", "sign")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    table = models.ForeignKey(Table, models.PROTECT, related_name="player_limits")
    player = models.CharField(max_length=40, blank=True)
    seat = models.PositiveIntegerField(null=True, blank=True)
    min_cents = models.BigIntegerField()
    max_cents = models.BigIntegerField()
    sign = models.OneToOneField(Sign, models.PROTECT, related_name="player_limit")
    allowed_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    allowed_by_name = models.CharField(max_length=120)
    allowed_at = models.DateTimeField()
    ended_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    ended_at = models.DateTimeField(null=True, blank=True)

    app_privileges = UPDATABLE

    class Meta(WithdrawableModel.Meta):
        ordering: ClassVar = ["-allowed_at", "-pk"]
        constraints: ClassVar = [
            *WithdrawableModel.Meta.constraints,
            models.CheckConstraint(condition=PLAYER_OR_SEAT, name="notices_playerlimit_of_somebody"),
            models.UniqueConstraint(
                fields=["table", "player", "seat"],
                condition=Q(ended_at=None),
                nulls_distinct=False,
                name="notices_playerlimit_once",
            ),
            models.CheckConstraint(
                condition=Q(min_cents__gt=0, max_cents__gte=F("min_cents")), name="notices_playerlimit_order"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.who} at {self.table}"

    @property
    def who(self) -> str:
        return player_or_seat(self.player, self.seat)

    def entry_body(self) -> Mapping[str, Any]:
        return {
            "table": self.table.slug,
            "player": self.player or None,
            "seat": self.seat,
            "min": self.min_cents,
            "max": self.max_cents,
            "sign": self.sign.name,
            "by": person_reference(self.allowed_by_id, self.allowed_by_name),
        }


class UnderMinimumWarning(WithdrawableModel):
    """Records that a player was warned: further wagers under the minimum are returned whatever the result. Read by the
    audit.

    Written by the supervisor who gave the warning; applies to the gaming day and table. Never changes; kept for ever.
    """

    read_with = ("table",)

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    table = models.ForeignKey(Table, models.PROTECT, related_name="+")
    player = models.CharField(max_length=40, blank=True)
    seat = models.PositiveIntegerField(null=True, blank=True)
    gaming_day = models.DateField()
    warned_at = models.DateTimeField()
    round_name = models.CharField(max_length=64, blank=True)
    warned_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    warned_by_name = models.CharField(max_length=120)
    recorded_at = models.DateTimeField()

    app_privileges = APPEND_ONLY

    class Meta(WithdrawableModel.Meta):
        ordering: ClassVar = ["-warned_at", "-pk"]
        indexes: ClassVar = [models.Index(fields=["table", "gaming_day"], name="notices_warning_of_day")]
        constraints: ClassVar = [
            *WithdrawableModel.Meta.constraints,
            models.CheckConstraint(condition=PLAYER_OR_SEAT, name="notices_warning_of_somebody"),
        ]

    def __str__(self) -> str:
        return f"{self.who} at {self.table}"

    @property
    def who(self) -> str:
        return player_or_seat(self.player, self.seat)

    def covers(self, player: str, seat: int | None, at: datetime) -> bool:
        """Whether a wager of this player or seat was placed after the warning."""
        is_meant = player == self.player if self.player else seat is not None and seat == self.seat
        return is_meant and at >= self.warned_at

    def entry_body(self) -> Mapping[str, Any]:
        return {
            "table": self.table.slug,
            "player": self.player or None,
            "seat": self.seat,
            "gaming_day": self.gaming_day.isoformat(),
            "at": encode_timestamp(self.warned_at),
            "round": self.round_name or None,
            "by": person_reference(self.warned_by_id, self.warned_by_name),
        }


def player_or_seat(player: str, seat: int | None) -> str:
    return player or f"seat {seat}"
