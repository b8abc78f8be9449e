"""Compares the rows of halts and epochs with the entries that began the epochs (`verify_ledger`).

The reason for a halt and its checkpoint are not compared: the entry has what was known when the halt ended, which may
be more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rounds.ledger.entry import LogEntry
from rounds.ledger.entry_kinds import EPOCH
from rounds.ledger.models import Epoch, Halt, Log
from rounds.ledger.registry import register_projection
from rounds.ledger.storage import get_log
from rounds.ledger.verify.issues import IssueList
from rounds.ledger.verify.safe_timestamps import clamped_timestamp
from rounds.transparency_log.formats.leaf import encode_timestamp


@dataclass(frozen=True)
class HaltAndEpoch:
    """One halt and the epoch that ended it; `entry_index` is None while the log is read-only."""

    epoch: int
    size: int
    halted_at: datetime
    entry_index: int | None


def register_epochs_projection() -> None:
    register_projection("epochs", [EPOCH], verify_rows)


def verify_rows(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int | None, str]]:
    begun = {entry.index: entry for entry in entries}
    rows = _stored_halts_and_epochs(get_log(log))
    for row in rows:
        index = row.size if row.entry_index is None else row.entry_index
        if not first <= index < last:
            continue
        if row.entry_index is None:
            yield index, f"it is there, though the log was halted before it, and epoch {row.epoch} has not begun."
        elif index not in begun:
            yield index, f"the row of epoch {row.epoch} says that it begins here, and it does not."
        else:
            yield from ((index, words) for words in _compare_with_entry(begun[index].content(), row))
    for index in begun.keys() - {row.entry_index for row in rows}:
        yield index, "an epoch begins with it, and no row of this log says so."


def _compare_with_entry(body: dict[str, Any], row: HaltAndEpoch) -> Iterator[str]:
    if row.size != row.entry_index:
        yield f"the log was halted at {row.size} entries, by the row of the halt, and its epoch begins here."
    expected = {"epoch": row.epoch, "size": row.size, "halted_at": encode_timestamp(row.halted_at)}
    for member, value in expected.items():
        if body.get(member, value) != value:
            yield f"the row of the halt or of the epoch says {member} {value}; the entry says {body[member]}."


def check_epochs_beyond_end(log: Log, end: int, issues: IssueList) -> None:
    """Halts and epochs at indexes beyond the end of the log, which comparing the entries would not notice."""
    for row in _stored_halts_and_epochs(log):
        if row.entry_index is not None and row.entry_index >= end:
            words = f"begins with entry {row.entry_index}, by its row"
        elif row.size > end:
            words = f"follows a halt at {row.size} entries, by the row of the halt"
        else:
            continue
        issues.add("records", None, f"Epoch {row.epoch} {words}; the log has {end} entries.")


def _stored_halts_and_epochs(log: Log) -> list[HaltAndEpoch]:
    begins = dict(Epoch.objects.filter(log=log).values_list("number", "entry_index"))
    halts = Halt.objects.filter(log=log).values_list("epoch", "size", clamped_timestamp("halted_at")).order_by("epoch")
    return [HaltAndEpoch(epoch, size, halted_at, begins.get(epoch)) for epoch, size, halted_at in halts]
