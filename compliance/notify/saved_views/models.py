"""Saved views, subscriptions, and the outbox of their e-mails. None of it is part of the ledger."""

from datetime import datetime
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.urls import reverse

from compliance.core.accounts.models import Casino, User
from compliance.core.web.ui.components import Tag
from compliance.notify.saved_views.audiences import CHOICES
from compliance.notify.saved_views.states import Frequency, MessageState

# People's own settings: they can be changed and deleted.
OWN = ("SELECT", "INSERT", "UPDATE", "DELETE")
LONGEST_NAME, LONGEST_QUERY = 80, 1_000


class SavedView(models.Model):
    """A list with its filters and sorting, under a name. Written, changed and deleted by its owner. Stores a URL and
    no content: a reader sees only what they may see when they open it."""

    owner = models.ForeignKey(User, models.PROTECT, related_name="saved_views")
    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    path = models.CharField(max_length=300)
    # Id of the table on that page, and its caption.
    table_id = models.CharField(max_length=60, blank=True)
    list_words = models.CharField(max_length=200)
    query = models.CharField(max_length=LONGEST_QUERY, blank=True)
    name = models.CharField(max_length=LONGEST_NAME)
    # Empty: not shared.
    shared_with = models.CharField(max_length=32, choices=CHOICES, blank=True)
    # Default view: its owner is redirected here from the list without query.
    is_usual = models.BooleanField(default=False)
    kept_at = models.DateTimeField()

    app_privileges = OWN

    class Meta:
        ordering: ClassVar = ["list_words", "name", "pk"]
        indexes: ClassVar = [models.Index(fields=["path"], name="saved_view_of_list")]
        constraints: ClassVar = [
            models.UniqueConstraint("owner", "path", Lower("name"), name="saved_view_name_once"),
            models.UniqueConstraint(fields=["owner", "path"], condition=Q(is_usual=True), name="saved_view_one_usual"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("saved:view", kwargs={"casino": self.casino.slug, "view": self.pk})

    @property
    def open_url(self) -> str:
        return reverse("saved:open", kwargs={"casino": self.casino.slug, "view": self.pk})

    @property
    def list_url(self) -> str:
        """URL of the list with the view's query and id, so that the page can report filters it no longer knows."""
        return f"{self.path}?{self.query}{'&' if self.query else ''}view={self.pk}"

    @property
    def is_subscribable(self) -> bool:
        """Only lists whose rows can be recognised later."""
        return bool(self.table_id)


class SubscriptionQuerySet(models.QuerySet["Subscription"]):
    def active(self) -> "SubscriptionQuerySet":
        return self.filter(ended_at=None)

    def due(self, now: datetime) -> "SubscriptionQuerySet":
        return self.active().filter(person__is_active=True, next_look_at__lte=now)


class Subscription(models.Model):
    """A person's subscription to new rows of a view: how often, and which rows are known. Written by that person;
    workers update what is known and the next check. Ended, and deleted with the view."""

    view = models.ForeignKey(SavedView, models.CASCADE, related_name="subscriptions")
    person = models.ForeignKey(User, models.PROTECT, related_name="+")
    every = models.CharField(max_length=8, choices=Frequency.choices)
    asked_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    next_look_at = models.DateTimeField()
    looked_at = models.DateTimeField()
    # Primary keys of the rows at the last check: rows not among them are new.
    known = ArrayField(models.BigIntegerField(), default=list)
    # Why the view cannot be checked; empty if it can.
    trouble_code = models.CharField(max_length=16, blank=True)

    objects = SubscriptionQuerySet.as_manager()
    app_privileges = OWN

    class Meta:
        ordering: ClassVar = ["pk"]
        indexes: ClassVar = [
            models.Index(fields=["next_look_at"], condition=Q(ended_at=None), name="saved_subscription_due")
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["view", "person"], condition=Q(ended_at=None), name="saved_subscription_once"
            ),
            models.CheckConstraint(condition=Q(every__in=Frequency.values), name="saved_every_known"),
        ]

    def __str__(self) -> str:
        return f"{self.view}, {self.get_every_display().lower()}"


class MessageQuerySet(models.QuerySet["NewRowsMessage"]):
    def due(self, now: datetime) -> "MessageQuerySet":
        return self.filter(state=MessageState.WAITING, next_try_at__lte=now)


class NewRowsMessage(models.Model):
    """Outbox row: one person to be e-mailed about new rows. Holds counts and links, no content. Written in one
    transaction with the check that found the rows; workers update its state. Deleted after 90 days."""

    person = models.ForeignKey(User, models.PROTECT, related_name="+")
    state = models.CharField(max_length=16, choices=MessageState.choices, default=MessageState.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    made_at = models.DateTimeField()
    next_try_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)

    objects = MessageQuerySet.as_manager()
    app_privileges = OWN

    class Meta:
        db_table = "saved_message"
        ordering: ClassVar = ["next_try_at", "pk"]
        indexes: ClassVar = [
            models.Index(fields=["next_try_at"], condition=Q(state="waiting"), name="saved_message_due"),
            models.Index(fields=["made_at"], name="saved_message_made"),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(state__in=MessageState.values), name="saved_message_state_known"),
            models.CheckConstraint(condition=Q(state="sent") ^ Q(sent_at=None), name="saved_message_sent_whole"),
        ]

    def __str__(self) -> str:
        return f"Message {self.pk}"

    @property
    def tag(self) -> Tag:
        kinds = {MessageState.SENT: "success", MessageState.GIVEN_UP: "danger", MessageState.WITHHELD: "neutral"}
        return Tag(self.get_state_display(), kinds.get(MessageState(self.state), "info"))  # type: ignore[arg-type]


class MessagePart(models.Model):
    """The part of a message about one view: number of new rows, and of all rows.
    Written with the message, deleted with it."""

    message = models.ForeignKey(NewRowsMessage, models.CASCADE, related_name="parts")
    subscription = models.ForeignKey(Subscription, models.CASCADE, related_name="parts")
    new = models.PositiveIntegerField()
    together = models.PositiveIntegerField()
    # The counts are lower bounds: MAX_ROWS was reached.
    is_cut = models.BooleanField(default=False)

    app_privileges = ("SELECT", "INSERT", "DELETE")

    class Meta:
        db_table = "saved_part"
        ordering: ClassVar = ["-message__made_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["message", "subscription"], name="saved_part_once"),
            models.CheckConstraint(condition=Q(new__gte=1), name="saved_part_has_news"),
        ]

    def __str__(self) -> str:
        return f"{self.new:,} new"
