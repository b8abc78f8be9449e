"""Periodic task: consumes controllers' signs and records signs lost by silent displays. Idempotent."""

from celery import shared_task
from django.utils import timezone

from compliance.tables.signs.consumer import CONSUMED_KINDS, CONSUMER, handle_entries
from compliance.tables.signs.services import record_lost_signs
from rounds.ledger import consume_all, every_log

WATCH_TASK = "compliance.tables.signs.tasks.update_signs"


@shared_task(name=WATCH_TASK)
def update_signs() -> None:
    consume_all(CONSUMER, every_log(), handle_entries, kinds=CONSUMED_KINDS)
    record_lost_signs(now=timezone.now())
