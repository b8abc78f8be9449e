"""Celery task of webhooks. The outbox is in PostgreSQL, so a lost or repeated message does no harm."""

from celery import shared_task
from django.utils import timezone

from compliance.notify.webhooks.consumer import consume_events
from compliance.notify.webhooks.delivery.worker import deliver_due
from compliance.notify.webhooks.services import DELIVER_TASK


@shared_task(name=DELIVER_TASK)
def deliver_webhooks() -> None:
    consume_events(timezone.now)
    deliver_due(timezone.now)
