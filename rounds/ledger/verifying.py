"""Verifications that somebody waits for: asked for by a person, and how far one has come."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import DEFAULT_DB_ALIAS, connections, transaction

from compliance.web.moments import Clock
from rounds.ledger.models import Verifying
from rounds.ledger.progress import Progress
from rounds.ledger.stored import every_log, log_named

REPORT_EVERY = timedelta(seconds=1)
BEGIN = """
INSERT INTO ledger_verifying (log_id, asked_by, done, total, moved_at) VALUES (%s, '', %s, %s, %s)
ON CONFLICT (log_id) DO UPDATE SET done = excluded.done, total = excluded.total, moved_at = excluded.moved_at
"""


@transaction.atomic
def ask_for_verification(*, log: str, by: str, now: datetime) -> None:
    """The log is read from entry 0 as soon as can be. Asking again while one is waited for changes nothing."""
    asked, _ = Verifying.objects.select_for_update().get_or_create(log=log_named(log))
    if asked.asked_at is None:
        asked.asked_at, asked.asked_by, asked.done, asked.total, asked.moved_at = now, by, 0, 0, None
        asked.save()


def verifying_now(log: str) -> Verifying | None:
    return Verifying.objects.filter(log__slug=log).first()


def asked_first() -> list[str]:
    """Every log, those first for which somebody waits, the longest waiting first."""
    waiting = Verifying.objects.filter(asked_at__isnull=False).order_by("asked_at")
    asked = list(waiting.values_list("log__slug", flat=True))
    return asked + [log for log in every_log() if log not in asked]


def begin_asked(log: str, now: datetime) -> datetime | None:
    """When the verification began that somebody asked for: now, unless it did before. None where nobody asked."""
    asked = Verifying.objects.filter(log__slug=log, asked_at__isnull=False)
    asked.filter(begun_at=None).update(begun_at=now)
    return asked.values_list("begun_at", flat=True).first()


def forget(log: str, *, begun_at: datetime | None) -> bool:
    """It is done; whether nobody waits for another. One asked for meanwhile stays: it has still to begin."""
    rows = Verifying.objects.filter(log__slug=log)
    done = rows.filter(asked_at=None) if begun_at is None else rows.filter(begun_at=begun_at)
    done.delete()
    return not rows.exists()


@contextmanager
def reporting(log: str, clock: Clock) -> Iterator[Progress]:
    """Progress for the page, over a connection of its own: the verification's own transaction only reads."""
    log_id, reported = log_named(log).pk, [datetime.min.replace(tzinfo=clock().tzinfo)]
    side = connections.create_connection(DEFAULT_DB_ALIAS)

    def report(done: int, total: int) -> None:
        now = clock()
        if now - reported[0] >= REPORT_EVERY:
            reported[0] = now
            with side.cursor() as cursor:
                cursor.execute(BEGIN, [log_id, done, total, now])

    try:
        yield report
    finally:
        side.close()
