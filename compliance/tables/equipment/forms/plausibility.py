"""Doubts about records at a table that cannot be right: a time before the table opened, a round it did not play."""

from dataclasses import replace
from datetime import datetime

from compliance.core.web.local_time import format_local
from rounds.floor.models import Table
from rounds.intake.entry_kinds import ROUND, TABLE_OPENED
from rounds.ledger import EntryQuery, search_entries

NEWEST_ROUNDS = 60


def doubts_about_opening(table: Table, at: datetime) -> list[str]:
    """For what happens only in play. Nothing if no opening is on record."""
    query = EntryQuery(table=table.slug, kind=TABLE_OPENED)
    openings = search_entries(table.casino.slug, query, limit=1).entries
    if not openings:
        return []
    opened_at = datetime.fromisoformat(openings[0].content()["at"])
    if at >= opened_at:
        return []
    return [f"{table} last opened on {format_local(opened_at, table.casino)}, after the time that you entered."]


def doubts_about_round(table: Table, name: str) -> list[str]:
    """The table may not have reported the round yet, so this is no error."""
    log, at_table = table.casino.slug, EntryQuery(table=table.slug, kind=ROUND)
    if not name:
        return []
    # The newest rounds may not be in the search index yet.
    named = search_entries(log, replace(at_table, round=name)).entries
    newest = search_entries(log, at_table, limit=NEWEST_ROUNDS).entries
    if any(entry.line_body().get("round") == name for entry in (*named, *newest)):
        return []
    return [f"No round {name} of {table} is on record."]
