"""Celery tasks of alerts. What is due is in PostgreSQL, so a lost or repeated message does no harm."""

from celery import shared_task
from django.utils import timezone

from compliance.notify.alerts import consumer
from compliance.notify.alerts.mailer import escalate_due
from compliance.notify.alerts.services import ESCALATE_TASK


@shared_task(name=ESCALATE_TASK)
def escalate_alerts() -> None:
    escalate_due(timezone.now)


@shared_task(name=consumer.CONSUME_TASK)
def consume_feeds() -> None:
    consumer.consume_feed_entries(timezone.now)
