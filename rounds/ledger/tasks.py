"""Celery tasks: sign every minute, verify daily and on request, update the search index.

A lost wake message does no harm: each task also runs periodically.
"""

from time import monotonic

import structlog
from celery import shared_task
from django.db import DatabaseError
from django.utils import timezone

from compliance.core.web.jobs.locks import Lock, advisory_lock
from compliance.core.web.jobs.wake import wake
from rounds.ledger.maintenance.halt import halt_if_damaged
from rounds.ledger.read_only import halts_by_log
from rounds.ledger.readers.search_index import index_new_entries
from rounds.ledger.signing.checkpoints import sign_log
from rounds.ledger.storage import every_log
from rounds.ledger.verify.history import next_verification_start, record_verification
from rounds.ledger.verify.verification_requests import (
    clear_request,
    logs_requested_first,
    mark_request_begun,
    progress_reporter,
)
from rounds.ledger.verify.verify_log import verify_log
from rounds.transparency_log.errors import LedgerError

logger = structlog.get_logger(__name__)

VERIFY_TASK = "rounds.ledger.tasks.verify_every_log"
INDEX_TASK = "rounds.ledger.tasks.update_search_index"
# Far below the tasks' time limit. The task wakes itself again for the rest.
MAX_SECONDS = 60


@shared_task(name="rounds.ledger.tasks.sign_every_log")
def sign_every_log() -> None:
    """Sign every log. One that cannot be signed does not block the others; the status page shows how long it waits.

    A log that no longer extends its last checkpoint is halted: it becomes read-only.
    """
    for log in every_log():
        try:
            if halt_if_damaged(log=log, now=timezone.now()) is None:
                sign_log(log, timezone.now())
        except LedgerError as error:
            logger.error("log_not_signed", log=log, code=error.code, error=error.sentence)


@shared_task(name=VERIFY_TASK)
def verify_every_log() -> None:
    """Verify each log daily or on request, in parts of at most MAX_SECONDS. The task wakes itself for the rest."""
    deadline = monotonic() + MAX_SECONDS
    # The result could not be appended to a read-only log. It is verified once it continues.
    halted = halts_by_log()
    # A second task finds the lock taken and exits.
    with advisory_lock(Lock.VERIFICATION) as is_ours:
        if is_ours and not all(
            _verify_until_done(log, deadline) for log in logs_requested_first() if log not in halted
        ):
            wake(VERIFY_TASK)


@shared_task(name=INDEX_TASK)
def update_search_index() -> None:
    """Index new entries for the search. A log that cannot be read does not block the others."""
    deadline = monotonic() + MAX_SECONDS
    for log in every_log():
        try:
            while index_new_entries(log):
                if monotonic() > deadline:
                    wake(INDEX_TASK)
                    return
        except LedgerError as error:
            logger.error("log_not_followed", log=log, code=error.code, error=error.sentence)


def _verify_until_done(log: str, deadline: float) -> bool:
    """Returns whether nothing is left to do for today."""
    try:
        begun_at = mark_request_begun(log, timezone.now())
        while due := next_verification_start(log, timezone.now(), begun_at):
            begin, after = due
            with progress_reporter(log, timezone.now) as report:
                verdict = verify_log(log, begin=begin, is_time_up=lambda: monotonic() > deadline, show_progress=report)
            record_verification(verdict=verdict, now=timezone.now(), after=after)
            if not verdict.is_intact:
                logger.error("log_does_not_fit", log=log, first=verdict.issues[0].sentence)
            if not verdict.is_complete:
                return False
        return clear_request(log, begun_at=begun_at)
    except (LedgerError, DatabaseError) as error:
        logger.error("log_not_verified", log=log, error=str(error))
    return True
