"""Celery task: heartbeat of the worker, and of beat through the publish time of its message."""

from typing import Any

from celery import shared_task
from django.utils import timezone

from compliance.core.web.jobs.wake import published_at
from compliance.core.web.models import Heartbeat


@shared_task(bind=True, name="compliance.core.web.tasks.record_heartbeat")
def record_heartbeat(self: Any) -> None:
    now = timezone.now()
    heartbeats = [
        Heartbeat(name="worker", seen_at=now),
        Heartbeat(name="beat", seen_at=published_at(self.request) or now),
    ]
    Heartbeat.objects.bulk_create(heartbeats, update_conflicts=True, unique_fields=["name"], update_fields=["seen_at"])
