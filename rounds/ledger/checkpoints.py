"""Checkpoints: signed statements of a log's size and root, never for a smaller or a forked tree.

The key is a file outside the database; each log signs under its own name (origins.py).
"""

import os
import secrets
from bisect import bisect_left
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction

from compliance.web.errors import Unavailable
from rounds.ledger.errors import LedgerError, NoteError
from rounds.ledger.keeping import keep_note, kept_note
from rounds.ledger.merkle import Frontier, TreeHead, verify_consistency
from rounds.ledger.models import Log, SignedCheckpoint
from rounds.ledger.notes import SignerKey, VerifierKey, sign_checkpoint
from rounds.ledger.origins import origin_of
from rounds.ledger.read_only import LogReadOnly, refuse_read_only
from rounds.ledger.retired_keys import KnownKeys, retired_keys
from rounds.ledger.signed_times import sign_times
from rounds.ledger.stored import consistency_proof, head_of, log_named, root_at

SEED_BYTES = 32
# Any number that no other advisory lock of the service uses; the second key is the log.
SIGNING_LOCK = 0x5349474E


class ForkedLog(LedgerError):
    """The log no longer contains what an earlier checkpoint signed."""


class NothingSigned(LedgerError):
    """A log that is read-only has no checkpoint which evidence could be held to."""


class NoLedgerKey(LedgerError, Unavailable):
    """The key file is missing or no key. The sentence says where it should be, for those who run the service; a page
    that needs the key and has nothing else to show says only that it is missing."""

    code = "no-key"
    title = "The log's key is missing"
    detail = "The service cannot read the key that signs its logs. What is recorded is safe, and nothing new is signed."
    remedy = "Tell those who run the service: the key file must be put back."

    def __init__(self, sentence: str) -> None:
        Unavailable.__init__(self)
        self.sentence, self.field = sentence, ""

    def __str__(self) -> str:
        return self.sentence


def make_key(path: Path) -> None:
    """A new signing key, unless there is one; readable by its owner alone."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_hex(SEED_BYTES))


def signer(log: str) -> SignerKey:
    return SignerKey.from_seed(origin_of(log), _read_seed(Path(settings.LEDGER_KEY_FILE)))


def check_key() -> None:
    """Raises NoLedgerKey where it cannot be read."""
    _read_seed(Path(settings.LEDGER_KEY_FILE))


def _read_seed(path: Path) -> bytes:
    try:
        seed = bytes.fromhex(path.read_text())
    except FileNotFoundError as error:
        raise NoLedgerKey(f"There is no ledger key at {path}: set LEDGER_KEY_FILE to where it is.") from error
    except (OSError, ValueError) as error:
        raise NoLedgerKey(f"The ledger key {path} cannot be read.") from error
    if len(seed) != SEED_BYTES:
        raise NoLedgerKey(f"The file {path} is not a ledger key: it must hold {SEED_BYTES} bytes in hex.")
    return seed


def verifier(log: str) -> VerifierKey:
    return signer(log).verifier


def known_keys(log: str) -> KnownKeys:
    current = verifier(log)
    return KnownKeys(current, retired_keys(current.name))


def sign_now(log: str, now: datetime) -> bytes:
    """The note for the log as it stands, signed and stored unless that size was signed already.

    What is signed must be committed, so this runs in a transaction of its own; signers of one log take turns.
    """
    stored_log = log_named(log)
    with transaction.atomic(durable=True):
        take_turn(stored_log)
        refuse_read_only(stored_log)
        # Read when it is our turn: the one before us may have changed it.
        key = signer(log)
        head = head_of(stored_log)
        stored, kept = newest_note(log), kept_note(log)
        check_extends_signed(stored_log, head)
        if SignedCheckpoint.objects.filter(log=stored_log, size=head.size).exists():
            note = _still_current(stored, head, KnownKeys(key.verifier))
        else:
            note = sign_checkpoint(head, key)
            times = sign_times(key, head.size, opened_at=stored_log.opened_at, signed_at=now)
            SignedCheckpoint.objects.create(
                log=stored_log, size=head.size, root=head.root, note=note, signed_at=now, times_signature=times
            )
        if note != kept:
            keep_note(log, note)
    return note


def check_extends_signed(log: Log, head: TreeHead) -> None:
    """The log must still contain what was signed last, as the database has it and as it was kept outside."""
    keys = known_keys(log.slug)
    for note in (newest_note(log.slug), kept_note(log.slug)):
        check_extends(log, _signed_head(note, keys), head)


def newest_or_signed(log: str, now: datetime) -> bytes:
    """`sign_now`; of a log that is read-only, the last checkpoint that it lives up to: evidence can still be taken."""
    try:
        return sign_now(log, now)
    except LogReadOnly as error:
        note = _newest_that_fits(log_named(log))
        if note is None:
            raise NothingSigned(
                "nothing-signed", f"{log} is read-only, and nothing that it signed is left to hold evidence to."
            ) from error
        return note


def _newest_that_fits(log: Log) -> bytes | None:
    """One that signed for more than is left, or for other entries, proves nothing of those that are here."""
    signed = SignedCheckpoint.objects.filter(log=log)
    here = signed.filter(size__gt=0, size__lte=head_of(log).size).order_by("size")
    sizes = list(here.values_list("size", flat=True))
    # What begins with the entries of a checkpoint begins with those of every one before it.
    count = bisect_left(sizes, True, key=lambda size: not _fits(log, size))
    return bytes(signed.get(size=sizes[count - 1]).note) if count else None


def _fits(log: Log, size: int) -> bool:
    note = bytes(SignedCheckpoint.objects.get(log=log, size=size).note)
    try:
        return known_keys(log.slug).open_checkpoint(note).head == TreeHead(size, root_at(log, size))
    except LedgerError:
        return False


def newest_note(log: str) -> bytes | None:
    """The last published checkpoint; None for a log that was never signed."""
    note = SignedCheckpoint.objects.filter(log__slug=log).order_by("-size").values_list("note", flat=True).first()
    return None if note is None else bytes(note)


def take_turn(log: Log) -> None:
    """One signs, halts or begins an epoch of a log at a time."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [SIGNING_LOCK, log.pk])


def _signed_head(note: bytes | None, keys: KnownKeys) -> TreeHead:
    """What an earlier checkpoint signed, read from its signed text and never from the database's columns."""
    if note is None:
        return Frontier().head()
    try:
        return keys.open_checkpoint(note).head
    except NoteError as error:
        name = keys.current.name
        raise ForkedLog("checkpoint-not-ours", f"The last checkpoint is not one that {name} signed.") from error


def _still_current(note: bytes | None, head: TreeHead, keys: KnownKeys) -> bytes:
    if note is None or _signed_head(note, keys) != head:
        raise ForkedLog("checkpoint-not-ours", f"The checkpoint stored for {head.size} entries signs something else.")
    return note


def check_extends(log: Log, before: TreeHead, now: TreeHead) -> None:
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
