"""The entries that a controller numbered: found by their numbers, and which numbers never came."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from rounds.ledger.storage import get_log

# By hand, run by run: a batch is one run of numbers, which is one descent of the index that keeps them single. Numbers
# in a list are compared with every entry of the table, while PostgreSQL knows too little of a young log to use it.
# In order, because that index has them so and no other.
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
# A stretch mostly holds whole runs of numbers: only the ends of these are looked for elsewhere in the log.
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
# Whether a stretch holds anything but whole runs of numbers that go on from what the log has: no number is there twice,
# so the lowest, the highest and how many there are tell it without sorting. Materialized, because PostgreSQL would else
# take the whole log by its numbers for a stretch of it.
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
# The highest number before each, wherever it is in the log; 0 before the first.
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
    """Numbers after `after` and before `sequence` that the log does not have. `index` is the entry after them."""

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
    """Those of the numbers that were used already, each with its entry."""
    firsts, lasts = consecutive_runs(sequences)
    with connection.cursor() as cursor:
        cursor.execute(ENTRIES_BY_SEQUENCE_SQL, [firsts, lasts, get_log(log).pk, table, controller])
        rows = cursor.fetchall()
    return {
        sequence: SequencedEntry(sequence, index, kind, recorded_at, bytes(body), bytes(leaf))
        for sequence, index, kind, recorded_at, body, leaf in rows
    }


def consecutive_runs(numbers: Collection[int]) -> tuple[list[int], list[int]]:
    """Where runs of numbers begin and where they end: 4, 5, 6 and 9 are 4 to 6 and 9 to 9."""
    ordered = sorted(set(numbers))
    breaks = [place for place in range(1, len(ordered)) if ordered[place] != ordered[place - 1] + 1]
    firsts, lasts = [0, *breaks], [*breaks, len(ordered)]
    return [ordered[place] for place in firsts if ordered], [ordered[place - 1] for place in lasts if ordered]


def missing_sequences(log: str, table: str, controller: str, limit: int = 100) -> list[tuple[int, int]]:
    """The first gaps among a controller's numbers for a table, counted from 1: first and last number of each."""
    with connection.cursor() as cursor:
        cursor.execute(MISSING_SEQUENCES_SQL, [get_log(log).pk, table, controller, limit])
        return [(first, last) for first, last in cursor.fetchall()]


def out_of_order_entries(log: str, first: int, last: int) -> list[tuple[int, int]]:
    """Those of entries first..last whose controller's next number came before them, each with that one's index."""
    with connection.cursor() as cursor:
        cursor.execute(OUT_OF_ORDER_SQL, [get_log(log).pk, first, last])
        return [(late, after) for late, after in cursor.fetchall()]


def sequence_gaps(log: str, first: int, last: int) -> list[SequenceGap]:
    """Those of entries first..last-1 whose controller's number before theirs is nowhere in the log."""
    stored = get_log(log).pk
    with connection.cursor() as cursor:
        cursor.execute(HAS_GAPS_SQL, {"log": stored, "first": first, "last": last})
        if cursor.fetchone() == (False,):
            return []
        cursor.execute(GAPS_SQL, [stored, first, last])
        return [SequenceGap(*row) for row in cursor.fetchall()]
