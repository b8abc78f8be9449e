"""Tables of the shared layer: heartbeats, the e-mail outbox, and the demo's e-mails."""

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import Q

from compliance.core.web.ui.components import Tag, TagKind


class Heartbeat(models.Model):
    """When the worker or beat last ran.
    Overwritten by the task record_heartbeat every ten seconds; one row a process kind."""

    name = models.CharField(max_length=32, primary_key=True)
    seen_at = models.DateTimeField()

    class Meta:
        db_table = "web_pulse"

    def __str__(self) -> str:
        return f"{self.name} at {self.seen_at:%Y-%m-%d %H:%M:%S}"


class EmailState(models.TextChoices):
    WAITING = "waiting", "To be sent"
    SENT = "sent", "Sent"
    GIVEN_UP = "given-up", "Given up"
    # It must not be sent any more: the recipient lost access, or its link was replaced.
    WITHHELD = "withheld", "Not sent"


EMAIL_TRANSITIONS: dict[EmailState, frozenset[EmailState]] = {
    EmailState.WAITING: frozenset({EmailState.SENT, EmailState.GIVEN_UP, EmailState.WITHHELD}),
    EmailState.SENT: frozenset(),
    EmailState.GIVEN_UP: frozenset(),
    EmailState.WITHHELD: frozenset(),
}
EMAIL_STATE_TAGS: dict[str, TagKind] = {"sent": "success", "given-up": "danger", "withheld": "neutral"}


class OutgoingEmailQuerySet(models.QuerySet["OutgoingEmail"]):
    def due(self, now: datetime) -> "OutgoingEmailQuerySet":
        return self.filter(state=EmailState.WAITING, next_try_at__lte=now)


class OutgoingEmail(models.Model):
    """Outbox row: one e-mail to one address. Written in the transaction of its cause; workers send it, schedule a
    retry or give up. It has no text, which is rendered from `reference` when it is sent. Deleted after 90 days."""

    purpose = models.CharField(max_length=32)
    to = models.EmailField()
    # Ids of what it is about, for the purpose that renders it. No two e-mails have the same.
    reference = models.JSONField()
    # The token of a link, of which the database otherwise has only the hash. Deleted once the e-mail is sent.
    secret = models.TextField(blank=True)
    state = models.CharField(max_length=16, choices=EmailState.choices, default=EmailState.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField()
    next_try_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)
    last_error = models.CharField(max_length=300, blank=True)

    objects = OutgoingEmailQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["next_try_at", "pk"]
        indexes: ClassVar = [
            models.Index(fields=["next_try_at"], condition=Q(state="waiting"), name="web_email_due"),
            models.Index(fields=["created_at"], name="web_email_created"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["purpose", "reference"], name="web_email_once"),
            models.CheckConstraint(condition=Q(state__in=EmailState.values), name="web_email_state_known"),
            models.CheckConstraint(condition=Q(state="sent") ^ Q(sent_at=None), name="web_email_sent_when"),
            models.CheckConstraint(condition=Q(state="waiting") | Q(secret=""), name="web_email_secret_deleted"),
        ]

    def __str__(self) -> str:
        return f"E-mail {self.pk}: {self.purpose}"

    @property
    def tag(self) -> Tag:
        return email_state_tag(self.state)


def email_state_tag(state: str) -> Tag:
    return Tag(str(EmailState(state).label), EMAIL_STATE_TAGS.get(state, "info"))


class CapturedEmail(models.Model):
    """An e-mail that was not sent, because no mail server is configured.
    Written by MailboxBackend; never changed or deleted."""

    to = models.TextField()
    subject = models.TextField()
    body = models.TextField()
    sent_at = models.DateTimeField()

    app_privileges = ("SELECT", "INSERT")

    class Meta:
        db_table = "web_mail"
        ordering: ClassVar = ["-sent_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.subject} to {self.to}"
