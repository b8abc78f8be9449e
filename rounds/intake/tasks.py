"""Celery tasks: the ledger consumer, and the record of silent feeds and rejected signatures. All are idempotent."""

from celery import shared_task
from django.utils import timezone

from rounds.intake.consumer import CONSUMED_KINDS, CONSUMER, handle_entries
from rounds.intake.services.feed_silence import record_returns, record_silences
from rounds.intake.services.rejected_signatures import record_remaining_counts
from rounds.ledger import consume_all, every_log


@shared_task(name="rounds.intake.tasks.consume_controller_reports")
def consume_controller_reports() -> None:
    consume_all(CONSUMER, every_log(), handle_entries, kinds=CONSUMED_KINDS)


@shared_task(name="rounds.intake.tasks.record_silent_feeds")
def record_silent_feeds() -> None:
    now = timezone.now()
    record_returns(now=now)
    record_silences(now=now)
    record_remaining_counts(now=now)
