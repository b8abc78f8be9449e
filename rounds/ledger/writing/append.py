"""Appends entries: validate and hash them, lock the log's head, write them, in that order.

Call `append` last in a transaction: the lock is held until the commit and blocks every other writer of the log.
While planning, nothing is locked or written: the entries are added to the plan, with provisional indexes.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import Any

import msgspec
from django.db import DatabaseError, IntegrityError, connection, transaction
from psycopg.errors import UniqueViolation

from compliance.core.web.database.plan import Plan, current_plan
from rounds.ledger.entry import LogEntry
from rounds.ledger.entry_kinds import CORRECTION, require_registered_kind
from rounds.ledger.models import Log, Reversal
from rounds.ledger.read_only import LogReadOnly, is_read_only_error
from rounds.ledger.storage import stored_hashes, unknown_log_error
from rounds.transparency_log.errors import EntryError
from rounds.transparency_log.formats.leaf import encode_body, hash_leaf_parts, make_header
from rounds.transparency_log.formats.strict_json import validate_strict_object
from rounds.transparency_log.tree.merkle import Frontier
from rounds.transparency_log.tree.tiles import newly_full_tiles

# COPY is the fastest insert for batches of any size, even a single entry.
COPY_ENTRIES_SQL = """
COPY ledger_entry (log_id, index, kind, "table", controller, sequence, recorded_at, body, leaf_sha256)
FROM STDIN (FORMAT BINARY)
"""
COLUMN_TYPES = ("int4", "int8", "text", "text", "text", "int8", "timestamptz", "bytea", "bytea")

HEAD_SQL = """
SELECT head.log_id, head.frontier, EXISTS (
    SELECT FROM ledger_halt halt WHERE halt.log_id = log.id AND NOT EXISTS (
        SELECT FROM ledger_epoch epoch WHERE epoch.log_id = halt.log_id AND epoch.number = halt.epoch
    )
) FROM ledger_head head JOIN ledger_log log ON log.id = head.log_id
WHERE log.slug = %s
"""
LOCK_HEAD_SQL = f"{HEAD_SQL} FOR NO KEY UPDATE OF head"


class NewEntry(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An entry to append: a body as received, byte for byte, or from `make_entry` for the service's own entries.

    `again` is the body as a strict decoder encoded it again, if there was one: see `validate_strict_object`.
    """

    kind: str
    body: bytes
    table: str | None = None
    controller: str | None = None
    sequence: int | None = None
    again: bytes | None = None


class PreparedEntry(msgspec.Struct, frozen=True, gc=False):
    """A validated and hashed entry. The remaining work needs the log's lock."""

    entry: NewEntry
    recorded_at: datetime
    leaf_sha256: bytes


class Receipt(msgspec.Struct, frozen=True, gc=False):
    """The position at which an entry was appended, and its leaf hash."""

    log: str
    index: int
    leaf_sha256: bytes


class SequenceTaken(EntryError):
    """The log already has an entry with this (table, controller, sequence)."""


def make_entry(kind: str, body: Mapping[str, Any], table: str | None = None) -> NewEntry:
    """An entry with a body of the service's own, in canonical bytes."""
    return NewEntry(kind=kind, body=encode_body(body), table=table)


