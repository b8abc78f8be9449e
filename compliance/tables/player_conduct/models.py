"""Records of patrons' conduct, without personal details."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from compliance.core.accounts.models import Casino, User, person_reference
from compliance.privacy.personal_data.models import PersonalRecord
from compliance.tables.player_conduct.act_types import ACT_TYPES
from compliance.tables.player_conduct.entry_kinds import EXCLUSION
from rounds.floor.models import Table
from rounds.intake.entry_kinds import INVALIDATION
from rounds.ledger import WithdrawableModel, encode_timestamp

APPEND_ONLY = ("SELECT", "INSERT")
KIND_CHOICES = [(sort.kind, sort.title) for sort in ACT_TYPES.values()]


class ConductAct(WithdrawableModel):
    """Records that a wager was refused, wagers were voided, an outcome was invalidated, or a person was excluded or
    asked to leave.

    Written by floor staff; never changes; kept for ever. Personal details are in `personal`, which is destroyed at the
    end of its retention period.
    """

    entry_time = "recorded_at"

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    table = models.ForeignKey(Table, models.PROTECT, related_name="+")
    kind = models.CharField(max_length=24, choices=KIND_CHOICES)
    at = models.DateTimeField()
    grounds = models.CharField(max_length=24)
    clause = models.CharField(max_length=40, blank=True)
    scope = models.CharField(max_length=16, blank=True)
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    player = models.CharField(max_length=40, blank=True)
    # `rounds` are indexes of the rounds' entries; `wagers` are "index:wager id"; `forfeited` is the subset that was
    # forfeited.
    rounds = models.JSONField(default=list)
    wagers = models.JSONField(default=list)
    forfeited = models.JSONField(default=list)
    personal = models.ForeignKey(PersonalRecord, models.PROTECT, null=True, blank=True, related_name="+")
    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    by_name = models.CharField(max_length=120)
    acted_as = models.CharField(max_length=32)
    recorded_at = models.DateTimeField()

    read_with = ("table", "personal")
    app_privileges = APPEND_ONLY

    class Meta(WithdrawableModel.Meta):
        abstract = False
        ordering: ClassVar = ["-at", "-pk"]
        indexes: ClassVar = [models.Index(fields=["casino", "kind", "-at"], name="conduct_of_casino")]
        constraints: ClassVar = [
            *WithdrawableModel.Meta.constraints,
            models.CheckConstraint(condition=Q(kind__in=list(ACT_TYPES)), name="conduct_kind_is_known"),
            models.CheckConstraint(condition=~Q(grounds=""), name="conduct_has_grounds"),
            models.CheckConstraint(
                condition=~Q(kind=EXCLUSION) | Q(scope__in=["game", "casino"]), name="conduct_exclusion_has_a_scope"
            ),
            models.CheckConstraint(
                condition=Q(kind=INVALIDATION, forfeited=[]) | ~Q(player="") | Q(seat__isnull=False),
                name="conduct_is_about_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, {self.at:%Y-%m-%d %H:%M} UTC"

    @property
    def reference(self) -> str:
        return f"Record {self.entry_index:,}"

    @property
    def grounds_words(self) -> str:
        return dict(ACT_TYPES[self.kind].grounds).get(self.grounds, self.grounds)

    @property
    def whom(self) -> str:
        return self.player or (f"Seat {self.seat}" if self.seat else "Not stated")

    def entry_body(self) -> dict[str, Any]:
        return {
            "table": self.table.slug,
            "at": encode_timestamp(self.at),
            "grounds": self.grounds,
            "clause": self.clause or None,
            "scope": self.scope or None,
            "seat": self.seat,
            "player": self.player or None,
            "rounds": self.rounds,
            "wagers": self.wagers,
            "forfeited": self.forfeited,
            "person": self.personal.as_commitment() if self.personal else None,
            "by": person_reference(self.by_id, self.by_name),
            "as": self.acted_as,
        }
