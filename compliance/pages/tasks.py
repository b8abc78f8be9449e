"""Celery task of the live floor's ledger consumer. Idempotent: the cursor makes lost and repeated runs harmless."""

from celery import shared_task

from compliance.pages import table_state_consumer

CONSUME_TABLE_ENTRIES = "compliance.pages.tasks.consume_table_entries"


@shared_task(name=CONSUME_TABLE_ENTRIES)
def consume_table_entries() -> None:
    table_state_consumer.consume_table_entries()
