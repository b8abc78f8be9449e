"""The audit's one task. A ring that is lost or doubled changes nothing: the work list is in the database."""

from time import monotonic

import structlog
from celery import shared_task
from django.db import DatabaseError

from compliance.accounts.models import Casino
from compliance.audit.models import Block
from compliance.audit.working import audit_log
from compliance.web.bell import ring
from rounds.ledger.read_only import read_only_logs

logger = structlog.get_logger(__name__)

AUDIT = "compliance.audit.tasks.audit"
# Far below the tasks' time limit; what is left over is rung for again.
SECONDS_AT_A_TIME = 30


@shared_task(name=AUDIT)
def audit() -> None:
    """Every casino's log. One that cannot be audited does not keep the others waiting."""
    deadline = monotonic() + SECONDS_AT_A_TIME
    for casino in Casino.objects.exclude(slug__in=read_only_logs()).order_by("slug"):
        try:
            for _ in audit_log(casino, is_time_up=lambda: monotonic() > deadline, call_help=lambda: ring(AUDIT)):
                pass
        except DatabaseError as error:
            logger.error("log_not_audited", log=casino.slug, error=str(error))
    if monotonic() > deadline and Block.objects.waiting().exists():
        ring(AUDIT)
