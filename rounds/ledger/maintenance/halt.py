"""Halting: a log that was restored, or no longer has what was signed, is read-only until a person says what was lost.

The log is compared with the newest checkpoint known: the file next to the key, one submitted by a person, or the last
one in the database, which witnesses cosigned.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

import structlog
from django.db import connection, transaction
from django.db.models import Max

from rounds.ledger.models import Epoch, Halt, Log
from rounds.ledger.read_only import open_halt_of
from rounds.ledger.signing.checkpoint_file import load_checkpoint_file, save_checkpoint_file
from rounds.ledger.signing.checkpoints import (
    ForkedLog,
    check_extends_head,
    check_extends_last_checkpoint,
    known_keys_for,
    lock_signing,
)
from rounds.ledger.signing.origins import epoch_in_file
from rounds.ledger.signing.retired_keys import KnownKeys
from rounds.ledger.storage import every_log, get_log, head_of
from rounds.ledger.writing.append import LOCK_HEAD_SQL
from rounds.transparency_log.errors import LedgerError, NoteError
from rounds.transparency_log.tree.merkle import TreeHead

logger = structlog.get_logger(__name__)

RESTORED, SHRANK, FORKED = "restored", "shrank", "forked"
HALT_REASONS = {
    RESTORED: "It was restored from a backup. No checkpoint known outside says that anything is missing.",
    SHRANK: "It is shorter than a checkpoint that was signed before: entries are missing.",
    FORKED: "It does not begin with what was signed before: entries are missing, and others stand in their place.",
}
_REASON_BY_ERROR_CODE = {"log-shrank": SHRANK, "log-forked": FORKED}


class OutsideCheckpoint(NamedTuple):
    """A verified checkpoint from outside the database:
    from the file next to the key (`is_kept`) or submitted by a person.
    """

    is_kept: bool
    note: bytes
    head: TreeHead


def newest_outside_checkpoint(log: str) -> OutsideCheckpoint | None:
    """The newest one: from the file next to the key, or the one for which the log was halted."""
    halt = open_halt_of(log)
    submitted = halt.note if halt else None
    opened = _open_checkpoints(load_checkpoint_file(log), bytes(submitted) if submitted else None, known_keys_for(log))
    return max(opened, key=lambda known: known.head.size, default=None)


def _open_checkpoints(saved: bytes | None, submitted: bytes | None, keys: KnownKeys) -> Iterator[OutsideCheckpoint]:
    for is_kept, note in ((True, saved), (False, submitted)):
        if note is not None:
            with suppress(NoteError):
                yield OutsideCheckpoint(is_kept, note, keys.open_checkpoint(note).head)


def compare_with_outside(log: str, known: OutsideCheckpoint | None) -> str:
    """Returns a key of HALT_REASONS: the log is shorter than the checkpoint,
    differs from it, or was merely restored.
    """
    return (_halt_reason(get_log(log), known.head) if known else None) or RESTORED


def halt_damaged_logs(*, now: datetime) -> None:
    """Runs when a process starts. A log that cannot be compared because the key is missing cannot be signed either."""
    for log in every_log():
        try:
            halt = halt_if_damaged(log=log, now=now)
        except LedgerError as error:
            logger.error("log_not_compared", log=log, code=error.code, error=error.sentence)
            continue
        if halt is not None:
            logger.error("log_read_only", log=log, reason=halt.reason, size=halt.size)


def halt_if_damaged(*, log: str, now: datetime) -> Halt | None:
    """Halt the log if it does not extend its last signed checkpoint.

    Returns the open halt, new or old; None if there is none.
    """
    stored = get_log(log)
    with transaction.atomic():
        lock_signing(stored)
        try:
            check_extends_last_checkpoint(stored, head_of(stored))
        except ForkedLog as error:
            if error.code in _REASON_BY_ERROR_CODE:
                return _halt(stored, _REASON_BY_ERROR_CODE[error.code], load_checkpoint_file(log), now)
            raise
    return open_halt_of(log)


def halt_restored_log(*, log: str, note: bytes | None, keys: KnownKeys | None, now: datetime) -> Halt:
    """Halt a log after a restore, in any case. ``note`` is a checkpoint supplied with the backup; without ``keys`` no
    checkpoint can be verified, and none is used.
    """
    stored = get_log(log)
    with transaction.atomic():
        lock_signing(stored)
        opened = _open_checkpoints(load_checkpoint_file(log), note, keys) if keys else ()
        known = max(opened, key=lambda one: one.head.size, default=None)
        reason = _halt_reason(stored, known.head) if known else None
        return _halt(stored, reason or RESTORED, known.note if known else None, now)


def submit_outside_checkpoint(*, log: str, note: bytes, now: datetime) -> OutsideCheckpoint:
    """Accept a checkpoint that a person kept. Saves it next to the key if it is the newest, and halts a log that does
    not extend it. Raises NoteError if this log never signed it, or signed it in an earlier epoch.
    """
    stored, keys = get_log(log), known_keys_for(log)
    known = OutsideCheckpoint(False, note, keys.open_checkpoint(note).head)
    with transaction.atomic():
        lock_signing(stored)
        reason = _halt_reason(stored, known.head)
        saved = load_checkpoint_file(log)
        if reason is not None:
            _halt(stored, reason, note, now)
        if saved is None or known.head.size > keys.open_checkpoint(saved).head.size:
            save_checkpoint_file(log, note)
    return known


def _halt_reason(log: Log, before: TreeHead) -> str | None:
    try:
        check_extends_head(log, before, head_of(log))
    except ForkedLog as error:
        return _REASON_BY_ERROR_CODE[error.code]
    return None


def _halt(log: Log, reason: str, note: bytes | None, now: datetime) -> Halt:
    """Record the halt at the log's current size, with the head locked.

    Idempotent: an open halt is returned unchanged.
    """
    with transaction.atomic():
        lock_log_head(log)
        halt = open_halt_of(log.slug)
        if halt is not None:
            return halt
        number = Epoch.objects.filter(log=log).aggregate(last=Max("number"))["last"] or 1
        return Halt.objects.create(
            log=log,
            epoch=max(number, epoch_in_file(log.slug)) + 1,
            size=head_of(log).size,
            reason=reason,
            note=note,
            halted_at=now,
        )


def lock_log_head(log: Log) -> None:
    """Lock the head row.

    Waits for running appends and blocks new ones; unlike `lock_log` it also works on a halted log.
    """
    with connection.cursor() as cursor:
        cursor.execute(LOCK_HEAD_SQL, [log.slug])
