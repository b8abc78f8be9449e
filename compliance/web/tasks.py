"""The kit's one background task: a sign of life of the worker, and through its message one of beat."""

from typing import Any

from celery import shared_task
from django.utils import timezone

from compliance.web.bell import published_at
from compliance.web.models import Pulse


@shared_task(bind=True, name="compliance.web.tasks.pulse")
def pulse(self: Any) -> None:
    now = timezone.now()
    seen = [Pulse(name="worker", seen_at=now), Pulse(name="beat", seen_at=published_at(self.request) or now)]
    Pulse.objects.bulk_create(seen, update_conflicts=True, unique_fields=["name"], update_fields=["seen_at"])
