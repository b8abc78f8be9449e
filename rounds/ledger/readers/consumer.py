"""Consumers: an app receives each entry of a log once, in order. Its own rows and its cursor commit together."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet

from compliance.core.web.database.plan import current_plan
from rounds.ledger.entry import LogEntry
from rounds.ledger.models import Cursor, Entry, Head, Log
from rounds.ledger.read_only import open_halts
from rounds.ledger.storage import every_log, get_log
from rounds.transparency_log.errors import LedgerError

__all__ = [
    "ConsumerLag",
    "LogEntry",
    "consume",
    "consume_all",
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


Handler = Callable[[Sequence[LogEntry]], None]


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
    # Filter by the log's id instead of a join: PostgreSQL then opens only this log's partition.
    rows = Entry.objects.filter(log=log, index__gte=first, index__lt=last)
    if kinds is not None:
        rows = rows.filter(kind__in=kinds)
    return _entries_from_rows(log.slug, rows)


def _entries_from_rows(log: str, rows: QuerySet[Entry]) -> list[LogEntry]:
    """In order, without model instances: a consumer reads fifty thousand of them for a million wagers."""
    return [
        LogEntry(log, index, kind, table, controller, sequence, recorded_at, bytes(body), bytes(leaf_sha256))
        for index, kind, table, controller, sequence, recorded_at, body, leaf_sha256 in rows.order_by(
            "index"
        ).values_list("index", "kind", "table", "controller", "sequence", "recorded_at", "body", "leaf_sha256")
    ]


def read_entries_at(log: str, indexes: Collection[int]) -> list[LogEntry]:
    """The entries at these indexes, in order."""
    stored_log = get_log(log)
    return _entries_from_rows(log, Entry.objects.filter(log=stored_log, index__in=list(indexes)))


def read_table_entries(
    log: str, table: str, kinds: Collection[str], *, first: int = 0, recorded_from: datetime | None = None
) -> list[LogEntry]:
    """The table's entries of these kinds from index `first` on, in order."""
    rows = Entry.objects.filter(log=get_log(log), table=table, kind__in=kinds, index__gte=first)
    return _entries_from_rows(log, rows if recorded_from is None else rows.filter(recorded_at__gte=recorded_from))


def consume(consumer: str, log: str, handle: Handler, limit: int = 500, kinds: Collection[str] | None = None) -> int:
    """Pass the next entries to `handle` and move the cursor, in one transaction. Returns how many entries it moved.

    Indexes become visible in order, because the log is locked while they are assigned. If another process is running
    the same consumer, this one returns 0. With `kinds`, entries of other kinds are skipped. Nothing is consumed from a
    read-only log: consumers append, too. They continue where they were when it is writable again.
    """
    stored_log = get_log(log)
    return _consume_batch(consumer, stored_log, handle, limit, kinds, _consumable_end(stored_log))


def consume_all(
    consumer: str, logs: Iterable[str], handle: Handler, kinds: Collection[str] | None = None, limit: int = 500
) -> int:
    """Catch up with every log, however far behind.

    The end of each log is read once, at the start. A consumer that appends to the log it reads therefore terminates.
    Does nothing while planning.
    """
    if current_plan() is not None:
        return 0
    total = 0
    for log in logs:
        stored_log = get_log(log)
        end = _consumable_end(stored_log)
        while done := _consume_batch(consumer, stored_log, handle, limit, kinds, end):
            total += done
    return total


def _consumable_end(log: Log) -> int:
    """The index up to which entries can be consumed: 0 for a read-only log, because its consumers could not append."""
    halted = Exists(open_halts().filter(log=OuterRef("log")))
    size, is_read_only = Head.objects.values_list("size", halted).get(log=log)
    return 0 if is_read_only else size


def _consume_batch(
    consumer: str, log: Log, handle: Handler, limit: int, kinds: Collection[str] | None, end: int
) -> int:
    Cursor.objects.get_or_create(consumer=consumer, log=log)
    with transaction.atomic():
        cursor = (
            Cursor.objects.select_for_update(skip_locked=True, no_key=True).filter(consumer=consumer, log=log).first()
        )
        if cursor is None or cursor.next_index >= end:
            return 0
        first, last = cursor.next_index, min(end, cursor.next_index + limit)
        entries = _read_range(log, first, last, kinds)
        if kinds is None and len(entries) != last - first:
            raise LedgerError("entries-missing", f"Entries {first} to {last - 1} of {log.slug} are not all there.")
        if entries:
            handle(entries)
        Cursor.objects.filter(pk=cursor.pk).update(next_index=last)
        return last - first


def consumer_lags() -> list[ConsumerLag]:
    with connection.cursor() as cursor:
        cursor.execute(LAG_SQL)
        return [ConsumerLag(*row) for row in cursor.fetchall()]


def position_of(consumer: str, log: str) -> int:
    """The first index that the consumer has not handled yet."""
    return Cursor.objects.filter(consumer=consumer, log__slug=log).values_list("next_index", flat=True).first() or 0
