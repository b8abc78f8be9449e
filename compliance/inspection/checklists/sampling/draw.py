"""Population of a sample, and the result of a draw."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from compliance.inspection.checklists.models import Sample

ELIGIBLE_ROUNDS_SQL = """
log = %(log)s AND started_at >= %(since)s AND started_at < %(until)s AND entry_index < %(up_to)s
AND (taken_back_index IS NULL OR taken_back_index >= %(up_to)s)
AND (cardinality(%(tables)s::text[]) = 0 OR "table" = ANY(%(tables)s))
"""
POPULATION_SQL = f"""
SELECT count(*), coalesce(min(entry_index), 0), coalesce(max(entry_index) + 1, 0)
FROM audit_packedround WHERE {ELIGIBLE_ROUNDS_SQL}
"""  # noqa: S608 - both parts are of the source


@dataclass(frozen=True)
class Population:
    """Number of rounds that can be drawn, and the range of entries they are in: `first` up to `last`."""

    rounds: int
    first: int
    last: int


@dataclass(frozen=True)
class DrawnRound:
    index: int
    table: str
    started_at: datetime
    weight: int = 1
    factors: tuple[str, ...] = ()


@dataclass(frozen=True)
class DrawResult:
    """The drawn rounds in the order of their hashes, and the size of the population.

    `by_weight` is the number of rounds of each weight, `first_left_out` the smallest hash of a round that was not
    drawn.
    """

    population: int
    rounds: tuple[DrawnRound, ...]
    by_weight: dict[int, int]
    first_left_out: str

    def weights_body(self) -> dict[str, Any]:
        return {
            "rounds": [{"weight": one.weight, "factors": list(one.factors)} for one in self.rounds],
            "by_weight": [{"weight": weight, "rounds": self.by_weight[weight]} for weight in sorted(self.by_weight)],
            "sum": sum(weight * rounds for weight, rounds in self.by_weight.items()),
            "first_left_out_sha256": self.first_left_out,
        }


def population_of(sample: Sample) -> Population:
    """Does not depend on the seed, so that it reveals nothing about the draw."""
    with connection.cursor() as cursor:
        cursor.execute(POPULATION_SQL, sample_query_params(sample))
        return Population(*cursor.fetchone())


def sample_query_params(sample: Sample) -> dict[str, Any]:
    return {
        "log": sample.log,
        "since": sample.since,
        "until": sample.until,
        "up_to": sample.up_to,
        "tables": list(sample.tables),
    }
