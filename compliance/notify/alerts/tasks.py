"""Celery tasks of alerts. The outbox is in PostgreSQL, so a lost or repeated message does no harm."""

from celery import shared_task
from django.utils import timezone

from compliance.notify.alerts import consumer
from compliance.notify.alerts.mailer import deliver_due, escalate_due
from compliance.notify.alerts.services import DELIVER_TASK


@shared_task(name=DELIVER_TASK)
def send_alerts() -> None:
    """Escalation first, so that people whom a rung adds are e-mailed in the same run."""
    escalate_due(timezone.now)
    deliver_due(timezone.now)


@shared_task(name=consumer.CONSUME_TASK)
def consume_feeds() -> None:
    consumer.consume_feed_entries(timezone.now)
