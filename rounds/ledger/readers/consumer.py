"""Consumers: an app receives each entry of a log once, in order. Its own rows and its cursor commit together."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString

from django.db import connection, transaction
from django.db.models import Exists, OuterRef

from compliance.core.web.binary_rows import fetch_binary_rows
from compliance.core.web.database.plan import current_plan
from rounds.ledger.entry import LogEntry
from rounds.ledger.models import Cursor, Head, Log
from rounds.ledger.read_only import open_halts
from rounds.ledger.storage import every_log, get_log
from rounds.transparency_log.errors import LedgerError

__all__ = [
    "ConsumerLag",
    "LogEntry",
    "consume",
    "consume_all",
    "consume_kinds",
    "consumer_lags",
    "every_log",
    "position_of",
    "read_entries",
    "read_entries_at",
]

LAG_SQL = """
SELECT cursor.consumer, log.slug, head.size - cursor.next_index, entry.recorded_at
FROM ledger_cursor cursor JOIN ledger_log log ON log.id = cursor.log_id JOIN ledger_head head ON head.log_id = log.id
LEFT JOIN LATERAL (SELECT recorded_at FROM ledger_entry
                   WHERE log_id = cursor.log_id AND index = cursor.next_index) entry ON true
ORDER BY cursor.consumer, log.slug
"""
# Filtered by the log's id instead of a join: PostgreSQL then opens only this log's partition.
ENTRIES_SQL: LiteralString = """
SELECT index, kind, "table", controller, sequence, recorded_at, {body}, leaf_sha256
FROM ledger_entry WHERE log_id = %s
"""
KINDS_SQL: LiteralString = """
SELECT index, kind FROM ledger_entry WHERE log_id = %s AND index >= %s AND index < %s ORDER BY index
"""
LOCK_CURSOR_SQL = """
SELECT next_index FROM ledger_cursor WHERE log_id = %s AND consumer = %s FOR NO KEY UPDATE SKIP LOCKED
"""
MOVE_CURSOR_SQL = "UPDATE ledger_cursor SET next_index = %s WHERE log_id = %s AND consumer = %s"
# A consumer of few kinds passes over this many entries in one transaction.
MAX_ENTRIES_PASSED = 20_000

Handler = Callable[[Sequence[LogEntry]], None]
# Gets index and kind of some entries, and reads those that it needs. Returns the end of what it handled.
KindsHandler = Callable[[str, Sequence[tuple[int, str]]], int]
# (log, first, end) → the end of what was handled.
BatchHandler = Callable[[Log, int, int], int]


@dataclass(frozen=True)
class ConsumerLag:
    """How many entries a consumer has not handled yet, and when the oldest of them was recorded."""

    consumer: str
    log: str
    entries: int
    waiting_since: datetime | None


def read_entries(log: str, first: int, last: int, kinds: Collection[str] | None = None) -> list[LogEntry]:
    """Entries first..last-1 of the log, of all kinds or of the given ones."""
    return _read_range(get_log(log), first, last, kinds)


def _read_range(log: Log, first: int, last: int, kinds: Collection[str] | None) -> list[LogEntry]:
    query: LiteralString = " AND index >= %s AND index < %s"
    if kinds is None:
        return _fetch_entries(log, query, [first, last])
    return _fetch_entries(log, f"{query} AND kind = ANY (%s)", [first, last, list(kinds)])


def _fetch_entries(
    log: Log,
    condition: LiteralString,
    parameters: Sequence[Any],
    most: int | None = None,
    body_bytes: int | None = None,
) -> list[LogEntry]:
    """In order, in PostgreSQL's binary format: as text, every body would be sent and read as hexadecimal digits."""
    body: LiteralString = "body" if body_bytes is None else "substring(body FROM 1 FOR %s)"
    query: LiteralString = f"{ENTRIES_SQL.replace('{body}', body)}{condition} ORDER BY index LIMIT %s"
    every = [log.pk, *parameters, most] if body_bytes is None else [body_bytes, log.pk, *parameters, most]
    slug = log.slug
    return [LogEntry(slug, *row) for row in fetch_binary_rows(query, every)]


def read_entries_at(log: str, indexes: Collection[int]) -> list[LogEntry]:
    """The entries at these indexes, in order."""
    return _fetch_entries(get_log(log), " AND index = ANY (%s)", [list(indexes)])


def read_table_entries(
    log: str, table: str, kinds: Collection[str], *, first: int = 0, recorded_from: datetime | None = None
) -> list[LogEntry]:
    """The table's entries of these kinds from index `first` on, in order."""
    query: LiteralString = """ AND "table" = %s AND kind = ANY (%s) AND index >= %s"""
    parameters = [table, list(kinds), first]
    if recorded_from is None:
        return _fetch_entries(get_log(log), query, parameters)
    return _fetch_entries(get_log(log), f"{query} AND recorded_at >= %s", [*parameters, recorded_from])


