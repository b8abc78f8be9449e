"""Tables of the shared layer: heartbeats, and the demo's e-mails."""

from typing import ClassVar

from django.db import models


class Heartbeat(models.Model):
    """When the worker or beat last ran.
    Overwritten by the task record_heartbeat every ten seconds; one row a process kind."""

    name = models.CharField(max_length=32, primary_key=True)
    seen_at = models.DateTimeField()

    class Meta:
        db_table = "web_pulse"

    def __str__(self) -> str:
        return f"{self.name} at {self.seen_at:%Y-%m-%d %H:%M:%S}"


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
