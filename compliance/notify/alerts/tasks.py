"""The alerts' bells. PostgreSQL remembers whom to tell: a lost ring or a second one changes nothing."""

from celery import shared_task
from django.utils import timezone

from compliance.notify.alerts import consumer
from compliance.notify.alerts.mailer import deliver_due, escalate_due
from compliance.notify.alerts.services import DELIVER_TASK


@shared_task(name=DELIVER_TASK)
def send_alerts() -> None:
    """Ladders first, so that those whom a rung adds are e-mailed in the same turn."""
    escalate_due(timezone.now)
    deliver_due(timezone.now)


@shared_task(name=consumer.CONSUME_TASK)
def consume_feeds() -> None:
    consumer.consume_feed_entries(timezone.now)
