"""Which blocks must be audited again when an entry arrives late or is taken back: those whose checks looked back at
it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from django.db import connection

from compliance.audit.models import BLOCK_ENTRIES, PackedRound, TimelineEvent
from compliance.audit.projections.rounds import StoredRound
from compliance.audit.run.evaluate_timeline import CHECKED_ENTRY_KINDS, look_back_periods_at
from rounds.intake.entry_kinds import ROUND
from rounds.ledger import LogEntry, readers

NO_UPPER_BOUND = 2**62
LATEST_BEFORE_SQL = """
SELECT named, greatest(
    (SELECT max(ended_at) FROM audit_packedround
     WHERE log = %(log)s AND "table" = named AND entry_index < %(first)s),
    (SELECT max(at) FROM audit_happening
     WHERE log = %(log)s AND "table" = named AND kind = ANY (%(kinds)s) AND entry_index < %(first)s)
) FROM unnest(%(tables)s::text[]) AS named
"""
BLOCKS_LOOKING_BACK_SQL = """
SELECT entry_index / %(block)s FROM audit_packedround
WHERE log = %(log)s AND (%(table)s IS NULL OR "table" = %(table)s) AND ended_at BETWEEN %(at)s AND %(until)s
    AND 'round' = ANY (%(kinds)s) AND entry_index < %(index)s
UNION SELECT entry_index / %(block)s FROM audit_happening
WHERE log = %(log)s AND (%(table)s IS NULL OR "table" = %(table)s) AND at BETWEEN %(at)s AND %(until)s
    AND kind = ANY (%(kinds)s) AND entry_index < %(index)s
"""


def blocks_affected_by_late_entries(
    entries: Sequence[LogEntry], rounds: Sequence[StoredRound], events: Sequence[TimelineEvent]
) -> Iterator[tuple[str, list[int]]]:
    """For each entry that arrived after later ones: the reason, and the numbers of the blocks to audit again."""
    log, first, last = entries[0].log, entries[0].index, entries[-1].index
    for index, after in readers.out_of_order_entries(log, first, last):
        yield f"Entry {index} is a line that came late.", [after // BLOCK_ENTRIES]
    for (table, kind), late in _late_entries(log, first, rounds, events).items():
        because = f"Entry {late[0][0]} says what happened earlier."
        instants = [at for _, at in late]
        yield because, _blocks_looking_back(log, table, kind, min(instants), max(instants), late[-1][0])


def _late_entries(
    log: str, first: int, rounds: Sequence[StoredRound], events: Sequence[TimelineEvent]
) -> dict[tuple[str, str], list[tuple[int, datetime]]]:
    """By table and kind: index and time of entries that happened before something already recorded.

    Rounds count by their end, because a table may send other lines before a round is over.
    """
    recorded = [(each.entry_index, each.table, each.kind, each.at) for each in events]
    recorded += [(each.index, each.table, ROUND, each.at) for each in rounds]
    latest = _latest_times(log, first, {table for _, table, _, _ in recorded})
    late: dict[tuple[str, str], list[tuple[int, datetime]]] = {}
    for index, table, kind, at in sorted(recorded):
        known = latest.get(table)
        if known is not None and at < known:
            late.setdefault((table, kind), []).append((index, at))
        elif kind == ROUND or kind in CHECKED_ENTRY_KINDS:
            latest[table] = at
    return late


def blocks_affected_by_round(log: str, index: int) -> list[int]:
    """Blocks with events that may have been checked by this round."""
    row = PackedRound.objects.get(log=log, entry_index=index)
    return _blocks_looking_back(log, row.table, ROUND, row.started_at, row.started_at, NO_UPPER_BOUND)


def blocks_affected_by_event(event: TimelineEvent) -> list[int]:
    """Blocks with rounds or events that may have been checked by this event."""
    at = event.at
    return _blocks_looking_back(event.log, event.table, event.kind, at, at, NO_UPPER_BOUND)


def _latest_times(log: str, first: int, tables: set[str]) -> dict[str, datetime | None]:
    with connection.cursor() as cursor:
        cursor.execute(
            LATEST_BEFORE_SQL,
            {"log": log, "first": first, "tables": sorted(tables), "kinds": sorted(CHECKED_ENTRY_KINDS)},
        )
        return dict(cursor.fetchall())


def _blocks_looking_back(
    log: str, table: str, kind: str, first_at: datetime, last_at: datetime, index: int
) -> list[int]:
    """Blocks with entries recorded before `index` that happened later, as far as any check looks back at this kind."""
    found: set[int] = set()
    with connection.cursor() as cursor:
        for look_back, kinds in look_back_periods_at(kind):
            span = {
                "log": log,
                "table": None if look_back.is_casino_wide else table,
                "at": first_at,
                "until": last_at + look_back.duration,
            }
            cursor.execute(
                BLOCKS_LOOKING_BACK_SQL, {**span, "block": BLOCK_ENTRIES, "kinds": sorted(kinds), "index": index}
            )
            found |= {number for (number,) in cursor.fetchall()}
    return sorted(found)
