"""Checkpoints: signed statements of a log's size and root. A log that shrank or forked is not signed.

The key is a file outside the database; each log signs under its own origin (origins.py).
"""

import secrets
from bisect import bisect_left
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import transaction

from compliance.core.web.errors import Unavailable
from compliance.core.web.files.key_files import SEED_BYTES, create_private_file, read_seed
from compliance.core.web.jobs.locks import Lock, lock_transaction, wait_for_locks
from rounds.ledger.models import Log, SignedCheckpoint
from rounds.ledger.read_only import LogReadOnly, require_writable
from rounds.ledger.signing.checkpoint_file import load_checkpoint_file, save_checkpoint_file
from rounds.ledger.signing.origins import origin_of
from rounds.ledger.signing.retired_keys import KnownKeys, retired_keys_for
from rounds.ledger.signing.timestamp_signatures import sign_timestamps
from rounds.ledger.storage import consistency_proof, get_log, head_of, root_at
from rounds.transparency_log.errors import LedgerError, NoteError
from rounds.transparency_log.formats.signed_note import SignerKey, VerifierKey, sign_checkpoint
from rounds.transparency_log.tree.merkle import Frontier, TreeHead, verify_consistency


class ForkedLog(LedgerError):
    """The log no longer contains what an earlier checkpoint signed."""


class NoUsableCheckpoint(LedgerError):
    """A read-only log has no checkpoint that still matches its entries, so no evidence can be exported."""


class LedgerKeyMissing(LedgerError, Unavailable):
    """The key file is missing or invalid.

    ``sentence`` names the path, for operators. A page that cannot be shown without the key says only that it is
    missing.
    """

    code = "no-key"
    title = "The log's key is missing"
    detail = "The service cannot read the key that signs its logs. What is recorded is safe, and nothing new is signed."
    remedy = "Tell those who run the service: the key file must be put back."

    def __init__(self, sentence: str) -> None:
        Unavailable.__init__(self)
        self.sentence, self.field = sentence, ""

    def __str__(self) -> str:
        return self.sentence


def create_key_file(path: Path) -> None:
    """Create a signing key, readable by its owner only. Does nothing if the file exists."""
    create_private_file(path, secrets.token_hex(SEED_BYTES).encode())


def signing_key_for(log: str) -> SignerKey:
    return SignerKey.from_seed(origin_of(log), _read_key_seed(Path(settings.LEDGER_KEY_FILE)))


def check_key_file() -> None:
    """Raises LedgerKeyMissing if the key cannot be read."""
    _read_key_seed(Path(settings.LEDGER_KEY_FILE))


def _read_key_seed(path: Path) -> bytes:
    try:
        return read_seed(path)
    except FileNotFoundError as error:
        raise LedgerKeyMissing(f"There is no ledger key at {path}: set LEDGER_KEY_FILE to where it is.") from error
    except (OSError, ValueError) as error:
        raise LedgerKeyMissing(f"The ledger key {path} cannot be read: {error}.") from error


def verifier_key_for(log: str) -> VerifierKey:
    return signing_key_for(log).verifier


def known_keys_for(log: str) -> KnownKeys:
    current = verifier_key_for(log)
    return KnownKeys(current, retired_keys_for(current.name))


def sign_log(log: str, now: datetime) -> bytes:
    """Sign and store the log's current head. Returns the stored note if this size was already signed.

    Only committed entries may be signed, so this runs in its own transaction. An advisory lock allows one signer a log.
    """
    stored_log = get_log(log)
    with transaction.atomic(durable=True):
        lock_signing(stored_log)
        require_writable(stored_log)
        # Read under the lock: a rotation may have replaced it.
        key = signing_key_for(log)
        head = head_of(stored_log)
        stored, saved = newest_checkpoint_note(log), load_checkpoint_file(log)
        check_extends_last_checkpoint(stored_log, head)
        if SignedCheckpoint.objects.filter(log=stored_log, size=head.size).exists():
            note = _check_same_head(stored, head, KnownKeys(key.verifier))
        else:
            note = sign_checkpoint(head, key)
            times = sign_timestamps(key, head.size, opened_at=stored_log.opened_at, signed_at=now)
            SignedCheckpoint.objects.create(
                log=stored_log, size=head.size, root=head.root, note=note, signed_at=now, times_signature=times
            )
        if note != saved:
            save_checkpoint_file(log, note)
    return note


