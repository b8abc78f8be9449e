"""The rows of halts and epochs, compared with the entries with which epochs began (`verify_ledger`).

Why a log was halted, and by which checkpoint, is not compared: the entry has what was known when the halt ended, which
may be more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rounds.ledger.following import Recorded
from rounds.ledger.kinds import EPOCH
from rounds.ledger.leaves import write_instant
from rounds.ledger.misfits import Misfits
from rounds.ledger.models import Epoch, Halt, Log
from rounds.ledger.recorded import register_projection
from rounds.ledger.stored import log_named
from rounds.ledger.times import readable


@dataclass(frozen=True)
class Kept:
    """One halt and the epoch that ended it; `entry_index` is None while the log is read-only."""

    epoch: int
    size: int
    halted_at: datetime
    entry_index: int | None


def register() -> None:
    register_projection("epochs", [EPOCH.name], differences)


def differences(log: str, first: int, last: int, entries: Sequence[Recorded]) -> Iterator[tuple[int | None, str]]:
    begun = {entry.index: entry for entry in entries}
    kept = _kept(log_named(log))
    for row in kept:
        index = row.size if row.entry_index is None else row.entry_index
        if not first <= index < last:
            continue
        if row.entry_index is None:
            yield index, f"it is there, though the log was halted before it, and epoch {row.epoch} has not begun."
        elif index not in begun:
            yield index, f"the row of epoch {row.epoch} says that it begins here, and it does not."
        else:
            yield from ((index, words) for words in _disagreements(begun[index].content(), row))
    for index in begun.keys() - {row.entry_index for row in kept}:
        yield index, "an epoch begins with it, and no row of this log says so."


def _disagreements(said: dict[str, Any], row: Kept) -> Iterator[str]:
    if row.size != row.entry_index:
        yield f"the log was halted at {row.size} entries, by the row of the halt, and its epoch begins here."
    shown = {"epoch": row.epoch, "size": row.size, "halted_at": write_instant(row.halted_at)}
    for member, value in shown.items():
        if said.get(member, value) != value:
            yield f"the row of the halt or of the epoch says {member} {value}; the entry says {said[member]}."


def name_stray_epochs(log: Log, end: int, misfits: Misfits) -> None:
    """Halts and epochs at entries that the log does not have: no entry misses them by itself."""
    for row in _kept(log):
        if row.entry_index is not None and row.entry_index >= end:
            words = f"begins with entry {row.entry_index}, by its row"
        elif row.size > end:
            words = f"follows a halt at {row.size} entries, by the row of the halt"
        else:
            continue
        misfits.add("records", None, f"Epoch {row.epoch} {words}; the log has {end} entries.")


def _kept(log: Log) -> list[Kept]:
    begins = dict(Epoch.objects.filter(log=log).values_list("number", "entry_index"))
    halts = Halt.objects.filter(log=log).values_list("epoch", "size", readable("halted_at")).order_by("epoch")
    return [Kept(epoch, size, halted_at, begins.get(epoch)) for epoch, size, halted_at in halts]
