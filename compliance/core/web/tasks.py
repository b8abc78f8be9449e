"""Celery tasks: heartbeats, and the e-mail outbox. A lost or repeated message does no harm."""

from typing import Any

from celery import shared_task
from django.utils import timezone

from compliance.core.web.jobs.wake import published_at
from compliance.core.web.mail.outbox import SEND_TASK, delete_old_emails, send_due_emails
from compliance.core.web.models import Heartbeat


@shared_task(bind=True, name="compliance.core.web.tasks.record_heartbeat")
def record_heartbeat(self: Any) -> None:
    """Of the worker, and of beat through the publish time of its message."""
    now = timezone.now()
    heartbeats = [
        Heartbeat(name="worker", seen_at=now),
        Heartbeat(name="beat", seen_at=published_at(self.request) or now),
    ]
    Heartbeat.objects.bulk_create(heartbeats, update_conflicts=True, unique_fields=["name"], update_fields=["seen_at"])


@shared_task(name=SEND_TASK)
def send_emails() -> None:
    send_due_emails(timezone.now)
    delete_old_emails(timezone.now())
