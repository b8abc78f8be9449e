"""Views that people keep, who is told of what is new in them, and the messages. Nothing here is part of the ledger."""

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

# A person's own arrangement: changed and removed as they like.
OWN = ("SELECT", "INSERT", "UPDATE", "DELETE")
LONGEST_NAME, LONGEST_QUERY = 80, 1_000


class SavedView(models.Model):
    """A list with what narrows and sorts it, under a name. Written by its owner, who changes or removes it.

    It holds an address and nothing that the list showed: whoever opens it sees what they may see then."""

    owner = models.ForeignKey(User, models.PROTECT, related_name="saved_views")
    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    path = models.CharField(max_length=300)
    # The table of that page, and what the page calls it.
    table_id = models.CharField(max_length=60, blank=True)
    list_words = models.CharField(max_length=200)
    query = models.CharField(max_length=LONGEST_QUERY, blank=True)
    name = models.CharField(max_length=LONGEST_NAME)
    # Empty: with nobody.
    shared_with = models.CharField(max_length=32, choices=CHOICES, blank=True)
    # Where its owner is taken who opens the list without asking for anything.
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
        """The list as the view has it, marked so that its page can say what it does not know any more."""
        return f"{self.path}?{self.query}{'&' if self.query else ''}view={self.pk}"

    @property
    def is_subscribable(self) -> bool:
        """Only of rows that can be known again."""
        return bool(self.table_id)


class SubscriptionQuerySet(models.QuerySet["Subscription"]):
    def active(self) -> "SubscriptionQuerySet":
        return self.filter(ended_at=None)

    def due(self, now: datetime) -> "SubscriptionQuerySet":
        return self.active().filter(person__is_active=True, next_look_at__lte=now)


class Subscription(models.Model):
    """That somebody wants to be told of what is new in a view: how often, and which rows they know of.

    Written by that person; workers move what is known and when to look again. Ended, and gone with the view."""

    view = models.ForeignKey(SavedView, models.CASCADE, related_name="subscriptions")
    person = models.ForeignKey(User, models.PROTECT, related_name="+")
    every = models.CharField(max_length=8, choices=Frequency.choices)
    asked_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    next_look_at = models.DateTimeField()
    looked_at = models.DateTimeField()
    # The numbers of the rows that were in the view when it was looked at last: what is not among them is new.
    known = ArrayField(models.BigIntegerField(), default=list)
    # Why it cannot be looked at; empty where it can.
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
    """The outbox: one person who is to be e-mailed what is new. Numbers and links, no contents.

    Written with what was found, in one transaction; workers move it. Removed after some months."""

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
    """What one message says of one view: how many rows were new, and how many there were. Written with the message."""

    message = models.ForeignKey(NewRowsMessage, models.CASCADE, related_name="parts")
    subscription = models.ForeignKey(Subscription, models.CASCADE, related_name="parts")
    new = models.PositiveIntegerField()
    together = models.PositiveIntegerField()
    # There are at least so many: the rest was not counted.
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
