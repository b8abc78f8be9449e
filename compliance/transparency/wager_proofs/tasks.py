"""The bell of commitments: a lost ring or a second one changes nothing."""

from time import monotonic

import structlog
from celery import shared_task
from django.utils import timezone

from compliance.core.web.jobs.wake import wake
from compliance.transparency.wager_proofs.consumer import CONSUMER, commit_next_rounds
from rounds.ledger import LedgerError, every_log, position_of, size_of

logger = structlog.get_logger(__name__)

COMMIT_TASK = "compliance.transparency.wager_proofs.tasks.commit_wagers"
# Far below the tasks' time limit; what is left over is rung for again.
MAX_SECONDS = 60


@shared_task(name=COMMIT_TASK)
def commit_wagers() -> None:
    """A log that cannot be followed does not keep the others waiting."""
    deadline = monotonic() + MAX_SECONDS
    for log in every_log():
        try:
            end = size_of(log)
            # What comes in meanwhile waits for the next ring: each commitment is itself an entry.
            while position_of(CONSUMER, log) < end and commit_next_rounds(log=log, now=timezone.now()):
                if monotonic() > deadline:
                    wake(COMMIT_TASK)
                    return
        except LedgerError as error:
            logger.error("wagers_not_committed", log=log, code=error.code, error=error.sentence)
