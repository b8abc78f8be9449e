"""Signing every minute, verifying every day and on demand, noting what entries name. A lost ring changes nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

import structlog
from celery import shared_task
from django.db import DatabaseError, connection
from django.utils import timezone

from compliance.web.bell import ring
from rounds.ledger.checkpoints import sign_now
from rounds.ledger.errors import LedgerError
from rounds.ledger.following import every_log
from rounds.ledger.halting import compare_log
from rounds.ledger.mentions import follow_mentions
from rounds.ledger.read_only import halts
from rounds.ledger.verification import verify_log
from rounds.ledger.verified import next_stretch, record_verification
from rounds.ledger.verifying import asked_first, begin_asked, forget, reporting

logger = structlog.get_logger(__name__)

VERIFY = "rounds.ledger.tasks.verify_every_log"
FOLLOW = "rounds.ledger.tasks.note_mentions"
# Far below the tasks' time limit; what is left over is rung for again.
SECONDS_AT_A_TIME = 60
VERIFYING_LOCK = 0x56455249


@shared_task(name="rounds.ledger.tasks.sign_every_log")
def sign_every_log() -> None:
    """A log that cannot be signed does not keep the others waiting; its age on the status page tells.

    One that is shorter than what was signed of it, or another, is halted: it takes nothing more.
    """
    for log in every_log():
        try:
            if compare_log(log=log, now=timezone.now()) is None:
                sign_now(log, timezone.now())
        except LedgerError as error:
            logger.error("log_not_signed", log=log, code=error.code, error=error.sentence)


@shared_task(name=VERIFY)
def verify_every_log() -> None:
    """Each log once a day or when asked, in stretches; what is left when the time is up is rung for again."""
    deadline = monotonic() + SECONDS_AT_A_TIME
    # A log that is read-only cannot record what was found: it is verified once it goes on.
    halted = halts()
    with _alone() as is_ours:
        if is_ours and not all(_verify_while_due(log, deadline) for log in asked_first() if log not in halted):
            ring(VERIFY)


@shared_task(name=FOLLOW)
def note_mentions() -> None:
    """What new entries name, for the search. A log that cannot be followed does not keep the others waiting."""
    deadline = monotonic() + SECONDS_AT_A_TIME
    for log in every_log():
        try:
            while follow_mentions(log):
                if monotonic() > deadline:
                    ring(FOLLOW)
                    return
        except LedgerError as error:
            logger.error("log_not_followed", log=log, code=error.code, error=error.sentence)


def _verify_while_due(log: str, deadline: float) -> bool:
    """Whether nothing is left to do for today."""
    try:
        begun_at = begin_asked(log, timezone.now())
        while due := next_stretch(log, timezone.now(), begun_at):
            begin, after = due
            with reporting(log, timezone.now) as report:
                verdict = verify_log(log, begin=begin, is_time_up=lambda: monotonic() > deadline, show_progress=report)
            record_verification(verdict=verdict, now=timezone.now(), after=after)
            if not verdict.is_whole:
                logger.error("log_does_not_fit", log=log, first=verdict.misfits[0].sentence)
            if not verdict.is_complete:
                return False
        return forget(log, begun_at=begun_at)
    except (LedgerError, DatabaseError) as error:
        logger.error("log_not_verified", log=log, error=str(error))
    return True


@contextmanager
def _alone() -> Iterator[bool]:
    """One verification at a time: a second ring finds the first still at work and leaves it to it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, 0)", [VERIFYING_LOCK])
        [is_ours] = cursor.fetchone() or [False]
        try:
            yield is_ours
        finally:
            if is_ours:
                cursor.execute("SELECT pg_advisory_unlock(%s, 0)", [VERIFYING_LOCK])
