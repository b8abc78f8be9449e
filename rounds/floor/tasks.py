"""Following what tables report. A ring that is lost or doubled changes nothing: the cursor remembers."""

from celery import shared_task

from rounds.floor.consumer import CONSUMED_KINDS, CONSUMER, handle_entries
from rounds.ledger import consume_all, every_log

CONSUME_REPORTS_TASK = "rounds.floor.tasks.follow_reports"


@shared_task(name=CONSUME_REPORTS_TASK)
def follow_reports() -> None:
    consume_all(CONSUMER, every_log(), handle_entries, kinds=CONSUMED_KINDS)
