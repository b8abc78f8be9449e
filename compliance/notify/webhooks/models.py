"""Endpoints with their steps, and the outbox: deliveries with their attempts."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import F, OuterRef, Q, Subquery

from compliance.core.accounts.models import Casino, User, person_reference
from compliance.core.web.ui.components import Tag
from compliance.notify.webhooks.states import DeliveryState, EndpointAct, EndpointState, Event
from rounds.ledger import LedgerModel, encode_timestamp

KEPT = ("SELECT", "INSERT", "UPDATE")
APPEND_ONLY = ("SELECT", "INSERT")
STATE_TAGS = {
    EndpointState.ACTIVE: Tag("Active", "success"),
    EndpointState.OFF: Tag("Switched off", "neutral"),
    EndpointState.FAILED: Tag("Switched off by itself", "danger"),
    EndpointState.REMOVED: Tag("Removed", "neutral"),
}
DELIVERY_TAGS = {
    DeliveryState.WAITING: Tag("To be sent", "info"),
    DeliveryState.DELIVERED: Tag("Delivered", "success"),
    DeliveryState.GIVEN_UP: Tag("Given up", "danger"),
}


class EndpointQuerySet(models.QuerySet["Endpoint"]):
    def not_removed(self) -> "EndpointQuerySet":
        return self.exclude(standing=EndpointState.REMOVED)

    def due(self, now: datetime, *, since: datetime | None = None) -> "EndpointQuerySet":
        """Endpoints without a running attempt whose next message is due now, or was due at `since`."""
        following = Delivery.objects.waiting_in_order().filter(endpoint=OuterRef("pk")).values("next_try_at")[:1]
        idle = self.filter(Q(busy_until=None) | Q(busy_until__lte=now), standing=EndpointState.ACTIVE)
        return idle.annotate(due_at=Subquery(following)).filter(due_at__lte=since or now).order_by("due_at", "pk")


class Endpoint(models.Model):
    """Another system that receives a casino's events: name, address, and which events. Registered by an administrator
    or compliance officer. Each change is an EndpointStep with its entry, and this row equals the newest step; only
    `busy_until` belongs to the worker. Never deleted: removed by a step. Kept for ever."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    name = models.CharField(max_length=80)
    # TextField instead of URLField: only delivery/http_client.py may call it, which checks it each time.
    address = models.TextField()
    events = models.JSONField()
    standing = models.CharField(max_length=16, choices=EndpointState.choices, default=EndpointState.ACTIVE)
    # Lease of the worker that is sending to it. A worker that died is considered gone after that.
    busy_until = models.DateTimeField(null=True)

    objects = EndpointQuerySet.as_manager()
    app_privileges = KEPT

    class Meta:
        ordering: ClassVar = ["name", "pk"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(standing__in=EndpointState.values), name="webhooks_standing_known"),
        ]

    def __str__(self) -> str:
        return f"webhook {self.pk}, {self.name}"

    @property
    def tag(self) -> Tag:
        return STATE_TAGS[EndpointState(self.standing)]

    @property
    def event_labels(self) -> str:
        return "; ".join(str(Event(event).label) for event in self.events)


