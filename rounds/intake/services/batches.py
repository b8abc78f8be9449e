"""Receiving a signed batch: its new lines become entries, all or none; what came before gets its receipt again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from django.db import connection

from rounds.floor.selectors import KeyHeld
from rounds.intake.arriving import Arrived
from rounds.intake.errors import ForeignTable, MalformedLines, SequenceConflict, with_problems
from rounds.intake.feeds import move_feeds, moves_by
from rounds.intake.reading import ReadLine, RefusedLine, read_lines, refuse
from rounds.intake.services.quarantine import CONFLICT_CODE, quarantine_lines
from rounds.ledger.appending import Prepared, Receipt, SequenceTaken
from rounds.ledger.combining import Beside, submit_prepared
from rounds.ledger.leaves import write_instant
from rounds.ledger.numbered import Numbered, numbered_entries

# Another connection may send the same lines at the same moment: what it brought is then found, and receipted.
TRIES = 5
Place = tuple[str, int]

# The batches of a turn at once, while the log is locked: see models/feed.py.
BATCH = "(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
INSERT_BATCHES = """
INSERT INTO intake_batch (log, first_index, entries, controller_id, key_id, sent_at_text, sent_at, received_at,
                          signature, line_digests)
VALUES {rows}
"""


class LineReceipt(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Where a line is kept: its index in the log and its leaf hash. A heart-beat is not kept and has neither."""

    line: int
    kind: str
    table: str
    sequence: int
    index: int | None = None
    recorded_at: str | None = None
    leaf_sha256: str | None = None
    inclusion_proof: list[str] | None = None


class _Kept(msgspec.Struct, frozen=True, gc=False):
    index: int
    kind: str
    recorded_at: str
    leaf_sha256: str
    body: bytes


def receive_batch(*, batch: Arrived, key: KeyHeld, now: datetime) -> list[LineReceipt]:
    """The batch's signature has been checked. Raises a refusal, after what it refuses was put into quarantine."""
    read, refused = read_lines(batch.lines, log=key.casino, controller=key.controller, now=now)
    foreign = [
        refuse(one, "foreign-table", f"The controller may not speak for the table {one.line.table}.", "/table")
        for one in read
        if one.line.table not in key.tables
    ]
    if refused or foreign:
        quarantine_lines(key=key, refused=[*refused, *foreign], now=now)
        problems = [one.as_problem() for one in sorted([*refused, *foreign], key=lambda one: one.number)]
        raise with_problems(MalformedLines() if refused else ForeignTable(_foreign_words(foreign)), problems)
    leaves = [one for one in read if one.prepared is not None]
    kept = _record_leaves(leaves, batch, key, now)
    _move_feeds_without_entries(read, leaves, kept, batch, key, now)
    return [_receipt(one, kept.places.get((one.line.table, one.line.sequence))) for one in read]


@dataclass(frozen=True)
class _Recorded:
    """`places` has every leaf of the batch; `brought_any`: whether some of them are new."""

    places: Mapping[Place, _Kept]
    brought_any: bool


def _record_leaves(leaves: Sequence[ReadLine], batch: Arrived, key: KeyHeld, now: datetime) -> _Recorded:
    for _ in range(TRIES):
        known = _known(leaves, key)
        conflicts = _conflicts(leaves, known)
        if conflicts:
            quarantine_lines(key=key, refused=conflicts, now=now)
            raise with_problems(SequenceConflict(), [one.as_problem() for one in conflicts])
        new = _new(leaves, known)
        if not new:
            return _Recorded(known, brought_any=False)
        prepared = [one.prepared for one in new if one.prepared is not None]
        try:
            receipts = submit_prepared(key.casino, prepared, Beside(_write_batches, _Brought(batch, key, new, now)))
        except SequenceTaken:
            continue
        return _Recorded({**known, **_kept_now(new, prepared, receipts, now)}, brought_any=True)
    raise SequenceConflict


def _known(leaves: Sequence[ReadLine], key: KeyHeld) -> dict[Place, _Kept]:
    """Which of these sequences the log has already, from whatever batch."""
    found: dict[Place, _Kept] = {}
    by_table: dict[str, set[int]] = {}
    for one in leaves:
        by_table.setdefault(one.line.table, set()).add(one.line.sequence)
    for table, sequences in sorted(by_table.items()):
        for sequence, entry in numbered_entries(key.casino, table, key.controller, sequences).items():
            found[table, sequence] = _kept(entry)
    return found


