"""Hourly destruction of details.
Idempotent: a lost or repeated run does no harm, and a full batch wakes the task again."""

import structlog
from celery import shared_task
from django.db import DatabaseError
from django.utils import timezone

from compliance.core.accounts.models import Casino
from compliance.core.web.jobs.wake import wake
from compliance.privacy.personal_data.services import destroy_due
from rounds.ledger import read_only_log_slugs

logger = structlog.get_logger(__name__)

DESTROY_TASK = "compliance.privacy.personal_data.tasks.destroy_due_details"
BATCH_SIZE = 500


@shared_task(name=DESTROY_TASK)
def destroy_due_details() -> None:
    """A failure at one casino is logged and does not stop the others; the health check reports it."""
    is_more = False
    for casino in Casino.objects.exclude(slug__in=read_only_log_slugs()).order_by("slug"):
        try:
            is_more |= destroy_due(casino=casino, now=timezone.now(), limit=BATCH_SIZE) == BATCH_SIZE
        except DatabaseError as error:
            logger.error("personal_data_not_destroyed", casino=casino.slug, error=str(error))
    if is_more:
        wake(DESTROY_TASK)
