"""Draws and their steps, winners, and attempts to reach them. All append-only."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import Exists, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from compliance.core.accounts.models import User
from compliance.privacy.personal_data.models import PersonalRecord
from promotions.draws.states import STOP_ACTS, DrawAct, DrawState
from promotions.shared.base_model import PromotionRecord
from promotions.terms.models import Promotion
from rounds.ledger import StandingManager, encode_timestamp


class DrawQuerySet(models.QuerySet["Draw"]):
    def with_state(self) -> "DrawQuerySet":
        """Annotates `state` and `due_at`, the time for which the draw was last scheduled."""
        steps = DrawStep.objects.filter(draw=OuterRef("pk"))
        last = steps.order_by("-step")
        moved = steps.filter(scheduled_at__isnull=False).order_by("-step")
        return self.select_related(
            "promotion__casino", "by"
        ).annotate(  # type: ignore[no-redef]
            state=Coalesce(Subquery(last.values("after")[:1]), models.Value(DrawState.SCHEDULED.value)),
            due_at=Coalesce(Subquery(moved.values("scheduled_at")[:1]), "scheduled_at"),
        )

    def due_between(self, since: datetime, until: datetime) -> "DrawQuerySet":
        """Requires `with_state()`."""
        return self.filter(Q(("due_at__gte", since), ("due_at__lte", until)))


class Draw(PromotionRecord):
    """Records that a draw is planned: when, where, how. Written by marketing; never changes (see DrawStep); kept for
    ever."""

    promotion = models.ForeignKey(Promotion, models.PROTECT, related_name="draws")
    number = models.PositiveIntegerField()
    scheduled_at = models.DateTimeField()
    place = models.CharField(max_length=300)
    method = models.CharField(max_length=300)
    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    objects = StandingManager.from_queryset(DrawQuerySet)()  # type: ignore[misc]
    recorded = DrawQuerySet.as_manager()  # type: ignore[misc]
    read_with = ("promotion", "by")
    # Annotations of `with_state()`.
    state: str
    due_at: datetime

    class Meta(PromotionRecord.Meta):
        abstract = False
        ordering: ClassVar = ["scheduled_at", "pk"]
        constraints: ClassVar = [
            *PromotionRecord.Meta.constraints,
            models.UniqueConstraint(fields=["promotion", "number"], name="draws_number_once"),
        ]

    def __str__(self) -> str:
        return f"Draw {self.number}"

    def get_absolute_url(self) -> str:
        return self.address("draw")

    @property
    def reference(self) -> str:
        return f"{self.promotion.reference}/D{self.number}"

    def address(self, name: str, **parts: object) -> str:
        return self.promotion.address(name, app="draws", draw=self.number, **parts)

    def entry_body(self) -> dict[str, Any]:
        return {
            "promotion": self.promotion.number,
            "draw": self.number,
            "scheduled_at": encode_timestamp(self.scheduled_at),
            "place": self.place,
            "method": self.method,
            "at": encode_timestamp(self.at),
            "by": self.by.as_entry_reference(),
        }


class DrawStep(PromotionRecord):
    """Records an event of a draw: held, postponed, cancelled, or validated and rescheduled. Append-only; kept for
    ever."""

    entry_time = "recorded_at"

    draw = models.ForeignKey(Draw, models.PROTECT, related_name="steps")
    step = models.PositiveSmallIntegerField()
    act = models.CharField(max_length=16, choices=DrawAct.choices)
    before = models.CharField(max_length=16, choices=DrawState.choices)
    after = models.CharField(max_length=16, choices=DrawState.choices)
    # When it happened, as stated by the casino. `recorded_at` is when it was recorded.
    happened_at = models.DateTimeField()
    statement = models.TextField()
    scheduled_at = models.DateTimeField(null=True, blank=True)
    # For a draw that was held: place, method, entries, scrutineer, scrutineer_confirmed.
    particulars = models.JSONField(default=dict, blank=True)
    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField()

    read_with = ("draw__promotion", "by")

    class Meta(PromotionRecord.Meta):
        abstract = False
        ordering: ClassVar = ["draw", "step"]
        constraints: ClassVar = [
            *PromotionRecord.Meta.constraints,
            models.UniqueConstraint(fields=["draw", "step"], name="draws_step_once"),
            models.CheckConstraint(condition=~Q(statement=""), name="draws_step_says_something"),
            models.CheckConstraint(
                condition=~Q(act=DrawAct.VALIDATED) | Q(scheduled_at__isnull=False), name="draws_validated_has_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.draw}: {self.get_act_display().lower()}"

    @property
    def is_stop(self) -> bool:
        return self.act in STOP_ACTS

    @property
    def has_scrutineer(self) -> bool:
        return bool(self.particulars.get("scrutineer") and self.particulars.get("scrutineer_confirmed"))

    def entry_body(self) -> dict[str, Any]:
        return {
            "promotion": self.draw.promotion.number,
            "draw": self.draw.number,
            "step": self.step,
            "act": self.act,
            "before": self.before,
            "after": self.after,
            "happened_at": encode_timestamp(self.happened_at),
            "statement": self.statement,
            "scheduled_at": encode_timestamp(self.scheduled_at) if self.scheduled_at else None,
            "particulars": self.particulars,
            "recorded_at": encode_timestamp(self.recorded_at),
            "by": self.by.as_entry_reference(),
        }


class WinnerQuerySet(models.QuerySet["Winner"]):
    def with_details(self) -> "WinnerQuerySet":
        """Annotates the time of the draw, the first attempt, and whether the winner was reached."""
        held = DrawStep.objects.filter(draw=OuterRef("draw"), act=DrawAct.HELD)
        # Nobody can be told of a draw before it was held.
        attempts = Attempt.objects.filter(winner=OuterRef("pk"), at__gte=OuterRef("drawn_at"))
        return self.select_related(
            "draw__promotion__casino", "personal"
        ).annotate(  # type: ignore[no-redef]
            drawn_at=Subquery(held.values("happened_at")[:1]),
            first_attempt_at=Subquery(attempts.order_by("at").values("at")[:1]),
            is_reached=Exists(attempts.filter(is_reached=True)),
        )

    def oldest_first(self) -> "WinnerQuerySet":
        return self.order_by(F("drawn_at").asc(), "pk")

    def unnotified(self) -> "WinnerQuerySet":
        """Winners not reached yet whose presence at the draw was not required. Requires `with_details()`."""
        return self.filter(Q(("is_reached", False)), is_presence_required=False)


class Winner(PromotionRecord):
    """Records who won what, by the entry drawn. The name, if known, is in compliance.privacy.personal_data.

    Written by marketing; never changes; kept for ever.
    """

    draw = models.ForeignKey(Draw, models.PROTECT, related_name="winners")
    number = models.PositiveIntegerField()
    prize = models.CharField(max_length=120)
    value_cents = models.BigIntegerField()
    entry_drawn = models.CharField(max_length=120)
    # From the terms in force when the draw was held. Decides whether the duty of 10.8 applies.
    is_presence_required = models.BooleanField()
    personal = models.ForeignKey(PersonalRecord, models.PROTECT, null=True, blank=True, related_name="+")
    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    objects = StandingManager.from_queryset(WinnerQuerySet)()  # type: ignore[misc]
    recorded = WinnerQuerySet.as_manager()  # type: ignore[misc]
    read_with = ("draw__promotion", "by", "personal")
    # Annotations of `with_details()`.
    drawn_at: datetime
    first_attempt_at: datetime | None
    is_reached: bool

    class Meta(PromotionRecord.Meta):
        abstract = False
        ordering: ClassVar = ["draw", "number"]
        constraints: ClassVar = [
            *PromotionRecord.Meta.constraints,
            models.UniqueConstraint(fields=["draw", "number"], name="draws_winner_once"),
            models.CheckConstraint(condition=Q(value_cents__gte=0), name="draws_winner_value"),
        ]

    def __str__(self) -> str:
        return self.reference

    @property
    def reference(self) -> str:
        return f"{self.draw.reference}/W{self.number}"

    def address(self, name: str) -> str:
        return self.draw.address(name, winner=self.number)

    def entry_body(self) -> dict[str, Any]:
        return {
            "promotion": self.draw.promotion.number,
            "draw": self.draw.number,
            "winner": self.number,
            "prize": self.prize,
            "value_cents": self.value_cents,
            "entry_drawn": self.entry_drawn,
            "presence_required": self.is_presence_required,
            "person": self.personal.as_commitment() if self.personal else None,
            "at": encode_timestamp(self.at),
            "by": self.by.as_entry_reference(),
        }


class Attempt(PromotionRecord):
    """Records an attempt to notify a winner: method, time, and whether they were reached. Never changes; kept for
    ever."""

    entry_time = "recorded_at"

    winner = models.ForeignKey(Winner, models.PROTECT, related_name="attempts")
    method = models.CharField(max_length=32)
    at = models.DateTimeField()
    is_reached = models.BooleanField()
    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField()

    read_with = ("winner__draw__promotion", "by")

    class Meta(PromotionRecord.Meta):
        abstract = False
        ordering: ClassVar = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.winner}: {self.method}"

    def entry_body(self) -> dict[str, Any]:
        return {
            "promotion": self.winner.draw.promotion.number,
            "draw": self.winner.draw.number,
            "winner": self.winner.number,
            "method": self.method,
            "at": encode_timestamp(self.at),
            "reached": self.is_reached,
            "recorded_at": encode_timestamp(self.recorded_at),
            "by": self.by.as_entry_reference(),
        }


class Publication(PromotionRecord):
    """Records where and when the results of a draw were published. Never changes; kept for ever."""

    entry_time = "recorded_at"

    draw = models.ForeignKey(Draw, models.PROTECT, related_name="publications")
    where = models.CharField(max_length=300)
    at = models.DateTimeField()
    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField()

    read_with = ("draw__promotion", "by")

    class Meta(PromotionRecord.Meta):
        abstract = False
        ordering: ClassVar = ["at", "pk"]

    def __str__(self) -> str:
        return self.where

    def entry_body(self) -> dict[str, Any]:
        return {
            "promotion": self.draw.promotion.number,
            "draw": self.draw.number,
            "where": self.where,
            "at": encode_timestamp(self.at),
            "recorded_at": encode_timestamp(self.recorded_at),
            "by": self.by.as_entry_reference(),
        }
