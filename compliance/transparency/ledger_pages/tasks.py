"""Celery tasks for bundles. Idempotent: the queue is in PostgreSQL, so a lost or repeated wake message does no harm."""

from celery import shared_task
from django.utils import timezone

from compliance.transparency.ledger_pages.build_bundle import build_queued_bundles, remove_expired_files
from compliance.transparency.ledger_pages.models import Bundle


@shared_task(name=Bundle.task)
def build_bundles() -> None:
    build_queued_bundles(timezone.now)


@shared_task(name="compliance.transparency.ledger_pages.tasks.remove_expired_bundles")
def remove_expired_bundles() -> None:
    remove_expired_files(timezone.now())
