"""Which blocks must be audited again when an entry arrives late or is taken back: those whose checks looked back at
it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from django.db import connection

from compliance.audit.context import recorded_acts
from compliance.audit.context.entries_in_memory import DISPUTE_KINDS
from compliance.audit.context.promotion_file import PROMOTION_KINDS
from compliance.audit.context.round_groups import LIT_FIGURE
from compliance.audit.context.rules_in_force import approved_versions
from compliance.audit.context.stored_entries import StoredEntries
from compliance.audit.models import BLOCK_ENTRIES, PackedRound, TimelineEvent
from compliance.audit.projections.rounds import StoredRound
from compliance.audit.run.evaluate_timeline import CHECKED_ENTRY_KINDS, look_back_periods_at
from compliance.core.accounts.models import Casino
from rounds.floor.fact_catalogue import NAME_BY_VALUE_TYPE
from rounds.floor.fact_values import TableRulesValue
from rounds.floor.models import Fact
from rounds.intake import round_records
from rounds.intake.columns.round_encoding import NOT_REPORTED, decode_events_and_figures
from rounds.intake.entry_kinds import DISPUTE_PAID, ROUND
from rounds.ledger import LogEntry, read_entries_at, readers

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
# Rounds recorded after a round and compared with it: of the same name, or played at the same time.
BLOCKS_COMPARED_SQL = """
SELECT DISTINCT entry_index / %(block)s FROM audit_packedround
WHERE log = %(log)s AND "table" = %(table)s AND entry_index > %(index)s AND (
    (gaming_day = %(day)s AND round = %(round)s) OR (started_at < %(ended_at)s AND ended_at > %(started_at)s)
)
"""
NEXT_ROUNDS_SQL = """
SELECT DISTINCT next.entry_index / %(block)s FROM unnest(%(instants)s::timestamptz[]) AS late (at)
CROSS JOIN LATERAL (
    SELECT entry_index FROM audit_packedround
    WHERE log = %(log)s AND "table" = %(table)s AND ended_at > late.at AND entry_index < %(index)s
    ORDER BY ended_at LIMIT 1
) AS next
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
        if kind == ROUND:
            yield because, _blocks_of_next_rounds(log, table, [index for index, _ in late], late[-1][0])


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
    """Blocks with events that may have been checked by this round, or with rounds that were compared with it."""
    row = PackedRound.objects.get(log=log, entry_index=index)
    compared: dict[str, Any] = {
        "block": BLOCK_ENTRIES,
        "log": log,
        "table": row.table,
        "index": index,
        "day": row.gaming_day,
        "round": row.round,
        "started_at": row.started_at,
        "ended_at": row.ended_at,
    }
    with connection.cursor() as cursor:
        cursor.execute(BLOCKS_COMPARED_SQL, compared)
        numbers = [number for (number,) in cursor.fetchall()]
    looking_back = _blocks_looking_back(log, row.table, ROUND, row.started_at, row.started_at, NO_UPPER_BOUND)
    next_rounds = _blocks_of_next_rounds(log, row.table, [index], NO_UPPER_BOUND)
    return sorted({*numbers, *looking_back, *next_rounds})


def blocks_affected_by_event(event: TimelineEvent) -> list[int]:
    """Blocks with rounds or events that may have been checked by this event."""
    at = event.at
    return _blocks_looking_back(event.log, event.table, event.kind, at, at, NO_UPPER_BOUND)


def blocks_of_same_file(event: TimelineEvent) -> list[int]:
    """Blocks of the other entries of a dispute or promotion, which are checked by each other, and of the round that a
    payment after a dispute was for."""
    if event.kind not in DISPUTE_KINDS and event.kind not in PROMOTION_KINDS:
        return []
    [entry] = read_entries_at(event.log, [event.entry_index])
    source, content = StoredEntries(Casino.objects.get(slug=event.log)), entry.content()
    if event.kind in DISPUTE_KINDS:
        indexes = {each.index for each in source.dispute_entries(content["dispute"])}
        indexes |= {content["corrects"]} if event.kind == DISPUTE_PAID else set()
    else:
        number = content.get("promotion") or source.promotion_of_claim(content["claim"])
        indexes = {each.index for each in source.promotion_entries(number)} if number else set()
    return sorted({index // BLOCK_ENTRIES for index in indexes})


def _latest_times(log: str, first: int, tables: set[str]) -> dict[str, datetime | None]:
    with connection.cursor() as cursor:
        cursor.execute(
            LATEST_BEFORE_SQL,
            {"log": log, "first": first, "tables": sorted(tables), "kinds": sorted(CHECKED_ENTRY_KINDS)},
        )
        return dict(cursor.fetchall())


def _blocks_of_next_rounds(log: str, table: str, rounds: Sequence[int], index: int) -> list[int]:
    """Blocks of the first round after each of these, recorded before `index`: it is checked against the lights of the
    round that was played before it. Rounds that report no lights have no such effect."""
    rows = list(PackedRound.objects.filter(log=log, entry_index__in=rounds).values_list("ended_at", "events"))
    if not rows:
        return []
    figures = decode_events_and_figures([bytes(events) for _, events in rows])[1]
    lit = zip(rows, figures[:, LIT_FIGURE].tolist(), strict=True)
    instants = [ended_at for (ended_at, _), areas in lit if areas != NOT_REPORTED]
    if not instants:
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            NEXT_ROUNDS_SQL,
            {"log": log, "table": table, "instants": instants, "block": BLOCK_ENTRIES, "index": index},
        )
        return sorted(number for (number,) in cursor.fetchall())


def _blocks_looking_back(
    log: str, table: str, kind: str, first_at: datetime, last_at: datetime, index: int
) -> list[int]:
    """Blocks with entries recorded before `index` that happened later, as far as any check looks back at this kind."""
    found: set[int] = set()
    with connection.cursor() as cursor:
        for look_back, kinds in look_back_periods_at(kind):
            if look_back is recorded_acts.EARLIER_ROUNDS and not _asks_for_warnings(log, table):
                continue
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


def _asks_for_warnings(log: str, table: str) -> bool:
    """Whether the table was ever under rules by which a round's findings depend on earlier rounds of the day."""
    versions = approved_versions(Casino.objects.get(slug=log))
    rules = {each.governing.rules for each in versions if round_records.has_warnings(each.pack)}
    name = NAME_BY_VALUE_TYPE[TableRulesValue]
    stated = Fact.objects.filter(casino__slug=log, table__slug=table, name=name, value__rules__in=rules)
    return bool(rules) and stated.exists()
