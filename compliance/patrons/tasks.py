"""The hourly destruction. A ring that is lost or doubled changes nothing; what is left over is rung for again."""

import structlog
from celery import shared_task
from django.db import DatabaseError
from django.utils import timezone

from compliance.accounts.models import Casino
from compliance.patrons.services import destroy_due
from compliance.web.bell import ring
from rounds.ledger.read_only import read_only_logs

logger = structlog.get_logger(__name__)

DESTROY = "compliance.patrons.tasks.destroy_what_is_due"
AT_ONCE = 500


@shared_task(name=DESTROY)
def destroy_what_is_due() -> None:
    """One casino's trouble does not keep the others waiting; the status page tells of it."""
    is_more = False
    for casino in Casino.objects.exclude(slug__in=read_only_logs()).order_by("slug"):
        try:
            is_more |= destroy_due(casino=casino, now=timezone.now(), limit=AT_ONCE) == AT_ONCE
        except DatabaseError as error:
            logger.error("personal_data_not_destroyed", casino=casino.slug, error=str(error))
    if is_more:
        ring(DESTROY)
