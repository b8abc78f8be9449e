"""Celery task that commits to wagers. Idempotent: a lost or repeated wake message does no harm."""

from time import monotonic

import structlog
from celery import shared_task
from django.utils import timezone

from compliance.core.web.jobs.wake import wake
from compliance.transparency.wager_proofs.consumer import CONSUMER, commit_next_rounds
from rounds.ledger import every_log, position_of, size_of
from rounds.transparency_log.errors import LedgerError

logger = structlog.get_logger(__name__)

COMMIT_TASK = "compliance.transparency.wager_proofs.tasks.commit_wagers"
# Far below the task's time limit. The task wakes itself again for the rest.
MAX_SECONDS = 60


@shared_task(name=COMMIT_TASK)
def commit_wagers() -> None:
    """A log that cannot be read does not block the others."""
    deadline = monotonic() + MAX_SECONDS
    for log in every_log():
        try:
            end = size_of(log)
            # Stops at the size at the start: each commitment is itself an entry, so the log would never end.
            while position_of(CONSUMER, log) < end and commit_next_rounds(log=log, now=timezone.now()):
                if monotonic() > deadline:
                    wake(COMMIT_TASK)
                    return
        except LedgerError as error:
            logger.error("wagers_not_committed", log=log, code=error.code, error=error.sentence)
