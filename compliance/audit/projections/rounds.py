"""The projection of rounds as columns, verified by `verify_ledger`. Intake writes it together with the entries, and the
audit's consumer for rounds from other sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString

import msgspec
import structlog
from django.db import connection

from compliance.audit.models import OpenedStreak, PackedRound
from compliance.audit.projections.bulk_read import read_copy_rows
from compliance.core.web.binary_rows import fetch_binary_rows
from rounds.intake.columns import packed_rows, round_encoding
from rounds.intake.entry_kinds import CONTROLLER_CORRECTION, ROUND
from rounds.intake.protocol.envelope import Line, parse_line
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
# The order of packed_rows.COLUMNS.
COPY_ROUNDS_SQL = """
COPY audit_packedround
    (entry_index, gaming_day, started_at, ended_at, outcome, is_plain, is_void, have_lights_failed, events, log,
     "table", round, tumbles, wagers)
FROM STDIN (FORMAT BINARY)
"""
STORED_TIMES_SQL: LiteralString = """
SELECT entry_index, "table", ended_at FROM audit_packedround
WHERE log = %s AND entry_index >= %s AND entry_index <= %s ORDER BY entry_index
"""
STORED_ROUNDS_SQL = """
COPY (
    SELECT entry_index, gaming_day, started_at, ended_at, outcome, is_plain, is_void, have_lights_failed, events, log,
        "table", round, tumbles, wagers
    FROM audit_packedround
    WHERE log = %(log)s AND entry_index >= %(first)s AND entry_index < %(last)s
) TO STDOUT (FORMAT BINARY)
"""


@dataclass(frozen=True, slots=True)
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


def store_rounds(entries: Iterable[LogEntry]) -> list[StoredRound]:
    """Stores the rounds among these entries, and returns them."""
    rounds = rounds_from_entries(entries)
    if not rounds:
        return []
    packed = packed_rows.pack_rounds(rounds[0][0].log, [(entry.table or "", played) for entry, played in rounds])
    _copy_rows(packed.rows_at([entry.index for entry, _ in rounds]))
    OpenedStreak.objects.bulk_create(
        streak
        for entry, played in rounds
        if _has_open_wager(played)
        for streak in opened_streaks(entry.log, entry.index, entry.table or "", played)
    )
    return [
        StoredRound(entry.index, entry.table or "", round_encoding.from_microseconds(ended))
        for (entry, _), ended in zip(rounds, packed.ended, strict=True)
    ]


def stored_rounds(log: str, first: int, last: int) -> list[StoredRound]:
    """The rounds among entries first..last that are stored."""
    return [StoredRound(*row) for row in fetch_binary_rows(STORED_TIMES_SQL, [log, first, last])]


def _copy_rows(rows: Iterable[bytes]) -> None:
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(COPY_ROUNDS_SQL) as copied:
        copied.write(b"".join((packed_rows.COPY_HEADER, *rows, packed_rows.COPY_TRAILER)))


@dataclass(frozen=True)
class _BatchOfRounds:
    """The rounds of a batch of lines: their rows, their places in the batch, and the streak wagers placed in them."""

    rows: packed_rows.PackedRows
    places: Sequence[int]
    streaks: Sequence[tuple[int, Line]]


class IntakeRounds:
    """Stores the rounds that controllers send together with their entries, so that they are parsed once."""

    def prepare(self, log: str, lines: Sequence[Line]) -> _BatchOfRounds | None:
        rounds = [(place, line) for place, line in enumerate(lines) if line.kind == ROUND]
        if not rounds:
            return None
        return _BatchOfRounds(
            packed_rows.pack_rounds(log, [(line.table, line.body) for _, line in rounds]),
            [place for place, _ in rounds],
            [(place, line) for place, line in rounds if _has_open_wager(line.body)],
        )

    def write(self, log: str, batches: Sequence[tuple[int, Any]]) -> None:
        _copy_rows(
            row for first, batch in batches for row in batch.rows.rows_at([first + place for place in batch.places])
        )
        streaks = [
            streak
            for first, batch in batches
            for place, line in batch.streaks
            for streak in opened_streaks(log, first + place, line.table, line.body)
        ]
        if streaks:
            OpenedStreak.objects.bulk_create(streaks)


def _has_open_wager(played: Round) -> bool:
    return "open" in [wager.verdict for wager in played.wagers]


def opened_streaks(log: str, index: int, table: str, played: Round) -> Iterator[OpenedStreak]:
    for wager in played.wagers:
        if wager.verdict == "open" and wager.bet in round_encoding.STREAK_BET_CODES:
            yield OpenedStreak(log=log, entry_index=index, table=table, wager=wager.id, gaming_day=played.gaming_day)


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
    """For `verify_ledger`: the stored rows compared with the rounds encoded again, byte by byte."""
    rows = read_copy_rows(STORED_ROUNDS_SQL, {"log": log, "first": first, "last": last})
    # As bytes: memoryviews are compared item by item.
    stored = {int.from_bytes(row[packed_rows.INDEX_BYTES]): bytes(row) for row in rows}
    # Rounds that intake did not store itself are stored when they are consumed.
    end = position_of(CONSUMER, log)
    for start in range(0, len(entries), COMPARE_BATCH_SIZE):
        some = entries[start : start + COMPARE_BATCH_SIZE]
        rounds = rounds_from_entries([entry for entry in some if entry.index < end or entry.index in stored])
        indexes = [entry.index for entry, _ in rounds]
        packed = packed_rows.pack_rounds(log, [(entry.table or "", played) for entry, played in rounds])
        for index, row in zip(indexes, packed.rows_at(indexes), strict=True):
            found = stored.pop(index, None)
            if found is None:
                if index < end:
                    yield index, "the round's columns are gone."
            elif found != row:
                yield index, "the round's columns now say something else."
    for index in stored:
        yield index, "a round's columns claim to come from it, and do not."
