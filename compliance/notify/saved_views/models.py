"""Saved views, subscriptions, and what their e-mails say. None of it is part of the ledger."""

from datetime import datetime
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from compliance.core.accounts.list_registry import list_function
from compliance.core.accounts.models import Casino, User
from compliance.core.web.models import OutgoingEmail
from compliance.core.web.ui.links import casino_url
from compliance.notify.saved_views.audiences import CHOICES
from compliance.notify.saved_views.states import Frequency

# People's own settings: they can be changed and deleted.
OWN = ("SELECT", "INSERT", "UPDATE", "DELETE")
LONGEST_NAME, LONGEST_QUERY = 80, 1_000


class SavedView(models.Model):
    """A query of a list: its filters and sorting, under a name. Written, changed and deleted by its owner. Stores no
    content: a reader sees only what they may see when they open it."""

    owner = models.ForeignKey(User, models.PROTECT, related_name="saved_views")
    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    # The page of the list, and its caption.
    path = models.CharField(max_length=300)
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
        return casino_url("saved:view", self.casino, view=self.pk)

    @property
    def open_url(self) -> str:
        return casino_url("saved:open", self.casino, view=self.pk)

    @property
    def list_url(self) -> str:
        """URL of the list with the view's query and id, so that the page can report filters it no longer knows."""
        return f"{self.path}?{self.query}{'&' if self.query else ''}view={self.pk}"

    @property
    def is_subscribable(self) -> bool:
        """Only lists whose rows can be recognised later: those with a registered function."""
        return list_function(self.path) is not None


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


class NewRowsMessage(models.Model):
    """What one check found for one person, of which one e-mail tells them. Holds counts and links, no content. Written
    in one transaction with its e-mail, never changed, and deleted with it."""

    person = models.ForeignKey(User, models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    email = models.OneToOneField(OutgoingEmail, models.CASCADE, related_name="new_rows")

    app_privileges = ("SELECT", "INSERT", "DELETE")

    class Meta:
        db_table = "saved_message"
        indexes: ClassVar = [models.Index(fields=["made_at"], name="saved_message_made")]

    def __str__(self) -> str:
        return f"Message {self.pk}"


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