def open_log(slug: str, now: datetime) -> None:
    """Create the log and its partition. Idempotent."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_open_log(%s, %s)", [slug, now])


def append(log: str, entries: Sequence[NewEntry], now: datetime) -> list[Receipt]:
    """Append the entries, all or none, at the next indexes of the log."""
    return append_prepared(log, prepare_entries(log, entries, now))


def prepare_entries(log: str, entries: Sequence[NewEntry], now: datetime) -> list[PreparedEntry]:
    """Validate and hash the entries, before the log is locked."""
    return [prepare_entry(log, entry, now) for entry in entries]


def prepare_entry(log: str, entry: NewEntry, now: datetime) -> PreparedEntry:
    if entry.kind == CORRECTION:
        raise EntryError("not-a-correction", "A correction is recorded by correct(), with what it corrects.", "/kind")
    return _validate_and_hash(log, entry, now)


def append_prepared(log: str, prepared: Sequence[PreparedEntry]) -> list[Receipt]:
    _require_transaction()
    if not prepared:
        return []
    plan = current_plan()
    receipts = _append_to_log(log, prepared) if plan is None else _add_to_plan(plan, log, prepared)
    collected = _collected.get()
    if collected is not None:
        collected += receipts
    return receipts


_collected: ContextVar[list[Receipt] | None] = ContextVar("receipts", default=None)


@contextmanager
def collect_receipts() -> Iterator[list[Receipt]]:
    """Collects the receipts of all entries that are appended inside."""
    receipts: list[Receipt] = []
    reset = _collected.set(receipts)
    try:
        yield receipts
    finally:
        _collected.reset(reset)


def _add_to_plan(plan: Plan, log: str, prepared: Sequence[PreparedEntry]) -> list[Receipt]:
    _, frontier = _read_head(HEAD_SQL, log)
    first = frontier.size + sum(entry.log == log for entry in plan.entries)
    for index, one in enumerate(prepared, first):
        new = one.entry
        header = (str(new.kind), new.table, new.controller, new.sequence)
        plan.entries.append(LogEntry(log, index, *header, one.recorded_at, new.body, one.leaf_sha256))
    return [Receipt(log, index, one.leaf_sha256) for index, one in enumerate(prepared, first)]


def _append_to_log(log: str, prepared: Sequence[PreparedEntry]) -> list[Receipt]:
    log_id, frontier = _read_head(LOCK_HEAD_SQL, log)
    first = frontier.size
    leaves = [one.leaf_sha256 for one in prepared]
    _insert_entries(log_id, first, prepared)
    _insert_full_tiles(Log(pk=log_id, slug=log), first, leaves)
    frontier.extend(leaves)
    _update_head(log, log_id, frontier)
    return [Receipt(log, first + offset, leaf) for offset, leaf in enumerate(leaves)]


def lock_log(log: str) -> None:
    """Lock order: the log's head first, then other rows, as in append(). For transactions that update such rows before
    they append: the reverse order deadlocks with other writers.
    """
    _require_transaction()
    if current_plan() is None:
        _read_head(LOCK_HEAD_SQL, log)


def correct(log: str, corrected_index: int, body: Mapping[str, Any], now: datetime) -> Receipt:
    """Append a correction that takes an entry back. It states the reason and the person; at most one for each entry.

    If it is refused, its savepoint is rolled back, and the caller's transaction can continue without a trace of it.
    """
    _require_transaction()
    for member in ("reason", "by"):
        if not body.get(member):
            raise EntryError("no-reason", "A correction says why it is made and by whom.", f"/{member}")
    prepared = _validate_and_hash(log, make_entry(CORRECTION, {**body, "corrects": corrected_index}), now)
    with transaction.atomic():
        [receipt] = append_prepared(log, [prepared])
        if not 0 <= corrected_index < receipt.index:
            raise EntryError("nothing-to-correct", f"There is no entry {corrected_index} to correct.", "/corrects")
        _record_reversal(log, corrected_index, receipt.index)
    return receipt


def _record_reversal(log: str, corrected: int, correction: int) -> None:
    if current_plan() is not None and Reversal.objects.filter(log__slug=log, corrected_index=corrected).exists():
        raise _already_corrected(corrected)
    try:
        Reversal.objects.create(log=Log.objects.get(slug=log), corrected_index=corrected, correction_index=correction)
    except IntegrityError as error:
        raise _already_corrected(corrected) from error


def _already_corrected(index: int) -> EntryError:
    return EntryError("already-corrected", f"Entry {index} was taken back before.", "/corrects")


def _require_transaction() -> None:
    if not connection.in_atomic_block:
        raise RuntimeError("append() belongs inside the transaction of the act it records.")


def _validate_and_hash(log: str, entry: NewEntry, now: datetime) -> PreparedEntry:
    require_registered_kind(entry.kind)
    validate_strict_object(entry.body, entry.again)
    header = make_header(
        # msgspec encodes no subclass of str.
        kind=str(entry.kind),
        log=log,
        recorded_at=now,
        table=entry.table,
        controller=entry.controller,
        sequence=entry.sequence,
    )
    return PreparedEntry(entry, now, hash_leaf_parts(header, entry.body))


def _read_head(statement: str, log: str) -> tuple[int, Frontier]:
    with connection.cursor() as cursor:
        cursor.execute(statement, [log])
        row = cursor.fetchone()
    if row is None:
        raise unknown_log_error(log)
    log_id, frontier, is_read_only = row
    if is_read_only:
        raise LogReadOnly(log)
    return log_id, Frontier.from_bytes(bytes(frontier))


def _update_head(log: str, log_id: int, frontier: Frontier) -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE ledger_head SET size = %s, frontier = %s WHERE log_id = %s",
                [frontier.size, frontier.to_bytes(), log_id],
            )
    except DatabaseError as error:
        # The log was halted while this transaction waited for the lock.
        if is_read_only_error(error):
            raise LogReadOnly(log) from error
        raise


def _insert_entries(log_id: int, first: int, prepared: Sequence[PreparedEntry]) -> None:
    try:
        with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(COPY_ENTRIES_SQL) as rows:
            rows.set_types(COLUMN_TYPES)
            for index, one in enumerate(prepared, first):
                entry, at, leaf = one.entry, one.recorded_at, one.leaf_sha256
                header_columns = (entry.kind, entry.table, entry.controller, entry.sequence)
                rows.write_row((log_id, index, *header_columns, at, entry.body, leaf))
    except IntegrityError as error:
        if isinstance(error.__cause__, UniqueViolation) and "sequence" in (error.__cause__.diag.constraint_name or ""):
            raise SequenceTaken("sequence-taken", "This sequence number was used before.", "/sequence") from error
        raise


def _insert_full_tiles(log: Log, first: int, leaves: list[bytes]) -> None:
    rows = [
        (log.pk, tile.level, tile.index, tile.hashes, tile.root)
        for tile in newly_full_tiles(first, stored_hashes(log, first), leaves)
    ]
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO ledger_tile (log_id, level, index, hashes, root) VALUES (%s, %s, %s, %s, %s)", rows
            )