class EndpointStep(LedgerModel):
    """A change to an endpoint, by whom and why, with all its values from then on. An entry of the casino's log.
    Written with the endpoint's row; `by` is null if the service disabled it. Never changed; kept for ever."""

    endpoint = models.ForeignKey(Endpoint, models.PROTECT, related_name="steps")
    act = models.CharField(max_length=16, choices=EndpointAct.choices)
    name = models.CharField(max_length=80)
    address = models.TextField()
    events = models.JSONField()
    standing = models.CharField(max_length=16, choices=EndpointState.choices)
    reason = models.CharField(max_length=300, blank=True)
    by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    by_name = models.CharField(max_length=120, blank=True)
    at = models.DateTimeField()

    app_privileges = APPEND_ONLY

    class Meta(LedgerModel.Meta):
        abstract = False
        ordering: ClassVar = ["entry_index"]
        constraints: ClassVar = [
            *LedgerModel.Meta.constraints,
            models.CheckConstraint(condition=Q(act__in=EndpointAct.values), name="webhooks_act_known"),
            models.UniqueConstraint(
                fields=["endpoint"], condition=Q(act="registered"), name="webhooks_registered_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.endpoint}, {self.get_act_display().lower()}"

    def entry_body(self) -> dict[str, Any]:
        return {
            "webhook": self.endpoint_id,
            "act": str(self.act),
            "name": self.name,
            "address": self.address,
            "events": self.events,
            "standing": str(self.standing),
            "reason": self.reason or None,
            "by": person_reference(self.by_id, self.by_name) if self.by_id else None,
            "at": encode_timestamp(self.at),
        }


class DeliveryQuerySet(models.QuerySet["Delivery"]):
    def to_endpoint(self, endpoint: Endpoint) -> "DeliveryQuerySet":
        return self.filter(endpoint=endpoint)

    def waiting_in_order(self) -> "DeliveryQuerySet":
        """Waiting deliveries in log order. A test message has no entry and comes first."""
        return self.filter(state=DeliveryState.WAITING).order_by(F("entry_index").asc(nulls_first=True), "pk")


class Delivery(models.Model):
    """Outbox row: one event for one endpoint, the exact body, and its state. Written by the consumer. `message_id`
    lets the receiver recognise duplicates and is the same if the row is rebuilt. Workers change the state as in
    DELIVERY_TRANSITIONS; a person can resend it after it was given up. Kept for ever."""

    endpoint = models.ForeignKey(Endpoint, models.PROTECT, related_name="+")
    message_id = models.CharField(max_length=160, unique=True)
    event = models.CharField(max_length=32, choices=Event.choices)
    # The ledger entry; null for a test message.
    entry_index = models.BigIntegerField(null=True)
    body = models.TextField()
    made_at = models.DateTimeField()
    state = models.CharField(max_length=16, choices=DeliveryState.choices, default=DeliveryState.WAITING)
    attempts_made = models.PositiveIntegerField(default=0)
    # Time of the first attempt of the current retry period: given up three days later.
    tried_since_at = models.DateTimeField(null=True)
    next_try_at = models.DateTimeField()
    delivered_at = models.DateTimeField(null=True)

    objects = DeliveryQuerySet.as_manager()
    app_privileges = KEPT

    class Meta:
        ordering: ClassVar = ["-made_at", "-pk"]
        indexes: ClassVar = [
            models.Index(fields=["endpoint", "-made_at"], name="webhooks_of_endpoint"),
            models.Index(fields=["endpoint", "entry_index"], condition=Q(state="waiting"), name="webhooks_to_send"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["endpoint", "entry_index"], name="webhooks_told_once"),
            models.CheckConstraint(condition=Q(state__in=DeliveryState.values), name="webhooks_state_known"),
            models.CheckConstraint(
                condition=Q(event="test", entry_index=None) | (~Q(event="test") & Q(entry_index__isnull=False)),
                name="webhooks_only_a_test_has_no_entry",
            ),
            models.CheckConstraint(
                condition=Q(state="delivered", delivered_at__isnull=False)
                | (~Q(state="delivered") & Q(delivered_at=None)),
                name="webhooks_delivered_when",
            ),
        ]

    def __str__(self) -> str:
        return self.message_id

    @property
    def tag(self) -> Tag:
        if self.state == DeliveryState.WAITING and self.attempts_made:
            return Tag("To be tried again", "warning")
        return DELIVERY_TAGS[DeliveryState(self.state)]


class Attempt(models.Model):
    """One attempt to send a delivery: when, how long it took, the outcome. Written before sending and completed
    afterwards; without an end, the worker died and the outcome is unknown. Kept for ever."""

    delivery = models.ForeignKey(Delivery, models.PROTECT, related_name="attempts")
    number = models.PositiveIntegerField()
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    status = models.PositiveSmallIntegerField(null=True)
    trouble = models.CharField(max_length=300, blank=True)

    app_privileges = KEPT

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["delivery", "number"], name="webhooks_attempt_once"),
        ]

    def __str__(self) -> str:
        return f"attempt {self.number} of {self.delivery}"

    @property
    def outcome_text(self) -> str:
        if self.ended_at is None:
            return "It was begun, and its end is not known."
        return self.trouble or "It was taken."

    @property
    def duration_milliseconds(self) -> int | None:
        return None if self.ended_at is None else round((self.ended_at - self.started_at).total_seconds() * 1000)
