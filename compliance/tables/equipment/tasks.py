"""Following what is recorded of equipment. A ring that is lost or doubled changes nothing: the cursor remembers."""

from celery import shared_task
from django.utils import timezone

from compliance.tables.equipment import consumer


@shared_task(name=consumer.CONSUME_TASK)
def consume_equipment_entries() -> None:
    consumer.consume_equipment(timezone.now)
