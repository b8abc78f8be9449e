"""Facts in force at tables over a period, as tuples instead of model instances: the audit reads them for each block."""

import json
from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from django.db import connection

from rounds.floor.models import Fact, Table, Terminal

# Raw SQL, because building this query in the ORM takes longer than PostgreSQL takes to run it. The first part equals
# FactQuerySet.in_force at the start; the second adds every fact that took effect since.
FACTS_BETWEEN_SQL = """
WITH standing AS (
    SELECT fact.id, "table".slug AS "table", terminal.slug AS terminal, fact.name, value::text, effective_at,
        recorded_at, fact.entry_index
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
    """A fact of a table or, if `terminal` is set, of one of its terminals. `value` is JSON text."""

    id: int
    table: str
    terminal: str | None
    name: str
    value: str
    effective_at: datetime
    recorded_at: datetime
    entry_index: int

    def to_model(self) -> Fact:
        """An unsaved Fact with only the columns selected here."""
        return Fact(
            pk=self.id,
            table=Table(slug=self.table),
            name=self.name,
            value=json.loads(self.value),
            terminal=None if self.terminal is None else Terminal(slug=self.terminal),
            effective_at=self.effective_at,
            recorded_at=self.recorded_at,
            entry_index=self.entry_index,
        )


def fact_records_between(
    casino_id: int, tables: Collection[str], names: Collection[str], first: datetime, last: datetime
) -> list[FactRecord]:
    """Facts with these names that were in force at these tables at any time between two instants, both inclusive."""
    with connection.cursor() as cursor:
        cursor.execute(
            FACTS_BETWEEN_SQL,
            {"casino": casino_id, "tables": list(tables), "names": list(names), "first": first, "last": last},
        )
        return [FactRecord._make(row) for row in cursor.fetchall()]
