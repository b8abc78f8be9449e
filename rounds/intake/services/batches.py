"""receive_batch(): appends the new lines of a signed batch, all or none. Idempotent: a resent line gets its receipt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from django.db import connection

from rounds.floor.selectors import ControllerIdentity
from rounds.intake.errors import ForeignTable, MalformedLines, SequenceConflict, add_line_problems
from rounds.intake.protocol.parse import ParsedLine, RejectedLine, parse_lines, reject_line
from rounds.intake.protocol.signed_batch import SignedBatch
from rounds.intake.services.feed_state import feed_updates, update_feeds
from rounds.intake.services.line_projections import (
    ProjectionNotWritten,
    prepare_projections,
    write_projections,
)
from rounds.intake.services.quarantine import CONFLICT_CODE, quarantine_lines
from rounds.ledger import encode_timestamp, readers, writing

# Retries if a concurrent request records the same sequences first; the next attempt finds its lines.
MAX_ATTEMPTS = 5
LineKey = tuple[str, int]

# One INSERT for all batches of a group commit, because the log is locked meanwhile. The columns are those of Batch.
BATCH_PLACEHOLDERS = "(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
INSERT_BATCHES = """
INSERT INTO intake_batch (log, first_index, entries, controller_id, key_id, sent_at_text, sent_at, received_at,
                          signature, line_digests)
VALUES {rows}
"""


class LineReceipt(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Receipt of a line: its index in the log and its leaf hash. A heartbeat is not recorded and has neither."""

    line: int
    kind: str
    table: str
    sequence: int
    index: int | None = None
    recorded_at: str | None = None
    leaf_sha256: str | None = None
    inclusion_proof: list[str] | None = None


class _StoredLine(msgspec.Struct, frozen=True, gc=False):
    index: int
    kind: str
    recorded_at: str
    leaf_sha256: str
    body: bytes


def receive_batch(*, batch: SignedBatch, key: ControllerIdentity, now: datetime) -> list[LineReceipt]:
    """Records a batch whose signature was verified. If any line is refused, quarantines these and raises a refusal;
    nothing of the batch is recorded then."""
    read, refused = parse_lines(batch.lines, log=key.casino, controller=key.controller, now=now)
    foreign = [
        reject_line(one, "foreign-table", f"The controller may not speak for the table {one.line.table}.", "/table")
        for one in read
        if one.line.table not in key.tables
    ]
    if refused or foreign:
        quarantine_lines(key=key, refused=[*refused, *foreign], now=now)
        problems = [one.as_problem() for one in sorted([*refused, *foreign], key=lambda one: one.number)]
        raise add_line_problems(MalformedLines() if refused else ForeignTable(_foreign_table_text(foreign)), problems)
    leaves = [one for one in read if one.prepared is not None]
    result = _record_lines(leaves, batch, key, now)
    _update_feeds_without_entries(read, leaves, result, batch, key, now)
    return [_line_receipt(one, result.stored_lines.get((one.line.table, one.line.sequence))) for one in read]


@dataclass(frozen=True)
class _RecordResult:
    """`stored_lines` has every line of the batch that is an entry; `has_new`: whether any was appended now."""

    stored_lines: Mapping[LineKey, _StoredLine]
    has_new: bool


def _record_lines(
    leaves: Sequence[ParsedLine], batch: SignedBatch, key: ControllerIdentity, now: datetime
) -> _RecordResult:
    are_projected = True
    for _ in range(MAX_ATTEMPTS):
        known = _already_recorded(leaves, key)
        conflicts = _find_conflicts(leaves, known)
        if conflicts:
            quarantine_lines(key=key, refused=conflicts, now=now)
            raise add_line_problems(SequenceConflict(), [one.as_problem() for one in conflicts])
        new = _new_lines(leaves, known)
        if not new:
            return _RecordResult(known, has_new=False)
        prepared = [one.prepared for one in new if one.prepared is not None]
        projected = prepare_projections(key.casino, [one.line for one in new]) if are_projected else []
        try:
            receipts = writing.append_batched(
                key.casino, prepared, writing.SideWrite(_write_batches, _NewBatch(batch, key, new, now, projected))
            )
        except writing.SequenceTaken:
            continue
        except ProjectionNotWritten:
            are_projected = False
            continue
        return _RecordResult({**known, **_newly_stored(new, prepared, receipts, now)}, has_new=True)
    raise SequenceConflict


def _already_recorded(leaves: Sequence[ParsedLine], key: ControllerIdentity) -> dict[LineKey, _StoredLine]:
    """The lines of which the log already has the sequence, from any batch."""
    found: dict[LineKey, _StoredLine] = {}
    by_table: dict[str, set[int]] = {}
    for one in leaves:
        by_table.setdefault(one.line.table, set()).add(one.line.sequence)
    for table, sequences in sorted(by_table.items()):
        for sequence, entry in readers.entries_by_sequence(key.casino, table, key.controller, sequences).items():
            found[table, sequence] = _stored_line(entry)
    return found


