"""Entries by the controller's sequence number, gaps in the numbers, and numbers that arrived out of order."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from rounds.ledger.storage import get_log

# One index range scan for each run of numbers; a batch is usually a single run. With a list of numbers PostgreSQL,
# which has few statistics on a young log, would compare every entry of the table. ORDER BY sequence makes it choose the
# unique index on the sequence.
ENTRIES_BY_SEQUENCE_SQL = """
SELECT entry.* FROM unnest(%s::bigint[], %s::bigint[]) AS run (first, last), LATERAL (
    SELECT sequence, index, kind, recorded_at, body, leaf_sha256 FROM ledger_entry
    WHERE log_id = %s AND "table" = %s AND controller = %s AND sequence >= run.first AND sequence <= run.last
    ORDER BY sequence
) entry
"""
MISSING_SEQUENCES_SQL = """
SELECT before + 1, sequence - 1 FROM (
    SELECT sequence, lag(sequence, 1, 0::bigint) OVER (ORDER BY sequence) AS before FROM ledger_entry
    WHERE log_id = %s AND "table" = %s AND controller = %s
) numbered WHERE sequence > before + 1 ORDER BY 1 LIMIT %s
"""
# A range mostly holds complete runs of numbers, so only their ends are looked up in the rest of the log.
OUT_OF_ORDER_SQL = """
WITH here AS (
    SELECT log_id, index, "table", controller, sequence,
        lead(sequence) OVER numbers AS next_sequence, lead(index) OVER numbers AS next_index
    FROM ledger_entry WHERE log_id = %s AND index >= %s AND index <= %s AND sequence IS NOT NULL
    WINDOW numbers AS (PARTITION BY "table", controller ORDER BY sequence)
)
SELECT late.index, after.index FROM here late JOIN ledger_entry after
    ON after.log_id = late.log_id AND after."table" = late."table" AND after.controller = late.controller
    AND after.sequence = late.sequence + 1 AND after.index < late.index
WHERE (late.next_sequence = late.sequence + 1 AND late.next_index > late.index) IS NOT TRUE ORDER BY 1
"""
# Whether a range holds anything but complete runs that continue the log's numbers. Numbers are unique, so minimum,
# maximum and count show it without sorting. MATERIALIZED, because PostgreSQL would otherwise scan the whole log by
# sequence.
HAS_GAPS_SQL = """
WITH here AS MATERIALIZED (
    SELECT "table", controller, min(sequence) AS lowest, max(sequence) AS highest, count(*) AS numbers
    FROM ledger_entry WHERE log_id = %(log)s AND index >= %(first)s AND index < %(last)s AND sequence IS NOT NULL
    GROUP BY "table", controller
)
SELECT EXISTS (
    SELECT FROM here WHERE highest - lowest + 1 <> numbers OR lowest > 1 AND NOT EXISTS (
        SELECT FROM ledger_entry before
        WHERE before.log_id = %(log)s AND before."table" = here."table" AND before.controller = here.controller
            AND before.sequence = here.lowest - 1
    )
)
"""
# The next lower number for each, anywhere in the log; 0 before the first.
GAPS_SQL = """
WITH here AS (
    SELECT log_id, index, "table", controller, sequence, recorded_at,
        lag(sequence) OVER (PARTITION BY "table", controller ORDER BY sequence) AS last_sequence
    FROM ledger_entry WHERE log_id = %s AND index >= %s AND index < %s AND sequence IS NOT NULL
)
SELECT late.index, late."table", late.controller, late.sequence, late.recorded_at, coalesce((
    SELECT max(before.sequence) FROM ledger_entry before
    WHERE before.log_id = late.log_id AND before."table" = late."table" AND before.controller = late.controller
        AND before.sequence < late.sequence
), 0) FROM here late
WHERE late.sequence > 1 AND late.last_sequence IS DISTINCT FROM late.sequence - 1 AND NOT EXISTS (
    SELECT FROM ledger_entry before
    WHERE before.log_id = late.log_id AND before."table" = late."table" AND before.controller = late.controller
        AND before.sequence = late.sequence - 1
) ORDER BY 1
"""


@dataclass(frozen=True, slots=True)
class SequenceGap:
    """Numbers after `after` and before `sequence` are missing from the log. `index` is the entry with `sequence`."""

    index: int
    table: str
    controller: str
    sequence: int
    recorded_at: datetime
    after: int


@dataclass(frozen=True, slots=True)
class SequencedEntry:
    sequence: int
    index: int
    kind: str
    recorded_at: datetime
    body: bytes
    leaf_sha256: bytes


def entries_by_sequence(log: str, table: str, controller: str, sequences: Collection[int]) -> dict[int, SequencedEntry]:
    """The entries that already use one of these numbers."""
    firsts, lasts = consecutive_runs(sequences)
    with connection.cursor() as cursor:
        cursor.execute(ENTRIES_BY_SEQUENCE_SQL, [firsts, lasts, get_log(log).pk, table, controller])
        rows = cursor.fetchall()
    return {
        sequence: SequencedEntry(sequence, index, kind, recorded_at, bytes(body), bytes(leaf))
        for sequence, index, kind, recorded_at, body, leaf in rows
    }


def consecutive_runs(numbers: Collection[int]) -> tuple[list[int], list[int]]:
    """First and last numbers of consecutive runs: 4, 5, 6 and 9 give 4 to 6 and 9 to 9."""
    ordered = sorted(set(numbers))
    breaks = [position for position in range(1, len(ordered)) if ordered[position] != ordered[position - 1] + 1]
    firsts, lasts = [0, *breaks], [*breaks, len(ordered)]
    return [ordered[position] for position in firsts if ordered], [
        ordered[position - 1] for position in lasts if ordered
    ]


def missing_sequences(log: str, table: str, controller: str, limit: int = 100) -> list[tuple[int, int]]:
    """The first gaps in a controller's numbers for a table, counted from 1: first and last number of each."""
    with connection.cursor() as cursor:
        cursor.execute(MISSING_SEQUENCES_SQL, [get_log(log).pk, table, controller, limit])
        return [(first, last) for first, last in cursor.fetchall()]


def out_of_order_entries(log: str, first: int, last: int) -> list[tuple[int, int]]:
    """Entries first..last that were recorded after their controller's next number, each with the index of that one."""
    with connection.cursor() as cursor:
        cursor.execute(OUT_OF_ORDER_SQL, [get_log(log).pk, first, last])
        return [(late, after) for late, after in cursor.fetchall()]


def sequence_gaps(log: str, first: int, last: int) -> list[SequenceGap]:
    """Entries first..last-1 whose preceding number is nowhere in the log."""
    stored = get_log(log).pk
    with connection.cursor() as cursor:
        cursor.execute(HAS_GAPS_SQL, {"log": stored, "first": first, "last": last})
        if cursor.fetchone() == (False,):
            return []
        cursor.execute(GAPS_SQL, [stored, first, last])
        return [SequenceGap(*row) for row in cursor.fetchall()]
