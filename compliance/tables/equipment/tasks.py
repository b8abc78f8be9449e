"""Celery task that runs the consumer of equipment entries. Idempotent: the cursor holds the position, so a lost or
repeated message changes nothing."""

from celery import shared_task
from django.utils import timezone

from compliance.tables.equipment import consumer


@shared_task(name=consumer.CONSUME_TASK)
def consume_equipment_entries() -> None:
    consumer.consume_equipment(timezone.now)