def _kept(entry: Numbered) -> _Kept:
    return _Kept(
        entry.index, entry.kind, write_instant(entry.recorded_at), entry.leaf_sha256.hex(), entry.body
    )  # fmt: skip


def _conflicts(leaves: Sequence[ReadLine], known: Mapping[Place, _Kept]) -> list[RefusedLine]:
    """Other bytes under a sequence that was used before, in the log or earlier in this batch."""
    conflicts: list[RefusedLine] = []
    here: dict[Place, bytes] = {}
    for one in leaves:
        place = (one.line.table, one.line.sequence)
        entry = known.get(place)
        if (entry.body if entry else here.setdefault(place, one.raw)) != one.raw:
            where = f"entry {entry.index} of the log" if entry else "another line of this batch"
            sentence = f"Sequence {one.line.sequence} of {one.line.table} is {where}, with other bytes."
            conflicts.append(refuse(one, CONFLICT_CODE, sentence, "/sequence", entry.index if entry else None))
    return conflicts


def _new(leaves: Sequence[ReadLine], known: Mapping[Place, _Kept]) -> list[ReadLine]:
    """Each new line once, even where the batch has it twice."""
    new = {(one.line.table, one.line.sequence): one for one in reversed(leaves)}
    return [one for place, one in reversed(new.items()) if place not in known]


@dataclass(frozen=True, slots=True)
class _Brought:
    """A batch, and those of its lines that the log did not have."""

    batch: Arrived
    key: KeyHeld
    new: Sequence[ReadLine]
    now: datetime


def _write_batches(brought: Sequence[tuple[_Brought, Sequence[Receipt]]]) -> None:
    """In the entries' own transaction: each batch's signature, and where its feeds stand."""
    rows: list[Any] = []
    for one, receipts in brought:
        batch, key = one.batch, one.key
        rows += (
            key.casino, receipts[0].index, len(receipts), key.controller_id, key.key_id, batch.sent_at_text,
            batch.sent_at, one.now, batch.signature, b"".join(batch.digests),
        )  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(INSERT_BATCHES.format(rows=", ".join([BATCH] * len(brought))), rows)
    move_feeds(
        move
        for one, _ in brought
        for move in moves_by(one.key, [each.line for each in one.new], sent_at=one.batch.sent_at, now=one.now)
    )


def _kept_now(
    new: Sequence[ReadLine], prepared: Sequence[Prepared], receipts: Sequence[Receipt], now: datetime
) -> dict[Place, _Kept]:
    recorded_at = write_instant(now)
    return {
        (one.line.table, one.line.sequence): _Kept(
            receipt.index, ready.entry.kind, recorded_at, receipt.leaf_sha256.hex(), one.raw
        )
        for one, ready, receipt in zip(new, prepared, receipts, strict=True)
    }


def _move_feeds_without_entries(
    read: Sequence[ReadLine], leaves: Sequence[ReadLine], kept: _Recorded, batch: Arrived, key: KeyHeld, now: datetime
) -> None:
    """Heart-beats, and lines that were there before: signs of life, though they bring no entry."""
    beats = [one.line for one in read if one.prepared is None]
    again = [] if kept.brought_any else [one.line for one in leaves]
    move_feeds(moves_by(key, beats, sent_at=batch.sent_at, now=now))
    move_feeds(moves_by(key, again, sent_at=batch.sent_at, now=now, are_new=False))


def _receipt(one: ReadLine, kept: _Kept | None) -> LineReceipt:
    line = one.line
    if kept is None:
        return LineReceipt(one.number, line.kind, line.table, line.sequence)
    return LineReceipt(
        one.number, kept.kind, line.table, line.sequence, kept.index, kept.recorded_at, kept.leaf_sha256
    )  # fmt: skip


def _foreign_words(foreign: Sequence[RefusedLine]) -> str:
    tables = ", ".join(sorted({one.table for one in foreign})[:5])
    return f"Nothing was recorded: the controller may not speak for {tables}. The lines are kept in quarantine."
