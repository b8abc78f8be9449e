"""Which of the controllers' numbers a stretch of a log has, what they follow, and when a feed was silent.

For the page that says so of one table; a bundle says the same of every table, and `verify_bundle.py` checks it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from django.db import connection

from rounds.ledger.models import Entry, Log
from rounds.ledger.offline.feeds import QUARANTINED, RETURNED, SILENT, Feeds, with_run
from rounds.ledger.stored import log_named

# Numbers that are elsewhere in the log are proved one by one; so many of a range, then the rest counts as not shown.
MOST_BESIDE = 1_000
TOLD = (SILENT, RETURNED, QUARANTINED)

# Numbers without a gap between them have the same distance from their place in the order.
RUNS = """
SELECT "table", controller, min(sequence), max(sequence) FROM (
    SELECT "table", controller, sequence,
        sequence - row_number() OVER (PARTITION BY "table", controller ORDER BY sequence) AS run
    FROM ledger_entry
    WHERE log_id = %(log)s AND index >= %(first)s AND index < %(end)s AND sequence IS NOT NULL AND "table" = %(table)s
) numbered GROUP BY "table", controller, run ORDER BY 1, 2, 3
"""
BELOW = """
SELECT index FROM ledger_entry
WHERE log_id = %s AND "table" = %s AND controller = %s AND sequence < %s ORDER BY sequence DESC LIMIT 1
"""
BETWEEN = """
SELECT index FROM ledger_entry WHERE log_id = %s AND "table" = %s AND controller = %s AND sequence >= %s
AND sequence <= %s AND (index < %s OR index >= %s) ORDER BY sequence LIMIT %s
"""
# What was last said of a feed before the range: it may still be silent when the range begins.
LAST_SAID = """
SELECT DISTINCT ON ("table", convert_from(body, 'UTF8')::jsonb ->> 'controller') index, kind FROM ledger_entry
WHERE log_id = %(log)s AND index < %(first)s AND kind = ANY (%(kinds)s)
    AND (%(table)s::text IS NULL OR "table" = %(table)s)
ORDER BY "table", convert_from(body, 'UTF8')::jsonb ->> 'controller', index DESC
"""


def feeds_between(log: str, table: str, first: int, end: int) -> Feeds:
    """Of one table in entries first..end-1, with what a bundle of them would have beside them."""
    stored, feeds = log_named(log), Feeds()
    with connection.cursor() as cursor:
        cursor.execute(RUNS, {"log": stored.pk, "first": first, "end": end, "table": table})
        for name, controller, lowest, highest in cursor.fetchall():
            with_run(feeds.of(name, controller).runs, lowest, highest)
    told = Entry.objects.filter(log=stored, index__gte=first, index__lt=end, kind__in=TOLD, table=table)
    _add(feeds, told.order_by("index"))
    _add(feeds, Entry.objects.filter(log=stored, index__in=beside(stored, feeds, first, end, table)), is_beside=True)
    return feeds


def _add(feeds: Feeds, entries: Iterable[Entry], *, is_beside: bool = False) -> None:
    for entry in entries:
        facts = {name: getattr(entry, name) for name in ("kind", "table", "controller", "sequence")}
        feeds.add(facts, bytes(entry.body).decode(errors="replace"), is_beside=is_beside)


def beside(log: Log, feeds: Feeds, first: int, end: int, only_table: str | None = None) -> list[int]:
    """The entries outside first..end-1 that show what the numbers in it follow, and numbers between them that came
    earlier or later; and silences that had begun before it."""
    found: set[int] = set()
    with connection.cursor() as cursor:
        for (table, controller), feed in feeds.known.items():
            for begin, last in _sought(feed.runs):
                room = MOST_BESIDE - len(found)
                if begin is None:
                    cursor.execute(BELOW, [log.pk, table, controller, last + 1])
                else:
                    cursor.execute(BETWEEN, [log.pk, table, controller, begin, last, first, end, room])
                found.update(index for (index,) in cursor.fetchall())
        cursor.execute(LAST_SAID, {"log": log.pk, "first": first, "kinds": [SILENT, RETURNED], "table": only_table})
        found.update(index for index, kind in cursor.fetchall() if kind == SILENT)
    return sorted(found)


def _sought(runs: Sequence[tuple[int, int]]) -> Iterator[tuple[int | None, int]]:
    """Below the first run the next number there is; between two, all that lie there."""
    if runs and runs[0][0] > 1:
        yield None, runs[0][0] - 1
    for (_, before), (after, _) in pairwise(runs):
        yield before + 1, after - 1
