"""Epochs: a halted log continues with an entry that says what was lost, and signs under a new origin from then on.

The origin is stored outside the database (origins.py), after the entry is committed. After a crash in between the log
still has its old origin, which no longer matches its entries: it is halted again, and nothing wrong is signed.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from compliance.core.web.files.atomic_write import write_atomically
from rounds.ledger.maintenance.halt import OutsideCheckpoint, lock_log_head, newest_outside_checkpoint
from rounds.ledger.models import Epoch, Halt
from rounds.ledger.read_only import open_halt_of
from rounds.ledger.signing.checkpoints import sign_log, signing_key_for
from rounds.ledger.signing.origins import epoch_file_path, make_epoch_name, origin_in_epoch
from rounds.ledger.signing.retired_keys import RetiredKey, add_retired_keys
from rounds.ledger.storage import get_log, head_of
from rounds.ledger.writing.append import NewEntry, Receipt, append
from rounds.transparency_log.errors import LedgerError
from rounds.transparency_log.formats.signed_note import SignerKey
from rounds.transparency_log.tree.merkle import TreeHead


class LogNotHalted(LedgerError):
    """The log is not halted: the epoch was already begun, or none is needed."""


class NewEpoch(NamedTuple):
    """An epoch to begin: the halt it ends, the log's head, the newest checkpoint known outside, the epoch's name."""

    halt: Halt
    head: TreeHead
    known: OutsideCheckpoint | None
    epoch: str

    @property
    def origin(self) -> str:
        return origin_in_epoch(self.halt.log.slug, self.epoch)


def prepare_epoch(log: str, now: datetime) -> NewEpoch:
    """Lock the log's head until the caller's transaction ends, so that only one epoch can begin."""
    stored = get_log(log)
    lock_log_head(stored)
    halt = open_halt_of(log)
    if halt is None:
        raise LogNotHalted("not-halted", f"The log {log} is not read-only.")
    halt.log = stored
    return NewEpoch(halt, head_of(stored), newest_outside_checkpoint(log), make_epoch_name(halt.epoch, now))


def append_epoch_entry(epoch: NewEpoch, entry: NewEntry, now: datetime) -> Receipt:
    """Append the one entry that a halted log accepts. From here on, in this transaction, it accepts others again."""
    halt = epoch.halt
    Epoch.objects.create(log=halt.log, number=halt.epoch, entry_index=halt.size)
    [receipt] = append(halt.log.slug, [entry], now)
    return receipt


def switch_origin(epoch: NewEpoch, now: datetime) -> bytes:
    """Retire the old origin and store the new one.

    Call it after the entry is committed, still holding the signing lock.
    """
    log = epoch.halt.log.slug
    old: SignerKey = signing_key_for(log)
    add_retired_keys([RetiredKey(old.verifier, epoch.halt.size)])
    write_atomically(epoch_file_path(log), f"{epoch.epoch}\n".encode())
    return sign_log(log, now)
