"""Rotates the signing key of every log. Both keys sign one checkpoint; the old key is trusted only up to its size."""

import secrets
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import transaction

from compliance.core.web.files.atomic_write import write_atomically
from compliance.core.web.files.key_files import SEED_BYTES
from rounds.ledger.entry_kinds import KEY_CHANGED
from rounds.ledger.models import SignedCheckpoint
from rounds.ledger.signing.checkpoint_file import save_checkpoint_file
from rounds.ledger.signing.checkpoints import (
    check_extends_last_checkpoint,
    hold_signing_lock,
    signing_key_for,
)
from rounds.ledger.signing.retired_keys import RetiredKey, add_retired_keys
from rounds.ledger.signing.timestamp_signatures import sign_timestamps
from rounds.ledger.storage import every_log, get_log, head_of
from rounds.ledger.writing.append import append, make_entry
from rounds.transparency_log.errors import LedgerError
from rounds.transparency_log.formats.signed_note import SignerKey, sign_checkpoint


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
    with hold_signing_lock(*logs):
        retired = [_sign_with_both_keys(log, seed, reason.strip(), now) for log in logs]
        add_retired_keys(retired)
        write_atomically(Path(settings.LEDGER_KEY_FILE), seed.hex().encode())
    return retired


def _sign_with_both_keys(log: str, seed: bytes, reason: str, now: datetime) -> RetiredKey:
    """Append an entry that names both keys, and sign a checkpoint that covers it with both."""
    old = signing_key_for(log)
    new = SignerKey.from_seed(old.name, seed)
    stored = get_log(log)
    head = head_of(stored)
    check_extends_last_checkpoint(stored, head)
    with transaction.atomic():
        append(log, [make_entry(KEY_CHANGED, _key_changed_body(old, new, reason))], now)
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
