"""The bell of fairness. Which days were examined is in PostgreSQL: a lost ring or a second one changes nothing."""

from time import monotonic

import structlog
from celery import shared_task
from django.db import DatabaseError
from django.utils import timezone

from compliance.accounts.models import Casino
from compliance.fairness.examining import days_due, examine_day
from rounds.ledger.read_only import read_only_logs

logger = structlog.get_logger(__name__)

EXAMINE = "compliance.fairness.tasks.examine"
# Far below the tasks' time limit; what is left over waits for the next ring.
SECONDS_AT_A_TIME = 30


@shared_task(name=EXAMINE)
def examine() -> None:
    """Every casino. One that cannot be examined does not keep the others waiting."""
    deadline = monotonic() + SECONDS_AT_A_TIME
    for casino in Casino.objects.exclude(slug__in=read_only_logs()).order_by("slug"):
        try:
            for day in days_due(casino, timezone.now()):
                if monotonic() > deadline:
                    return
                examine_day(casino=casino, day=day, now=timezone.now())
        except DatabaseError as error:
            logger.error("day_not_examined", log=casino.slug, error=str(error))
