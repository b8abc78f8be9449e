"""Celery task of the witness registry. Idempotent: a lost or repeated wake message does no harm."""

from celery import shared_task
from django.utils import timezone

from compliance.transparency.witness_registry.services import alert_lagging_witnesses


@shared_task(name="compliance.transparency.witness_registry.tasks.check_witness_lag")
def check_witness_lag() -> None:
    alert_lagging_witnesses(timezone.now())
