"""Celery task that runs the consumer of closings and openings reported by controllers."""

from celery import shared_task

from compliance.tables.closures.consumer import CONSUMED_KINDS, CONSUMER, handle_entries
from rounds.ledger import consume_all, every_log

CONSUME_TASK = "compliance.tables.closures.tasks.consume_closings"


@shared_task(name=CONSUME_TASK)
def consume_closings() -> None:
    consume_all(CONSUMER, every_log(), handle_entries, kinds=CONSUMED_KINDS)
