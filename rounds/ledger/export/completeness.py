"""Completeness of feeds: which sequence numbers a range of a log has for each controller, and when a feed was silent.

The completeness page uses it for one table. A bundle states the same for every table; `verify_bundle.py` checks it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from django.db import connection

from rounds.ledger.models import Entry, Log
from rounds.ledger.storage import get_log
from rounds.transparency_log.offline.feed_completeness import QUARANTINED, RETURNED, SILENT, FeedTable, merge_run

# Limit on entries outside the range that are proved one by one. Beyond it, the numbers count as not shown.
MAX_RELATED_ENTRIES = 1_000
FEED_EVENT_KINDS = (SILENT, RETURNED, QUARANTINED)

# Gaps and islands: consecutive sequence numbers have the same difference from their row number.
SEQUENCE_RUNS_SQL = """
SELECT "table", controller, min(sequence), max(sequence) FROM (
    SELECT "table", controller, sequence,
        sequence - row_number() OVER (PARTITION BY "table", controller ORDER BY sequence) AS run
    FROM ledger_entry
    WHERE log_id = %(log)s AND index >= %(first)s AND index < %(end)s AND sequence IS NOT NULL AND "table" = %(table)s
) numbered GROUP BY "table", controller, run ORDER BY 1, 2, 3
"""
PREVIOUS_SEQUENCE_SQL = """
SELECT index FROM ledger_entry
WHERE log_id = %s AND "table" = %s AND controller = %s AND sequence < %s ORDER BY sequence DESC LIMIT 1
"""
SEQUENCES_BETWEEN_SQL = """
SELECT index FROM ledger_entry WHERE log_id = %s AND "table" = %s AND controller = %s AND sequence >= %s
AND sequence <= %s AND (index < %s OR index >= %s) ORDER BY sequence LIMIT %s
"""
# The last feed event before the range: a silence that began earlier may still last when the range begins.
LAST_FEED_EVENT_SQL = """
SELECT DISTINCT ON ("table", convert_from(body, 'UTF8')::jsonb ->> 'controller') index, kind FROM ledger_entry
WHERE log_id = %(log)s AND index < %(first)s AND kind = ANY (%(kinds)s)
    AND (%(table)s::text IS NULL OR "table" = %(table)s)
ORDER BY "table", convert_from(body, 'UTF8')::jsonb ->> 'controller', index DESC
"""


def feeds_between(log: str, table: str, first: int, end: int) -> FeedTable:
    """The feeds of one table in entries first..end-1, with the same related entries that a bundle would include."""
    stored, feeds = get_log(log), FeedTable()
    with connection.cursor() as cursor:
        cursor.execute(SEQUENCE_RUNS_SQL, {"log": stored.pk, "first": first, "end": end, "table": table})
        for name, controller, lowest, highest in cursor.fetchall():
            merge_run(feeds.feed_for(name, controller).runs, lowest, highest)
    feed_events = Entry.objects.filter(
        log=stored, index__gte=first, index__lt=end, kind__in=FEED_EVENT_KINDS, table=table
    )
    _add_entries(feeds, feed_events.order_by("index"))
    _add_entries(
        feeds,
        Entry.objects.filter(log=stored, index__in=related_entry_indexes(stored, feeds, first, end, table)),
        is_related=True,
    )
    return feeds


def _add_entries(feeds: FeedTable, entries: Iterable[Entry], *, is_related: bool = False) -> None:
    for entry in entries:
        facts = {name: getattr(entry, name) for name in ("kind", "table", "controller", "sequence")}
        feeds.add_entry(facts, bytes(entry.body).decode(errors="replace"), is_related=is_related)


def related_entry_indexes(log: Log, feeds: FeedTable, first: int, end: int, only_table: str | None = None) -> list[int]:
    """Indexes of entries outside first..end-1 that complete the picture of its feeds: the preceding sequence number,
    numbers in between that were recorded earlier or later, and the start of a silence that reaches into the range.
    """
    indexes: set[int] = set()
    with connection.cursor() as cursor:
        for (table, controller), feed in feeds.known.items():
            for begin, last in _gaps_to_look_up(feed.runs):
                room = MAX_RELATED_ENTRIES - len(indexes)
                if begin is None:
                    cursor.execute(PREVIOUS_SEQUENCE_SQL, [log.pk, table, controller, last + 1])
                else:
                    cursor.execute(SEQUENCES_BETWEEN_SQL, [log.pk, table, controller, begin, last, first, end, room])
                indexes.update(index for (index,) in cursor.fetchall())
        cursor.execute(
            LAST_FEED_EVENT_SQL, {"log": log.pk, "first": first, "kinds": [SILENT, RETURNED], "table": only_table}
        )
        indexes.update(index for index, kind in cursor.fetchall() if kind == SILENT)
    return sorted(indexes)


def _gaps_to_look_up(runs: Sequence[tuple[int, int]]) -> Iterator[tuple[int | None, int]]:
    """Sequence intervals to look up outside the range:
    below the first run only the nearest number (None), between two runs everything.
    """
    if runs and runs[0][0] > 1:
        yield None, runs[0][0] - 1
    for (_, before), (after, _) in pairwise(runs):
        yield before + 1, after - 1
