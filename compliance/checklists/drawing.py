"""Which rounds a seed draws where all weigh the same: those with the smallest SHA-256 of “seed/entry”.

Whoever has the seed and the log draws the same rounds, with any tool that can count and hash.
"""

from dataclasses import dataclass, field
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
    weight: int = 1
    factors: tuple[str, ...] = ()


@dataclass(frozen=True)
class Drawn:
    """The rounds in the order of their hashes, and out of how many they were drawn.

    `by_weight` says how many rounds there were of each weight, `first_left_out` the smallest hash of a round that was
    not drawn; both where rounds weigh differently."""

    population: int
    rounds: tuple[DrawnRound, ...]
    by_weight: dict[int, int] = field(default_factory=dict)
    first_left_out: str = ""

    def as_weighed(self) -> dict[str, Any]:
        return {
            "rounds": [{"weight": one.weight, "factors": list(one.factors)} for one in self.rounds],
            "by_weight": [{"weight": weight, "rounds": self.by_weight[weight]} for weight in sorted(self.by_weight)],
            "sum": sum(weight * rounds for weight, rounds in self.by_weight.items()),
            "first_left_out_sha256": self.first_left_out,
        }


def count_rounds(sample: Sample) -> int:
    """Out of how many the sample is drawn. Says nothing about which."""
    with connection.cursor() as cursor:
        cursor.execute(COUNT, chosen_by(sample))
        [population] = cursor.fetchone()
    return int(population)


def draw_alike(sample: Sample) -> Drawn:
    with connection.cursor() as cursor:
        cursor.execute(DRAW, chosen_by(sample))
        rounds = tuple(DrawnRound(*row) for row in cursor.fetchall())
    return Drawn(count_rounds(sample), rounds)


def chosen_by(sample: Sample) -> dict[str, Any]:
    return {
        "log": sample.log, "since": sample.since, "until": sample.until, "up_to": sample.up_to,
        "tables": list(sample.tables), "seed": sample.seed, "size": sample.size,
    }  # fmt: skip
