"""What the kit itself remembers: signs of life, and the demo's mail."""

from typing import ClassVar

from django.db import models


class Heartbeat(models.Model):
    """When a part of the service last gave a sign of life. Overwritten by the pulse task every ten seconds."""

    name = models.CharField(max_length=32, primary_key=True)
    seen_at = models.DateTimeField()

    class Meta:
        db_table = "web_pulse"

    def __str__(self) -> str:
        return f"{self.name} at {self.seen_at:%Y-%m-%d %H:%M:%S}"


class CapturedEmail(models.Model):
    """An e-mail that was not sent, because no mail server is configured. Written by MailboxBackend; never changed."""

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
