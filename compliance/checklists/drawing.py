"""Which rounds a seed draws: of all that could be drawn, those with the smallest SHA-256 of “seed/entry”.

Whoever has the seed and the log draws the same rounds, with any tool that can count and hash.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from compliance.checklists.models import Sample

COULD_BE_DRAWN = """
FROM audit_packedround
WHERE log = %(log)s AND started_at >= %(since)s AND started_at < %(until)s AND entry_index < %(up_to)s
  AND (taken_back_index IS NULL OR taken_back_index >= %(up_to)s)
  AND (cardinality(%(tables)s::text[]) = 0 OR "table" = ANY(%(tables)s))
"""
COUNT = f"SELECT count(*) {COULD_BE_DRAWN}"
DRAW = f"""
SELECT entry_index, "table", started_at {COULD_BE_DRAWN}
ORDER BY sha256(convert_to(%(seed)s || '/' || entry_index, 'UTF8')), entry_index LIMIT %(size)s
"""


@dataclass(frozen=True)
class DrawnRound:
    index: int
    table: str
    started_at: datetime


@dataclass(frozen=True)
class Drawn:
    """The rounds in the order of their hashes, and out of how many they were drawn."""

    population: int
    rounds: tuple[DrawnRound, ...]


def count_rounds(sample: Sample) -> int:
    """Out of how many the sample is drawn. Says nothing about which."""
    with connection.cursor() as cursor:
        cursor.execute(COUNT, _chosen(sample))
        [population] = cursor.fetchone()
    return int(population)


def draw_rounds(sample: Sample) -> Drawn:
    """Reads only: the same sample draws the same rounds whenever it is asked."""
    with connection.cursor() as cursor:
        cursor.execute(DRAW, _chosen(sample))
        rounds = tuple(DrawnRound(*row) for row in cursor.fetchall())
    return Drawn(count_rounds(sample), rounds)


def _chosen(sample: Sample) -> dict[str, Any]:
    return {
        "log": sample.log, "since": sample.since, "until": sample.until, "up_to": sample.up_to,
        "tables": list(sample.tables), "seed": sample.seed, "size": sample.size,
    }  # fmt: skip
