"""Checks of rounds against each other: a name used twice, and rounds of one table that overlap.

No document asks for these. A feed that contradicts itself cannot be relied on for what documents ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import groupby
from typing import Any

import numpy as np
from django.db import connection

from compliance.audit.catalogue import table_codes as codes
from compliance.audit.catalogue.finding_code import FindingCode
from compliance.audit.checks.feed import feed_draft
from compliance.audit.checks.shared.check_types import AuditRange, RangeCheck
from compliance.audit.context.entry_source import EntrySource, RoundSummary
from compliance.audit.context.finding_draft import FindingDraft
from compliance.audit.context.rules_in_force import Indexes
from compliance.audit.context.stored_entries import StoredEntries
from compliance.tables.signs.consumer import CLOCK_TOLERANCE
from rounds.intake.columns.round_encoding import (
    EVENT_INDEX,
    NO_TIME,
    Flags,
    Instants,
    decode_events,
    from_microseconds,
)
from rounds.intake.protocol.manual_lines import IMPORT_PREFIX
from rounds.ledger import LogEntry

# The first of these shows the result: until then no other round can begin at the table.
RESULT_EVENTS = [EVENT_INDEX[name] for name in ("uncovered", "drawn", "result-called", "result-entered", "areas-lit")]
LONGEST_ROUND = timedelta(days=1)
MICROSECOND = timedelta(microseconds=1)
REPEATED_NAMES_SQL = """
SELECT array_agg(entry_index ORDER BY entry_index) FROM audit_packedround
WHERE log = %(log)s AND entry_index < %(last)s AND taken_back_index IS NULL AND ("table", gaming_day) IN (
    SELECT DISTINCT "table", gaming_day FROM audit_packedround
    WHERE log = %(log)s AND entry_index >= %(first)s AND entry_index < %(last)s
)
GROUP BY "table", gaming_day, round HAVING count(*) > 1
"""
ROUNDS_BEFORE_SQL = """
SELECT named, events FROM unnest(%(tables)s::text[], %(starts)s::timestamptz[], %(ends)s::timestamptz[])
    AS span (named, first_at, last_at)
JOIN audit_packedround ON log = %(log)s AND "table" = named AND ended_at > first_at AND started_at < last_at
    AND entry_index < %(first)s AND taken_back_index IS NULL
