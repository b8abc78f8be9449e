"""The projection of rounds as columns: written by the audit's consumer, verified by `verify_ledger`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

import msgspec
import structlog
from django.db import connection

from compliance.audit.models import OpenedStreak, PackedRound
from compliance.core.web.binary_rows import fetch_binary_rows
from rounds.intake.columns import round_encoding
from rounds.intake.entry_kinds import CONTROLLER_CORRECTION, ROUND
from rounds.intake.protocol.envelope import parse_line
from rounds.intake.protocol.errors import MalformedLine
from rounds.intake.protocol.manual_lines import read_manual_line
from rounds.intake.protocol.round import Round
from rounds.ledger import LogEntry, position_of, readers
from rounds.ledger import entry_kinds as ledger_kinds

logger = structlog.get_logger(__name__)

CONSUMER = "audit"
ROUND_KINDS = frozenset({ROUND})
CORRECTION_KINDS = frozenset({ledger_kinds.CORRECTION, CONTROLLER_CORRECTION})
# Small enough to stay in the processor's cache while encoding.
COMPARE_BATCH_SIZE = 100
COLUMNS = (
    "table", "round", "gaming_day", "started_at", "ended_at", "outcome", "tumbles", "is_plain", "is_void",
    "have_lights_failed", "events", "wagers",
)  # fmt: skip
# Log, entry index, and COLUMNS.
RoundRow: TypeAlias = tuple[Any, ...]
ENDED_AT_COLUMN = 2 + COLUMNS.index("ended_at")
COPY_ROUNDS_SQL = """
COPY audit_packedround
    (log, entry_index, "table", round, gaming_day, started_at, ended_at, outcome, tumbles, is_plain, is_void,
     have_lights_failed, events, wagers)
FROM STDIN (FORMAT BINARY)
"""
STORED_ROUNDS_SQL = """
SELECT log, entry_index, "table", round, gaming_day, started_at, ended_at, outcome, tumbles, is_plain, is_void,
    have_lights_failed, events, wagers
FROM audit_packedround WHERE log = %s AND entry_index >= %s AND entry_index < %s
"""
COLUMN_TYPES = (
    "text", "int8", "text", "text", "date", "timestamptz", "timestamptz", "int2", "int4", "bool", "bool", "bool",
    "bytea", "bytea",
)  # fmt: skip


@dataclass(frozen=True)
class StoredRound:
    """A round that was stored: its entry, its table, and its end."""

    index: int
    table: str
    at: datetime


def round_from_entry(entry: LogEntry) -> Round | None:
    """The round that an entry reports, from a controller, paper or a file. None where it cannot be parsed; intake
    refuses such lines."""
    try:
        manual = read_manual_line(entry)
        body = manual[1] if manual else parse_line(entry.body).body
    except (MalformedLine, msgspec.ValidationError) as problem:
        logger.error("round_not_readable", log=entry.log, index=entry.index, problem=str(problem))
        return None
    return body if isinstance(body, Round) else None


def rounds_from_entries(entries: Iterable[LogEntry]) -> list[tuple[LogEntry, Round]]:
    read = ((entry, round_from_entry(entry)) for entry in entries if entry.kind in ROUND_KINDS)
    return [(entry, played) for entry, played in read if played is not None]


def encode_rows(rounds: Sequence[tuple[LogEntry, Round]]) -> Iterator[RoundRow]:
    """Log, index and COLUMNS of each round, as tuples. Model instances would be too slow for thousands of rounds."""
    bodies = [played for _, played in rounds]
    laid_at = round_encoding.wager_placed_times(bodies)
    packed, first = round_encoding.encode_wagers_placed_at(bodies, laid_at), 0
    for (entry, played), wagers in zip(rounds, packed, strict=True):
        last = first + len(played.wagers)
        times = round_encoding.encoded_event_times(played)
        ordered = sorted(times)
        last_event = ordered[len(times) - 1 - times.count(round_encoding.NO_TIME)]
        ended = max(last_event, *laid_at[first:last]) if last > first else last_event
        first = last
        yield (
            entry.log,
            entry.index,
            entry.table or "",
            played.round,
            played.gaming_day,
            round_encoding.from_microseconds(ordered[0]),
            round_encoding.from_microseconds(ended),
            round_encoding.encode_outcome(played),
            round_encoding.tumble_count(played),
            round_encoding.is_fully_encoded_round(played),
            played.no_result is not None,
            round_encoding.have_lights_failed(played),
            round_encoding.encode_event_times(played, times),
            wagers,
        )


def store_rounds(entries: Iterable[LogEntry]) -> list[StoredRound]:
    """Stores the rounds among these entries, and returns them."""
    rounds = rounds_from_entries(entries)
    rows = list(encode_rows(rounds))
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(COPY_ROUNDS_SQL) as copied:
        copied.set_types(COLUMN_TYPES)
        for row in rows:
            copied.write_row(row)
    OpenedStreak.objects.bulk_create(streak for entry, played in rounds for streak in opened_streaks(entry, played))
    return [StoredRound(row[1], row[2], row[ENDED_AT_COLUMN]) for row in rows]


def opened_streaks(entry: LogEntry, played: Round) -> Iterator[OpenedStreak]:
    for wager in played.wagers:
        if wager.verdict == "open" and wager.bet in round_encoding.STREAK_BET_CODES:
            yield OpenedStreak(
                log=entry.log,
                entry_index=entry.index,
                table=entry.table or "",
                wager=wager.id,
                gaming_day=played.gaming_day,
            )


def corrected_index(entry: LogEntry) -> int | None:
    """The index of the entry that a correction takes back; None for other entries."""
    if entry.kind == ledger_kinds.CORRECTION:
        return int(entry.content()["corrects"])
    if entry.kind == CONTROLLER_CORRECTION:
        sequence = entry.content()["body"]["corrects"]
        found = readers.entries_by_sequence(entry.log, entry.table or "", entry.controller or "", [sequence])
        return found[sequence].index if sequence in found else None
    return None


def revoke_round(correction: LogEntry, index: int) -> bool:
    """Marks a round as taken back, so that it is no longer audited. False where the entry is not a round."""
    rounds = PackedRound.objects.filter(log=correction.log, entry_index=index, taken_back_index=None)
    return bool(rounds.update(taken_back_index=correction.index))


def verify_rows(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int, str]]:
    """For `verify_ledger`: the stored columns compared with the rounds encoded again."""
    stored = {row[1]: row for row in fetch_binary_rows(STORED_ROUNDS_SQL, [log, first, last])}
    end = position_of(CONSUMER, log)
    for start in range(0, len(entries), COMPARE_BATCH_SIZE):
        some = entries[start : start + COMPARE_BATCH_SIZE]
        for packed in encode_rows(rounds_from_entries(entry for entry in some if entry.index < end)):
            row = stored.pop(packed[1], None)
            if row is None:
                yield packed[1], "the round's columns are gone."
            elif packed != row:
                yield packed[1], "the round's columns now say something else."
    for index in stored:
        yield index, "a round's columns claim to come from it, and do not."
