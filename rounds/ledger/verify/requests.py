"""Verifications that somebody waits for: asked for by a person, and how far one has come."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import DEFAULT_DB_ALIAS, connections, transaction

from compliance.core.web.local_time import Clock
from rounds.ledger.models import VerificationRequest
from rounds.ledger.reading.progress_bar import ProgressCallback
from rounds.ledger.storage import every_log, get_log

REPORT_INTERVAL = timedelta(seconds=1)
UPSERT_PROGRESS_SQL = """
INSERT INTO ledger_verifying (log_id, asked_by, done, total, moved_at) VALUES (%s, '', %s, %s, %s)
ON CONFLICT (log_id) DO UPDATE SET done = excluded.done, total = excluded.total, moved_at = excluded.moved_at
"""


@transaction.atomic
def request_verification(*, log: str, by: str, now: datetime) -> None:
    """The log is read from entry 0 as soon as can be. Asking again while one is waited for changes nothing."""
    asked, _ = VerificationRequest.objects.select_for_update().get_or_create(log=get_log(log))
    if asked.asked_at is None:
        asked.asked_at, asked.asked_by, asked.done, asked.total, asked.moved_at = now, by, 0, 0, None
        asked.save()


def running_verification(log: str) -> VerificationRequest | None:
    return VerificationRequest.objects.filter(log__slug=log).first()


def logs_requested_first() -> list[str]:
    """Every log, those first for which somebody waits, the longest waiting first."""
    waiting = VerificationRequest.objects.filter(asked_at__isnull=False).order_by("asked_at")
    asked = list(waiting.values_list("log__slug", flat=True))
    return asked + [log for log in every_log() if log not in asked]


def mark_request_begun(log: str, now: datetime) -> datetime | None:
    """When the verification began that somebody asked for: now, unless it did before. None where nobody asked."""
    asked = VerificationRequest.objects.filter(log__slug=log, asked_at__isnull=False)
    asked.filter(begun_at=None).update(begun_at=now)
    return asked.values_list("begun_at", flat=True).first()


def clear_request(log: str, *, begun_at: datetime | None) -> bool:
    """It is done; whether nobody waits for another. One asked for meanwhile stays: it has still to begin."""
    rows = VerificationRequest.objects.filter(log__slug=log)
    done = rows.filter(asked_at=None) if begun_at is None else rows.filter(begun_at=begun_at)
    done.delete()
    return not rows.exists()


@contextmanager
def progress_reporter(log: str, clock: Clock) -> Iterator[ProgressCallback]:
    """Progress for the page, over a connection of its own: the verification's own transaction only reads."""
    log_id, reported = get_log(log).pk, [datetime.min.replace(tzinfo=clock().tzinfo)]
    side = connections.create_connection(DEFAULT_DB_ALIAS)

    def report(done: int, total: int) -> None:
        now = clock()
        if now - reported[0] >= REPORT_INTERVAL:
            reported[0] = now
            with side.cursor() as cursor:
                cursor.execute(UPSERT_PROGRESS_SQL, [log_id, done, total, now])

    try:
        yield report
    finally:
        side.close()