"""


def rounds_by_table(rounds: Iterable[RoundSummary]) -> Iterator[tuple[str, list[RoundSummary]]]:
    for table, own in groupby(sorted(rounds, key=lambda each: (each.table, each.index)), lambda each: each.table):
        yield table, list(own)


def round_label(played: RoundSummary) -> str:
    return f"Round {played.round} of {played.table}"


def _draft(code: FindingCode, played: RoundSummary, other: RoundSummary) -> FindingDraft:
    return feed_draft(
        code,
        played.index,
        played.table,
        played.started_at,
        evidence=[other.index],
        what=round_label(played),
        found=f"entry {other.index}" if code is codes.FEED_ROUND_NAME else f"round {other.round}",
    )


# --- Names ----------------------------------------------------------------------------------------------------------


def check_names(source: EntrySource, rounds: Sequence[RoundSummary]) -> Iterator[FindingDraft]:
    """FEED-ROUND-NAME, at a round whose name an earlier entry of its table and gaming day has."""
    for table, own in rounds_by_table(rounds):
        days = [each.gaming_day for each in own]
        first: dict[tuple[object, str], RoundSummary] = {}
        for each in sorted(source.rounds([table], days=(min(days), max(days))), key=lambda each: each.index):
            first.setdefault((each.gaming_day, each.round), each)
        for played in own:
            earlier = first[played.gaming_day, played.round]
            if earlier.index < played.index:
                yield _draft(codes.FEED_ROUND_NAME, played, earlier)


def _check_stored_names(audit_range: AuditRange) -> Iterator[FindingDraft]:
    if not len(audit_range.columns.indexes):
        return
    with connection.cursor() as cursor:
        cursor.execute(
            REPEATED_NAMES_SQL, {"log": audit_range.log, "first": audit_range.first, "last": audit_range.last}
        )
        repeated = [index for (indexes,) in cursor.fetchall() for index in indexes[1:] if index >= audit_range.first]
    if repeated:
        source = StoredEntries(audit_range.casino)
        yield from check_names(source, source.rounds(audit_range.columns.tables, indexes=repeated))


# --- Overlaps -------------------------------------------------------------------------------------------------------


def check_overlaps(source: EntrySource, rounds: Sequence[RoundSummary]) -> Iterator[FindingDraft]:
    """FEED-ROUND-OVERLAP, at the later recorded of two rounds of a table: each began before the other had a result.
    Only rounds of controllers, because times on paper and in files are less exact."""
    for table, own in rounds_by_table(rounds):
        earliest, latest = min(each.started_at for each in own), max(each.ended_at for each in own)
        others = source.rounds([table], started=(earliest - LONGEST_ROUND, latest))
        found = dict(_earlier_overlaps(others, {each.index for each in own}))
        indexes = sorted({each.index for pair in found.items() for each in (pair[0], *pair[1])})
        entries = {entry.index: entry for entry in source.entries_at(indexes)}
        for played, overlapped in found.items():
            other = next((each for each in overlapped if _is_overlap(played, each, entries)), None)
            if other is not None:
                yield _draft(codes.FEED_ROUND_OVERLAP, played, other)


def _earlier_overlaps(
    rounds: Sequence[RoundSummary], subjects: set[int]
) -> Iterator[tuple[RoundSummary, list[RoundSummary]]]:
    """For each subject, the earlier recorded rounds that overlap it, in log order. `rounds` are in order of play."""
    events = decode_events([each.events for each in rounds])
    starts, results = events.min(axis=1), _result_times(events)
    latest = np.maximum.accumulate(results)
    for place, played in enumerate(rounds):
        if played.index in subjects:
            first = int(np.searchsorted(latest, starts[place], side="right"))
            last = int(np.searchsorted(starts, results[place], side="left"))
            near = (rounds[other] for other in range(first, last) if results[other] > starts[place])
            earlier = sorted((each for each in near if each.index < played.index), key=lambda each: each.index)
            if earlier:
                yield played, earlier


def _is_overlap(played: RoundSummary, other: RoundSummary, entries: Mapping[int, LogEntry]) -> bool:
    """Clocks of two controllers may differ a little, so a short overlap of their rounds is none."""
    one, two = entries[played.index].controller, entries[other.index].controller
    if one is None or two is None or one.startswith(IMPORT_PREFIX) or two.startswith(IMPORT_PREFIX):
        return False
    events = decode_events([played.events, other.events])
    shared = int(_result_times(events).min() - events.min(axis=1).max()) * MICROSECOND
    return one == two or shared > CLOCK_TOLERANCE


def _result_times(events: Instants) -> Instants:
    """When the result of each round was shown; its last event where none of RESULT_EVENTS was reported."""
    shown: Instants = events[:, RESULT_EVENTS].min(axis=1)
    last: Instants = np.where(events == NO_TIME, 0, events).max(axis=1)
    found: Instants = np.where(shown == NO_TIME, last, shown)
    return found


def _check_stored_overlaps(audit_range: AuditRange) -> Iterator[FindingDraft]:
    columns = audit_range.columns
    if not len(columns.indexes):
        return
    before, suspected = _events_before(audit_range), list[int]()
    for number, table in enumerate(columns.tables):
        own = np.flatnonzero(columns.table_of == number)
        events = np.concatenate([columns.events[own], decode_events(before.get(table, []))])
        are_suspected = _may_overlap(events)[: len(own)]
        suspected += columns.indexes[own[are_suspected]].tolist()
    if suspected:
        source = StoredEntries(audit_range.casino)
        yield from check_overlaps(source, source.rounds(columns.tables, indexes=suspected))


def _events_before(audit_range: AuditRange) -> dict[str, list[bytes]]:
    """By table, the encoded events of rounds recorded before the range that were played at the same time."""
    columns = audit_range.columns
    played = [columns.table_of == number for number in range(len(columns.tables))]
    span: dict[str, Any] = {
        "log": audit_range.log,
        "first": audit_range.first,
        "tables": list(columns.tables),
        "starts": [from_microseconds(int(columns.started_at[own].min())) for own in played],
        "ends": [from_microseconds(int(columns.ended_at[own].max())) for own in played],
    }
    found: dict[str, list[bytes]] = {}
    with connection.cursor() as cursor:
        cursor.execute(ROUNDS_BEFORE_SQL, span)
        for table, events in cursor.fetchall():
            found.setdefault(table, []).append(bytes(events))
    return found


def _may_overlap(events: Instants) -> Flags:
    """Whether each round began before an earlier one had its result, or had its result after a later one began."""
    starts, results = events.min(axis=1), _result_times(events)
    order: Indexes = np.argsort(starts, kind="stable")
    starts, results = starts[order], results[order]
    found = np.zeros(len(events), np.bool_)
    found[order[1:]] = starts[1:] < np.maximum.accumulate(results)[:-1]
    found[order[:-1]] |= results[:-1] > starts[1:]
    return found


RANGE_CHECKS = (
    RangeCheck(frozenset({codes.FEED_ROUND_NAME}), _check_stored_names),
    RangeCheck(frozenset({codes.FEED_ROUND_OVERLAP}), _check_stored_overlaps),
)
