"""Epochs: a log goes on after a halt, with the entry that says what was lost, and under a new name from there on.

The name is kept outside the database (origins.py), and written once the entry is committed. A crash in between leaves
the log under its old name, which no longer fits: it is halted again, and nothing is signed that should not be.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple

from django.db import connection

from rounds.ledger.appending import NewEntry, Receipt, append
from rounds.ledger.checkpoints import SIGNING_LOCK, sign_now, signer
from rounds.ledger.errors import LedgerError
from rounds.ledger.halting import Known, known_outside, lock_head
from rounds.ledger.keeping import write_in_one_step
from rounds.ledger.merkle import TreeHead
from rounds.ledger.models import Epoch, Halt
from rounds.ledger.notes import SignerKey
from rounds.ledger.origins import epoch_file, epoch_name, origin_in
from rounds.ledger.read_only import halt_of
from rounds.ledger.retired_keys import RetiredKey, add_retired
from rounds.ledger.stored import head_of, log_named


class NotHalted(LedgerError):
    """Somebody else began the epoch, or there was nothing to begin one for."""


class Beginning(NamedTuple):
    """What an epoch begins with: what halted the log, where it stands, what is known outside, its new name."""

    halt: Halt
    head: TreeHead
    known: Known | None
    epoch: str

    @property
    def origin(self) -> str:
        return origin_in(self.halt.log.slug, self.epoch)


@contextmanager
def nobody_signs(log: str) -> Iterator[None]:
    """The turn of every signer, held across transactions."""
    turn = [SIGNING_LOCK, log_named(log).pk]
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s, %s)", turn)
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", turn)


def prepare_epoch(log: str, now: datetime) -> Beginning:
    """In the transaction of the act: nobody else can begin it until that is over."""
    stored = log_named(log)
    lock_head(stored)
    halt = halt_of(log)
    if halt is None:
        raise NotHalted("not-halted", f"The log {log} is not read-only.")
    halt.log = stored
    return Beginning(halt, head_of(stored), known_outside(log), epoch_name(halt.epoch, now))


def append_epoch(beginning: Beginning, entry: NewEntry, now: datetime) -> Receipt:
    """The one entry that a halted log takes. From here on, in this transaction, it takes others again."""
    halt = beginning.halt
    Epoch.objects.create(log=halt.log, number=halt.epoch, entry_index=halt.size)
    [receipt] = append(halt.log.slug, [entry], now)
    return receipt


def take_name(beginning: Beginning, now: datetime) -> bytes:
    """Once the entry is committed, still in our turn: the old name is retired, the new one written down."""
    log = beginning.halt.log.slug
    old: SignerKey = signer(log)
    add_retired([RetiredKey(old.verifier, beginning.halt.size)])
    write_in_one_step(epoch_file(log), f"{beginning.epoch}\n".encode())
    return sign_now(log, now)
