"""What held at tables between two instants, as rows and not as models: an audit asks before every stretch."""

import json
from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from django.db import connection

from rounds.floor.models import Fact, Table, Terminal

# By hand, because Django takes longer to write this down than PostgreSQL to answer it. First as FactQuerySet.in_force
# has it, then all that came into force since.
FACTS_BETWEEN_SQL = """
WITH standing AS (
    SELECT fact.id, "table".slug AS "table", terminal.slug AS terminal, fact.name, value::text, effective_at,
        recorded_at
    FROM floor_fact fact JOIN floor_table "table" ON "table".id = fact.table_id
        LEFT JOIN floor_terminal terminal ON terminal.id = fact.terminal_id
    WHERE fact.casino_id = %(casino)s AND "table".slug = ANY (%(tables)s) AND fact.name = ANY (%(names)s)
        AND effective_at <= %(last)s
        AND NOT EXISTS (SELECT FROM floor_takenback taken_back WHERE taken_back.fact_id = fact.id)
)
(
    SELECT DISTINCT ON ("table", terminal, name) * FROM standing WHERE effective_at <= %(first)s
    ORDER BY "table", terminal, name, effective_at DESC, recorded_at DESC, id DESC
)
UNION ALL (SELECT * FROM standing WHERE effective_at > %(first)s ORDER BY effective_at, recorded_at, id)
"""


class FactRecord(NamedTuple):
    """A fact of a table or, with one, of its terminal. `value` is JSON."""

    id: int
    table: str
    terminal: str | None
    name: str
    value: str
    effective_at: datetime
    recorded_at: datetime

    def to_model(self) -> Fact:
        """With what is said here, and nothing else."""
        return Fact(
            pk=self.id,
            table=Table(slug=self.table),
            name=self.name,
            value=json.loads(self.value),
            terminal=None if self.terminal is None else Terminal(slug=self.terminal),
            effective_at=self.effective_at,
            recorded_at=self.recorded_at,
        )


def fact_records_between(
    casino_id: int, tables: Collection[str], names: Collection[str], first: datetime, last: datetime
) -> list[FactRecord]:
    """Facts of these names that held at these tables at one time or another between two instants, both included."""
    with connection.cursor() as cursor:
        cursor.execute(
            FACTS_BETWEEN_SQL,
            {"casino": casino_id, "tables": list(tables), "names": list(names), "first": first, "last": last},
        )
        return [FactRecord._make(row) for row in cursor.fetchall()]
