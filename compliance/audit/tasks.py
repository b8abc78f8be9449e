"""The audit's one task. A ring that is lost or doubled changes nothing: the work list is in the database."""

from time import monotonic

import structlog
from celery import shared_task
from django.db import DatabaseError

from compliance.audit.models import Block
from compliance.audit.run.worker import audit_log
from compliance.core.accounts.models import Casino
from compliance.core.web.jobs.wake import wake
from rounds.ledger import read_only_log_slugs

logger = structlog.get_logger(__name__)

AUDIT_TASK = "compliance.audit.tasks.audit"
# Far below the tasks' time limit; what is left over is rung for again.
MAX_SECONDS = 30


@shared_task(name=AUDIT_TASK)
def audit() -> None:
    """Every casino's log. One that cannot be audited does not keep the others waiting."""
    deadline = monotonic() + MAX_SECONDS
    for casino in Casino.objects.exclude(slug__in=read_only_log_slugs()).order_by("slug"):
        try:
            for _ in audit_log(casino, is_time_up=lambda: monotonic() > deadline, wake_helper=lambda: wake(AUDIT_TASK)):
                pass
        except DatabaseError as error:
            logger.error("log_not_audited", log=casino.slug, error=str(error))
    if monotonic() > deadline and Block.objects.waiting().exists():
        wake(AUDIT_TASK)
