"""The bell of commitments: a lost ring or a second one changes nothing."""

from time import monotonic

import structlog
from celery import shared_task
from django.utils import timezone

from compliance.proofs.committing import CONSUMER, commit_next
from compliance.web.bell import ring
from rounds.ledger.errors import LedgerError
from rounds.ledger.following import every_log, followed_up_to
from rounds.ledger.searching import size_of

logger = structlog.get_logger(__name__)

COMMIT = "compliance.proofs.tasks.commit_wagers"
# Far below the tasks' time limit; what is left over is rung for again.
SECONDS_AT_A_TIME = 60


@shared_task(name=COMMIT)
def commit_wagers() -> None:
    """A log that cannot be followed does not keep the others waiting."""
    deadline = monotonic() + SECONDS_AT_A_TIME
    for log in every_log():
        try:
            end = size_of(log)
            # What comes in meanwhile waits for the next ring: each commitment is itself an entry.
            while followed_up_to(CONSUMER, log) < end and commit_next(log=log, now=timezone.now()):
                if monotonic() > deadline:
                    ring(COMMIT)
                    return
        except LedgerError as error:
            logger.error("wagers_not_committed", log=log, code=error.code, error=error.sentence)