def consume(consumer: str, log: str, handle: Handler, limit: int = 500, kinds: Collection[str] | None = None) -> int:
    """Pass the next entries to `handle` and move the cursor, in one transaction. Returns how many entries it moved.

    Indexes become visible in order, because the log is locked while they are assigned. If another process is running
    the same consumer, this one returns 0. With `kinds`, entries of other kinds are skipped. Nothing is consumed from a
    read-only log: consumers append, too. They continue where they were when it is writable again.
    """
    stored_log = get_log(log)
    return _consume_batch(consumer, stored_log, _entry_handler(handle, limit, kinds), _consumable_end(stored_log))


def consume_all(
    consumer: str,
    logs: Iterable[str],
    handle: Handler,
    kinds: Collection[str] | None = None,
    limit: int = 500,
    body_bytes: int | None = None,
) -> int:
    """Catch up with every log, however far behind. With `body_bytes`, each body is cut off after as many bytes.

    The end of each log is read once, at the start. A consumer that appends to the log it reads therefore terminates.
    Does nothing while planning.
    """
    if current_plan() is not None:
        return 0
    total = 0
    for log in logs:
        stored_log = get_log(log)
        end = _consumable_end(stored_log)
        while done := _consume_batch(consumer, stored_log, _entry_handler(handle, limit, kinds, body_bytes), end):
            total += done
    return total


def consume_kinds(consumer: str, log: str, handle: KindsHandler, limit: int) -> int:
    """Like `consume`, for a consumer that reads few entries itself: it gets index and kind of every entry."""

    def handle_batch(log: Log, first: int, end: int) -> int:
        last = min(end, first + limit)
        kinds = fetch_binary_rows(KINDS_SQL, [log.pk, first, last])
        if len(kinds) != last - first:
            raise _missing_entries_error(log, first, last)
        return handle(log.slug, kinds)

    if current_plan() is not None:
        return 0
    stored_log = get_log(log)
    return _consume_batch(consumer, stored_log, handle_batch, _consumable_end(stored_log))


def _consumable_end(log: Log) -> int:
    """The index up to which entries can be consumed: 0 for a read-only log, because its consumers could not append."""
    halted = Exists(open_halts().filter(log=OuterRef("log")))
    size, is_read_only = Head.objects.values_list("size", halted).get(log=log)
    return 0 if is_read_only else size


def _entry_handler(
    handle: Handler, limit: int, kinds: Collection[str] | None, body_bytes: int | None = None
) -> BatchHandler:
    def handle_entries(log: Log, first: int, end: int) -> int:
        last = min(end, first + (limit if kinds is None else max(limit, MAX_ENTRIES_PASSED)))
        if kinds is None:
            entries = _fetch_entries(log, " AND index >= %s AND index < %s", [first, last], None, body_bytes)
            if len(entries) != last - first:
                raise _missing_entries_error(log, first, last)
        else:
            query: LiteralString = " AND index >= %s AND index < %s AND kind = ANY (%s)"
            entries = _fetch_entries(log, query, [first, last, list(kinds)], limit, body_bytes)
            if len(entries) == limit:
                last = entries[-1].index + 1
        if entries:
            handle(entries)
        return last

    return handle_entries


def _missing_entries_error(log: Log, first: int, last: int) -> LedgerError:
    return LedgerError("entries-missing", f"Entries {first} to {last - 1} of {log.slug} are not all there.")


def _consume_batch(consumer: str, log: Log, handle: BatchHandler, end: int) -> int:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(LOCK_CURSOR_SQL, [log.pk, consumer])
        row = cursor.fetchone()
        if row is not None:
            [first] = row
            if first >= end:
                return 0
            last = handle(log, first, end)
            cursor.execute(MOVE_CURSOR_SQL, [last, log.pk, consumer])
            return last - int(first)
    # Another process has locked it, or it does not exist yet. Added in a transaction of its own, or another process
    # that adds it too would wait for the whole batch.
    _, is_new = Cursor.objects.get_or_create(consumer=consumer, log=log)
    return _consume_batch(consumer, log, handle, end) if is_new else 0


def consumer_lags() -> list[ConsumerLag]:
    with connection.cursor() as cursor:
        cursor.execute(LAG_SQL)
        return [ConsumerLag(*row) for row in cursor.fetchall()]


def position_of(consumer: str, log: str) -> int:
    """The first index that the consumer has not handled yet."""
    return Cursor.objects.filter(consumer=consumer, log__slug=log).values_list("next_index", flat=True).first() or 0
