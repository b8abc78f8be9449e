"""Celery task of the ledger consumer. Lost or repeated runs are harmless: the cursor makes it idempotent."""

from celery import shared_task

from rounds.floor.consumer import CONSUMED_KINDS, CONSUMER, handle_entries
from rounds.ledger import consume_all, every_log

CONSUME_REPORTS_TASK = "rounds.floor.tasks.consume_controller_reports"


@shared_task(name=CONSUME_REPORTS_TASK)
def consume_controller_reports() -> None:
    consume_all(CONSUMER, every_log(), handle_entries, kinds=CONSUMED_KINDS)
