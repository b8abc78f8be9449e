"""Halting: a log that was restored, or lost what was signed, takes nothing more until a person says what was lost.

It is compared with the newest checkpoint known of it: the one kept beside the key, one that somebody handed in, and
the last in the database itself, which witnesses cosigned.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

import structlog
from django.db import connection, transaction
from django.db.models import Max

from rounds.ledger.appending import LOCK_HEAD
from rounds.ledger.checkpoints import ForkedLog, check_extends, check_extends_signed, known_keys, take_turn
from rounds.ledger.errors import LedgerError, NoteError
from rounds.ledger.keeping import keep_note, kept_note
from rounds.ledger.merkle import TreeHead
from rounds.ledger.models import Epoch, Halt, Log
from rounds.ledger.origins import epoch_outside
from rounds.ledger.read_only import halt_of
from rounds.ledger.retired_keys import KnownKeys
from rounds.ledger.stored import every_log, head_of, log_named

logger = structlog.get_logger(__name__)

RESTORED, SHRANK, FORKED = "restored", "shrank", "forked"
REASONS = {
    RESTORED: "It was restored from a backup. No checkpoint known outside says that anything is missing.",
    SHRANK: "It is shorter than a checkpoint that was signed before: entries are missing.",
    FORKED: "It does not begin with what was signed before: entries are missing, and others stand in their place.",
}
_BY_CODE = {"log-shrank": SHRANK, "log-forked": FORKED}


class Known(NamedTuple):
    """A checkpoint of the log that is known outside the database: kept beside the key, or brought by somebody."""

    is_kept: bool
    note: bytes
    head: TreeHead


def known_outside(log: str) -> Known | None:
    """The newest there is: kept beside the key, or what the log was halted for."""
    halt = halt_of(log)
    brought = halt.note if halt else None
    opened = _opened(kept_note(log), bytes(brought) if brought else None, known_keys(log))
    return max(opened, key=lambda known: known.head.size, default=None)


def _opened(kept: bytes | None, brought: bytes | None, keys: KnownKeys) -> Iterator[Known]:
    for is_kept, note in ((True, kept), (False, brought)):
        if note is not None:
            with suppress(NoteError):
                yield Known(is_kept, note, keys.open_checkpoint(note).head)


def state_of(log: str, known: Known | None) -> str:
    """How the log stands towards what is known outside: as good as restored, shorter, or another."""
    return (_difference(log_named(log), known.head) if known else None) or RESTORED


def compare_every_log(*, now: datetime) -> None:
    """When a process starts. What cannot be compared, for want of the key, is not signed either."""
    for log in every_log():
        try:
            halt = compare_log(log=log, now=now)
        except LedgerError as error:
            logger.error("log_not_compared", log=log, code=error.code, error=error.sentence)
            continue
        if halt is not None:
            logger.error("log_read_only", log=log, reason=halt.reason, size=halt.size)


def compare_log(*, log: str, now: datetime) -> Halt | None:
    """Halt the log if it is not what was signed of it before. What halts it, now or already; None if it is whole."""
    stored = log_named(log)
    with transaction.atomic():
        take_turn(stored)
        try:
            check_extends_signed(stored, head_of(stored))
        except ForkedLog as error:
            if error.code in _BY_CODE:
                return _halt(stored, _BY_CODE[error.code], kept_note(log), now)
            raise
    return halt_of(log)


def halt_restored(*, log: str, note: bytes | None, keys: KnownKeys | None, now: datetime) -> Halt:
    """After every restore, whatever is known. ``note`` is a checkpoint brought along; without ``keys`` none is read."""
    stored = log_named(log)
    with transaction.atomic():
        take_turn(stored)
        found = _opened(kept_note(log), note, keys) if keys else ()
        known = max(found, key=lambda one: one.head.size, default=None)
        reason = _difference(stored, known.head) if known else None
        return _halt(stored, reason or RESTORED, known.note if known else None, now)


def hand_in_checkpoint(*, log: str, note: bytes, now: datetime) -> Known:
    """Take a checkpoint that somebody kept. It is kept beside the key if it is the newest, and halts a log that does
    not begin with it. Raises NoteError for one that this log never signed, or signed in an epoch that is over."""
    stored, keys = log_named(log), known_keys(log)
    known = Known(False, note, keys.open_checkpoint(note).head)
    with transaction.atomic():
        take_turn(stored)
        reason = _difference(stored, known.head)
        kept = kept_note(log)
        if reason is not None:
            _halt(stored, reason, note, now)
        if kept is None or known.head.size > keys.open_checkpoint(kept).head.size:
            keep_note(log, note)
    return known


def _difference(log: Log, before: TreeHead) -> str | None:
    try:
        check_extends(log, before, head_of(log))
    except ForkedLog as error:
        return _BY_CODE[error.code]
    return None


def _halt(log: Log, reason: str, note: bytes | None, now: datetime) -> Halt:
    """Where the log stands, while nobody appends. One that is halted already stays so."""
    with transaction.atomic():
        lock_head(log)
        halt = halt_of(log.slug)
        if halt is not None:
            return halt
        number = Epoch.objects.filter(log=log).aggregate(last=Max("number"))["last"] or 1
        return Halt.objects.create(
            log=log, epoch=max(number, epoch_outside(log.slug)) + 1, size=head_of(log).size, reason=reason, note=note,
            halted_at=now,
        )  # fmt: skip


def lock_head(log: Log) -> None:
    """Waits for those who append, and keeps others from it, also of a log that is read-only."""
    with connection.cursor() as cursor:
        cursor.execute(LOCK_HEAD, [log.slug])
