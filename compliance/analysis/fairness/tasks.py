"""The fairness task. Idempotent: which days were examined is in the database, so a lost or repeated message does no
harm."""

from time import monotonic

import structlog
from celery import shared_task
from django.db import DatabaseError
from django.utils import timezone

from compliance.analysis.fairness.examination.daily_examination import days_to_examine, examine_day
from compliance.core.accounts.models import Casino
from rounds.ledger import read_only_log_slugs

logger = structlog.get_logger(__name__)

EXAMINE_TASK = "compliance.analysis.fairness.tasks.examine_casinos"
# Far below the task's time limit. The next scheduled run does the rest.
MAX_SECONDS = 30


@shared_task(name=EXAMINE_TASK)
def examine_casinos() -> None:
    """Examines every casino. A database error at one casino does not stop the others."""
    deadline = monotonic() + MAX_SECONDS
    for casino in Casino.objects.exclude(slug__in=read_only_log_slugs()).order_by("slug"):
        try:
            for day in days_to_examine(casino, timezone.now()):
                if monotonic() > deadline:
                    return
                examine_day(casino=casino, day=day, now=timezone.now())
        except DatabaseError as error:
            logger.error("day_not_examined", log=casino.slug, error=str(error))