def _stored_line(entry: readers.SequencedEntry) -> _StoredLine:
    return _StoredLine(
        entry.index, entry.kind, encode_timestamp(entry.recorded_at), entry.leaf_sha256.hex(), entry.body
    )


def _find_conflicts(leaves: Sequence[ParsedLine], known: Mapping[LineKey, _StoredLine]) -> list[RejectedLine]:
    """Lines that reuse a sequence of the log, or of this batch, with different bytes."""
    conflicts: list[RejectedLine] = []
    in_batch: dict[LineKey, bytes] = {}
    for one in leaves:
        line_key = (one.line.table, one.line.sequence)
        entry = known.get(line_key)
        if (entry.body if entry else in_batch.setdefault(line_key, one.raw)) != one.raw:
            where = f"entry {entry.index} of the log" if entry else "another line of this batch"
            sentence = f"Sequence {one.line.sequence} of {one.line.table} is {where}, with other bytes."
            conflicts.append(reject_line(one, CONFLICT_CODE, sentence, "/sequence", entry.index if entry else None))
    return conflicts


def _new_lines(leaves: Sequence[ParsedLine], known: Mapping[LineKey, _StoredLine]) -> list[ParsedLine]:
    """Each new line once, even if the batch contains it twice."""
    new = {(one.line.table, one.line.sequence): one for one in reversed(leaves)}
    return [one for line_key, one in reversed(new.items()) if line_key not in known]


@dataclass(frozen=True, slots=True)
class _NewBatch:
    """A batch with those of its lines that are not in the log yet, and what the projections write for these."""

    batch: SignedBatch
    key: ControllerIdentity
    new: Sequence[ParsedLine]
    now: datetime
    projected: Sequence[Any]


def _write_batches(appended: Sequence[tuple[_NewBatch, Sequence[writing.Receipt]]]) -> None:
    """SideWrite of a group commit: stores the batches, updates their feeds and writes the projections of their lines in
    the transaction of the entries."""
    rows: list[Any] = []
    for one, receipts in appended:
        batch, key = one.batch, one.key
        rows += (
            key.casino,
            receipts[0].index,
            len(receipts),
            key.controller_id,
            key.key_id,
            batch.sent_at_text,
            batch.sent_at,
            one.now,
            batch.signature,
            b"".join(batch.digests),
        )
    with connection.cursor() as cursor:
        cursor.execute(INSERT_BATCHES.format(rows=", ".join([BATCH_PLACEHOLDERS] * len(appended))), rows)
    update_feeds(
        update
        for one, _ in appended
        for update in feed_updates(one.key, [each.line for each in one.new], sent_at=one.batch.sent_at, now=one.now)
    )
    log = appended[0][0].key.casino
    write_projections(log, [(receipts[0].index, one.projected) for one, receipts in appended])


def _newly_stored(
    new: Sequence[ParsedLine],
    prepared: Sequence[writing.PreparedEntry],
    receipts: Sequence[writing.Receipt],
    now: datetime,
) -> dict[LineKey, _StoredLine]:
    recorded_at = encode_timestamp(now)
    return {
        (one.line.table, one.line.sequence): _StoredLine(
            receipt.index, ready.entry.kind, recorded_at, receipt.leaf_sha256.hex(), one.raw
        )
        for one, ready, receipt in zip(new, prepared, receipts, strict=True)
    }


def _update_feeds_without_entries(
    read: Sequence[ParsedLine],
    leaves: Sequence[ParsedLine],
    result: _RecordResult,
    batch: SignedBatch,
    key: ControllerIdentity,
    now: datetime,
) -> None:
    """Updates the feeds for heartbeats and resent lines, which add no entry but show that the controller is alive."""
    heartbeats = [one.line for one in read if one.prepared is None]
    resent = [] if result.has_new else [one.line for one in leaves]
    update_feeds(feed_updates(key, heartbeats, sent_at=batch.sent_at, now=now))
    update_feeds(feed_updates(key, resent, sent_at=batch.sent_at, now=now, are_new=False))


def _line_receipt(one: ParsedLine, stored: _StoredLine | None) -> LineReceipt:
    line = one.line
    if stored is None:
        return LineReceipt(one.number, line.kind, line.table, line.sequence)
    return LineReceipt(
        one.number, stored.kind, line.table, line.sequence, stored.index, stored.recorded_at, stored.leaf_sha256
    )


def _foreign_table_text(foreign: Sequence[RejectedLine]) -> str:
    tables = ", ".join(sorted({one.table for one in foreign})[:5])
    return f"Nothing was recorded: the controller may not speak for {tables}. The lines are kept in quarantine."
