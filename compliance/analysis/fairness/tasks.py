"""The bell of fairness. Which days were examined is in PostgreSQL: a lost ring or a second one changes nothing."""

from time import monotonic

import structlog
from celery import shared_task
from django.db import DatabaseError
from django.utils import timezone

from compliance.analysis.fairness.examination.daily_examination import days_to_examine, examine_day
from compliance.core.accounts.models import Casino
from rounds.ledger import read_only_log_slugs

logger = structlog.get_logger(__name__)

EXAMINE_TASK = "compliance.analysis.fairness.tasks.examine"
# Far below the tasks' time limit; what is left over waits for the next ring.
MAX_SECONDS = 30


@shared_task(name=EXAMINE_TASK)
def examine() -> None:
    """Every casino. One that cannot be examined does not keep the others waiting."""
    deadline = monotonic() + MAX_SECONDS
    for casino in Casino.objects.exclude(slug__in=read_only_log_slugs()).order_by("slug"):
        try:
            for day in days_to_examine(casino, timezone.now()):
                if monotonic() > deadline:
                    return
                examine_day(casino=casino, day=day, now=timezone.now())
        except DatabaseError as error:
            logger.error("day_not_examined", log=casino.slug, error=str(error))
