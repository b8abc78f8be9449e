"""Rotates the signing key of every log. Both keys sign one checkpoint; the old key is trusted only up to its size."""

import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction

from rounds.ledger.errors import LedgerError
from rounds.ledger.formats.signed_note import SignerKey, sign_checkpoint
from rounds.ledger.models import SignedCheckpoint
from rounds.ledger.signing.checkpoint_file import save_checkpoint_file
from rounds.ledger.signing.checkpoints import SEED_BYTES, SIGNING_LOCK, check_extends_last_checkpoint, signing_key_for
from rounds.ledger.signing.retired_keys import RetiredKey, add_retired_keys
from rounds.ledger.signing.timestamp_signatures import sign_timestamps
from rounds.ledger.storage import every_log, get_log, head_of
from rounds.ledger.writing.append import append, make_entry
from rounds.ledger.writing.entry_kinds import KEY_CHANGED


class RotationReasonMissing(LedgerError):
    """A rotation needs a reason, which is recorded in every log."""


def rotate_key(*, reason: str, now: datetime) -> list[RetiredKey]:
    """Replace the key that signs every log. An interrupted rotation leaves the old key in place and valid.

    Signing is locked meanwhile; appending goes on. Returns the old key of each log and the last size it signed.
    """
    if not reason.strip():
        raise RotationReasonMissing("no-reason", "Say why the key is changed: the reason stands in every log.")
    logs = every_log()
    seed = secrets.token_bytes(SEED_BYTES)
    with _hold_all_signing_locks(logs):
        retired = [_sign_with_both_keys(log, seed, reason.strip(), now) for log in logs]
        add_retired_keys(retired)
        _replace_key_file(Path(settings.LEDGER_KEY_FILE), seed)
    return retired


def _sign_with_both_keys(log: str, seed: bytes, reason: str, now: datetime) -> RetiredKey:
    """Append an entry that names both keys, and sign a checkpoint that covers it with both."""
    old = signing_key_for(log)
    new = SignerKey.from_seed(old.name, seed)
    stored = get_log(log)
    head = head_of(stored)
    check_extends_last_checkpoint(stored, head)
    with transaction.atomic():
        append(log, [make_entry(KEY_CHANGED.name, _key_changed_body(old, new, reason))], now)
    with transaction.atomic(durable=True):
        head = head_of(stored)
        note = sign_checkpoint(head, new, old)
        # By the old key: it is valid up to this size, and stays valid if the rotation is interrupted.
        times = sign_timestamps(old, head.size, opened_at=stored.opened_at, signed_at=now)
        SignedCheckpoint.objects.create(
            log=stored, size=head.size, root=head.root, note=note, signed_at=now, times_signature=times
        )
        save_checkpoint_file(log, note)
    return RetiredKey(old.verifier, head.size)


def _key_changed_body(old: SignerKey, new: SignerKey, reason: str) -> dict[str, str]:
    return {"from": str(old.verifier), "to": str(new.verifier), "reason": reason}


@contextmanager
def _hold_all_signing_locks(logs: Sequence[str]) -> Iterator[None]:
    """Session-level advisory locks, in sorted order against deadlocks: no other process signs, across transactions."""
    keys = [[SIGNING_LOCK, get_log(log).pk] for log in sorted(logs)]
    with connection.cursor() as cursor:
        for key in keys:
            cursor.execute("SELECT pg_advisory_lock(%s, %s)", key)
        try:
            yield
        finally:
            for key in keys:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", key)


def _replace_key_file(path: Path, seed: bytes) -> None:
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(seed.hex())
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
