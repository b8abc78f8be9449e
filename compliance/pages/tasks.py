"""Following the log for the live floor. A ring that is lost or doubled changes nothing: the cursor remembers."""

from celery import shared_task

from compliance.pages import consumer

CONSUME_TABLE_ENTRIES = "compliance.pages.tasks.consume_table_entries"


@shared_task(name=CONSUME_TABLE_ENTRIES)
def consume_table_entries() -> None:
    consumer.consume_table_entries()
