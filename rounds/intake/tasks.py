"""Periodic task: records silent and returned feeds, and rejected signatures that are counted but not recorded yet."""

from celery import shared_task
from django.utils import timezone

from rounds.intake.services.feed_silence import record_returns, record_silences
from rounds.intake.services.rejected_signatures import record_remaining_counts


@shared_task(name="rounds.intake.tasks.record_silent_feeds")
def record_silent_feeds() -> None:
    now = timezone.now()
    record_returns(now=now)
    record_silences(now=now)
    record_remaining_counts(now=now)
