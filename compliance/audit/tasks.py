"""The audit's Celery tasks. Idempotent: the work is in the database, so a lost or repeated message does no harm."""

from time import monotonic

import structlog
from celery import shared_task
from django.db import DatabaseError
from django.utils import timezone

from compliance.audit.models import BackgroundPrediction, Block
from compliance.audit.prediction.background import delete_old_predictions, run_waiting_predictions
from compliance.audit.run.worker import audit_log
from compliance.core.accounts.models import Casino
from compliance.core.web.jobs.runner import run_for_a_while
from compliance.core.web.jobs.wake import wake
from rounds.ledger import read_only_log_slugs

logger = structlog.get_logger(__name__)

AUDIT_TASK = "compliance.audit.tasks.audit"
# Far below the task's time limit. The task wakes itself again for the rest.
MAX_SECONDS = 30


@shared_task(name=AUDIT_TASK)
def audit() -> None:
    """Audits every casino's log. A database error in one log does not stop the others."""
    deadline = monotonic() + MAX_SECONDS
    for casino in Casino.objects.exclude(slug__in=read_only_log_slugs()).order_by("slug"):
        try:
            for _ in audit_log(casino, is_time_up=lambda: monotonic() > deadline, wake_helper=lambda: wake(AUDIT_TASK)):
                pass
        except DatabaseError as error:
            logger.error("log_not_audited", log=casino.slug, error=str(error))
    if monotonic() > deadline and Block.objects.waiting().exists():
        wake(AUDIT_TASK)


@shared_task(name=BackgroundPrediction.task)
def predict() -> None:
    delete_old_predictions(timezone.now())
    run_for_a_while(BackgroundPrediction.task, run_waiting_predictions)