def check_extends_last_checkpoint(log: Log, head: TreeHead) -> None:
    """Raises ForkedLog unless the log extends its last checkpoint, both the stored one and the copy in the file."""
    keys = known_keys_for(log.slug)
    for note in (newest_checkpoint_note(log.slug), load_checkpoint_file(log.slug)):
        check_extends_head(log, _head_signed_by(note, keys), head)


def sign_or_last_valid(log: str, now: datetime) -> bytes:
    """`sign_log`, or, for a read-only log, the newest checkpoint that still matches it:
    evidence can still be exported.
    """
    try:
        return sign_log(log, now)
    except LogReadOnly as error:
        note = _newest_matching_checkpoint(get_log(log))
        if note is None:
            raise NoUsableCheckpoint(
                "nothing-signed", f"{log} is read-only, and nothing that it signed is left to hold evidence to."
            ) from error
        return note


def _newest_matching_checkpoint(log: Log) -> bytes | None:
    """The newest checkpoint that matches the stored entries.

    Larger ones and those of other entries prove nothing here.
    """
    signed = SignedCheckpoint.objects.filter(log=log)
    here = signed.filter(size__gt=0, size__lte=head_of(log).size).order_by("size")
    sizes = list(here.values_list("size", flat=True))
    # Binary search: if a checkpoint matches, every earlier one does.
    count = bisect_left(sizes, True, key=lambda size: not _checkpoint_matches_log(log, size))
    return bytes(signed.get(size=sizes[count - 1]).note) if count else None


def _checkpoint_matches_log(log: Log, size: int) -> bool:
    note = bytes(SignedCheckpoint.objects.get(log=log, size=size).note)
    try:
        return known_keys_for(log.slug).open_checkpoint(note).head == TreeHead(size, root_at(log, size))
    except LedgerError:
        return False


def newest_checkpoint_note(log: str) -> bytes | None:
    """The newest stored checkpoint; None if the log was never signed."""
    note = SignedCheckpoint.objects.filter(log__slug=log).order_by("-size").values_list("note", flat=True).first()
    return None if note is None else bytes(note)


def lock_signing(log: Log) -> None:
    """Advisory lock until the transaction ends: one process at a time signs, halts or begins an epoch of a log."""
    lock_transaction(Lock.SIGNING, log.pk)


def hold_signing_lock(*logs: str) -> AbstractContextManager[None]:
    """The same lock for the whole session: no other process signs these logs, across several transactions."""
    return wait_for_locks(Lock.SIGNING, [get_log(log).pk for log in logs])


def _head_signed_by(note: bytes | None, keys: KnownKeys) -> TreeHead:
    """The head that an earlier checkpoint signed, from its signed text and never from the database columns."""
    if note is None:
        return Frontier().head()
    try:
        return keys.open_checkpoint(note).head
    except NoteError as error:
        name = keys.current.name
        raise ForkedLog("checkpoint-not-ours", f"The last checkpoint is not one that {name} signed.") from error


def _check_same_head(note: bytes | None, head: TreeHead, keys: KnownKeys) -> bytes:
    if note is None or _head_signed_by(note, keys) != head:
        raise ForkedLog("checkpoint-not-ours", f"The checkpoint stored for {head.size} entries signs something else.")
    return note


def check_extends_head(log: Log, before: TreeHead, now: TreeHead) -> None:
    if now.size < before.size:
        raise ForkedLog("log-shrank", f"The log holds {now.size} entries; {before.size} were signed before.")
    if now == before or before.size == 0:
        return
    try:
        verify_consistency(before, now, consistency_proof(log, before.size, now.size))
    except LedgerError as error:
        raise ForkedLog(
            "log-forked", f"The first {before.size} entries are no longer those that were signed."
        ) from error


# Signing runs every minute; up to two runs may be missed.
MAX_SIGNING_DELAY = timedelta(minutes=3)
