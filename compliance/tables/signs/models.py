"""Displays, signs, the intervals during which a sign was up, and the refreshes that show it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q

from compliance.core.accounts.models import Casino, User, person_reference
from rounds.floor.models import Table
from rounds.ledger import LedgerModel, is_taken_back

UPDATABLE = ("SELECT", "INSERT", "UPDATE")
APPEND_ONLY = ("SELECT", "INSERT")


class SignPurpose(models.TextChoices):
    """What a sign announces, in the terms of the controllers' own signs."""

    LIMIT_CHANGE = "limit-change", "Change of limits"
    CLOSURE = "closure", "Closing of the table"
    FINAL_CALL = "streak-final-call", "Super Streak final call"
    PLAYER_LIMITS = "player-limits", "Limits of one player"


class SignSource(models.TextChoices):
    DISPLAY = "display", "Shown by a display"
    CONTROLLER = "controller", "Reported by the table's controller"
    PERSON = "person", "Confirmed by a supervisor"


class Display(LedgerModel):
    """A screen at a table that shows its signs, identified by a secret link. Only the link's digest is stored.

    Added and ended by casino staff; ended once, otherwise never changes; kept for ever, because refreshes refer to it.
    """

    read_with = ("table",)

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    table = models.ForeignKey(Table, models.PROTECT, related_name="displays")
    name = models.CharField(max_length=120)
    token_sha256 = models.CharField(max_length=64, unique=True)
    added_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    added_by_name = models.CharField(max_length=120)
    added_at = models.DateTimeField()
    ended_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    ended_at = models.DateTimeField(null=True, blank=True)

    app_privileges = UPDATABLE

    class Meta(LedgerModel.Meta):
        ordering: ClassVar = ["name", "pk"]
        constraints: ClassVar = [
            *LedgerModel.Meta.constraints,
            models.CheckConstraint(
                condition=Q(ended_at=None, ended_by=None) | Q(ended_at__gte=F("added_at"), ended_by__isnull=False),
                name="signs_display_ended_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def entry_body(self) -> Mapping[str, Any]:
        return {
            "table": self.table.slug,
            "display": self.name,
            "token_sha256": self.token_sha256,
            "by": person_reference(self.added_by_id, self.added_by_name),
        }


class SignQuerySet(models.QuerySet["Sign"]):
    def active(self) -> "SignQuerySet":
        """Not ended: still to be shown."""
        return self.filter(ended_at=None)


class Sign(models.Model):
    """Records the content of a sign at a table, with the members of a controller's `sign-shown`. Created by a notice or
    a closure.

    Only `ended_at` is set later, when the sign is no longer needed. Kept for ever.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    table = models.ForeignKey(Table, models.PROTECT, related_name="signs")
    name = models.CharField(max_length=64)
    purpose = models.CharField(max_length=20, choices=SignPurpose.choices)
    content = models.JSONField()
    # Minutes it must be up before the announced change; 0 if it only has to be up at that time.
    notice_minutes = models.PositiveIntegerField()
    # Whether its clock restarts after it was down. Otherwise the earlier intervals count.
    removal_restarts_the_clock = models.BooleanField(default=True)
    clause = models.CharField(max_length=20, blank=True)
    made_by_name = models.CharField(max_length=120)
    made_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = SignQuerySet.as_manager()
    app_privileges = UPDATABLE

    class Meta:
        ordering: ClassVar = ["made_at", "pk"]
        indexes: ClassVar = [models.Index(fields=["table", "ended_at"], name="signs_sign_of_table")]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["casino", "name"], name="signs_sign_name_once"),
            models.CheckConstraint(condition=Q(purpose__in=SignPurpose.values), name="signs_sign_purpose"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def notice_text(self) -> str:
        """The required notice in words."""
        broken = "without a break " if self.removal_restarts_the_clock else ""
        return f"{broken}for {self.notice_minutes} minutes"

    def content_time(self, member: str) -> datetime | None:
        """A time stated in the content: `change_at` or `closure_at`."""
        text = self.content.get(member)
        return datetime.fromisoformat(text) if isinstance(text, str) else None


class ShowingQuerySet(models.QuerySet["Showing"]):
    def ongoing(self) -> "ShowingQuerySet":
        return self.filter(until_at=None)


class StandingShowings(models.Manager.from_queryset(ShowingQuerySet)):  # type: ignore[misc]
    def get_queryset(self) -> ShowingQuerySet:
        return ShowingQuerySet(self.model, using=self._db).filter(~is_taken_back("shown_index"))


class Showing(models.Model):
    """An unbroken interval during which a sign was up, and its source: a display, a controller or a person.

    Written with its entry; completed once, when the sign comes down or is lost, and goes on if that is withdrawn. Kept
    for ever. `objects` leaves out showings whose entry was withdrawn; `recorded` has them too.
    """

    sign = models.ForeignKey(Sign, models.PROTECT, related_name="showings")
    source = models.CharField(max_length=12, choices=SignSource.choices)
    display = models.ForeignKey(Display, models.PROTECT, null=True, blank=True, related_name="+")
    by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    by_name = models.CharField(max_length=120)
    since_at = models.DateTimeField()
    until_at = models.DateTimeField(null=True, blank=True)
    was_lost = models.BooleanField(null=True, blank=True)
    log = models.TextField()
    shown_index = models.BigIntegerField()
    removed_index = models.BigIntegerField(null=True, blank=True)

    objects = StandingShowings()
    recorded = ShowingQuerySet.as_manager()
    app_privileges = UPDATABLE

    class Meta:
        ordering: ClassVar = ["since_at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["sign"], condition=Q(until_at=None), name="signs_showing_one_lasting"),
            models.UniqueConstraint(fields=["log", "shown_index"], name="signs_showing_one_entry"),
            models.CheckConstraint(
                condition=Q(until_at=None, was_lost=None) | Q(until_at__gte=F("since_at"), was_lost__isnull=False),
                name="signs_showing_ends_whole",
            ),
            models.CheckConstraint(
                condition=Q(source="display", display__isnull=False, by=None)
                | Q(source="controller", display=None, by=None)
                | Q(source="person", display=None, by__isnull=False),
                name="signs_showing_has_a_source",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sign_id} since {self.since_at:%Y-%m-%d %H:%M:%S} UTC"


class Refresh(models.Model):
    """A heartbeat of a display: it reloaded its page, and reports the signs that were on its screen until then.

    Written by the display's own requests; never changes; kept for ever as evidence that a sign was up.
    """

    display = models.ForeignKey(Display, models.PROTECT, related_name="refreshes")
    at = models.DateTimeField()
    shown = models.JSONField()

    objects = models.Manager()
    app_privileges = APPEND_ONLY

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]
        indexes: ClassVar = [models.Index(fields=["display", "-at"], name="signs_refresh_of_display")]

    def __str__(self) -> str:
        return f"{self.display_id} at {self.at:%Y-%m-%d %H:%M:%S} UTC"
