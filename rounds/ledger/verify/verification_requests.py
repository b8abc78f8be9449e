"""Verifications on request: who asked for one, and how far it has come."""

from contextlib import AbstractContextManager
from datetime import datetime

from django.db import transaction

from compliance.core.web.jobs.runner import ShowProgress, progress_writer
from compliance.core.web.local_time import Clock
from rounds.ledger.models import VerificationRequest
from rounds.ledger.storage import every_log, get_log

UPSERT_PROGRESS_SQL = """
INSERT INTO ledger_verifying (log_id, asked_by, done, total, moved_at) VALUES (%s, '', %s, %s, %s)
ON CONFLICT (log_id) DO UPDATE SET done = excluded.done, total = excluded.total, moved_at = excluded.moved_at
"""


@transaction.atomic
def request_verification(*, log: str, by: str, now: datetime) -> None:
    """Request a verification from entry 0. Idempotent while a request is waiting."""
    request, _ = VerificationRequest.objects.select_for_update().get_or_create(log=get_log(log))
    if request.asked_at is None:
        request.asked_at, request.asked_by, request.done, request.total, request.moved_at = now, by, 0, 0, None
        request.save()


def running_verification(log: str) -> VerificationRequest | None:
    return VerificationRequest.objects.filter(log__slug=log).first()


def logs_requested_first() -> list[str]:
    """Every log; those with a request first, oldest request first."""
    waiting = VerificationRequest.objects.filter(asked_at__isnull=False).order_by("asked_at")
    requested = list(waiting.values_list("log__slug", flat=True))
    return requested + [log for log in every_log() if log not in requested]


def mark_request_begun(log: str, now: datetime) -> datetime | None:
    """When the requested verification began, which is now unless it was marked before; None if there is no request."""
    requests = VerificationRequest.objects.filter(log__slug=log, asked_at__isnull=False)
    requests.filter(begun_at=None).update(begun_at=now)
    return requests.values_list("begun_at", flat=True).first()


def clear_request(log: str, *, begun_at: datetime | None) -> bool:
    """Delete the request that is done.

    Returns whether none is left: one made meanwhile stays, as it has yet to begin.
    """
    rows = VerificationRequest.objects.filter(log__slug=log)
    done = rows.filter(asked_at=None) if begun_at is None else rows.filter(begun_at=begun_at)
    done.delete()
    return not rows.exists()


def progress_reporter(log: str, clock: Clock) -> AbstractContextManager[ShowProgress]:
    """Progress for the page, also of the daily verification, for which there is no request."""
    log_id = get_log(log).pk
    return progress_writer(clock, UPSERT_PROGRESS_SQL, lambda done, total, now: [log_id, done, total, now])
