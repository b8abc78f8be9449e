"""The projection of rounds as columns: written by following the log, compared when verifying."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

import msgspec
import structlog
from django.db import connection

from compliance.audit import packing
from compliance.audit.models import OpenedStreak, PackedRound
from rounds.intake.kinds.lines import read_line
from rounds.intake.kinds.problems import Malformed
from rounds.intake.kinds.round import Round
from rounds.intake.persons import person_said
from rounds.ledger.following import Recorded, followed_up_to
from rounds.ledger.kinds import CORRECTION
from rounds.ledger.numbered import numbered_entries
from rounds.ledger.stored import read_binary

logger = structlog.get_logger(__name__)

CONSUMER = "audit"
KINDS = frozenset({"round"})
CONTROLLER_CORRECTION = "controller-correction"
CORRECTIONS = frozenset({CORRECTION.name, CONTROLLER_CORRECTION})
# So few that they stay near the processor while they are packed.
COMPARED_AT_ONCE = 100
COLUMNS = (
    "table", "round", "gaming_day", "started_at", "ended_at", "outcome", "tumbles", "is_plain", "is_void",
    "have_lights_failed", "events", "wagers",
)  # fmt: skip
# Log, entry index, and COLUMNS.
Row: TypeAlias = tuple[Any, ...]
ENDED_AT = 2 + COLUMNS.index("ended_at")
COPY_ROUNDS = """
COPY audit_packedround
    (log, entry_index, "table", round, gaming_day, started_at, ended_at, outcome, tumbles, is_plain, is_void,
     have_lights_failed, events, wagers)
FROM STDIN (FORMAT BINARY)
"""
KEPT_ROUNDS = """
SELECT log, entry_index, "table", round, gaming_day, started_at, ended_at, outcome, tumbles, is_plain, is_void,
    have_lights_failed, events, wagers
FROM audit_packedround WHERE log = %s AND entry_index >= %s AND entry_index < %s
"""
COLUMN_TYPES = (
    "text", "int8", "text", "text", "date", "timestamptz", "timestamptz", "int2", "int4", "bool", "bool", "bool",
    "bytea", "bytea",
)  # fmt: skip


@dataclass(frozen=True)
class RoundEnded:
    """A round that was packed: its entry, its table, and when it was over."""

    index: int
    table: str
    at: datetime


def round_in(entry: Recorded) -> Round | None:
    """The round that an entry reports, from a controller, from paper or from a file; None for one that cannot be read,
    which intake would have refused."""
    try:
        said = person_said(entry)
        body = said[1] if said else read_line(entry.body).body
    except (Malformed, msgspec.ValidationError) as problem:
        logger.error("round_not_readable", log=entry.log, index=entry.index, problem=str(problem))
        return None
    return body if isinstance(body, Round) else None


def rounds_in(entries: Iterable[Recorded]) -> list[tuple[Recorded, Round]]:
    read = ((entry, round_in(entry)) for entry in entries if entry.kind in KINDS)
    return [(entry, played) for entry, played in read if played is not None]


def _rows(rounds: Sequence[tuple[Recorded, Round]]) -> Iterator[Row]:
    """Log, index and COLUMNS of each. No model instances: a busy floor brings thousands at once."""
    bodies = [played for _, played in rounds]
    laid_at = packing.laid_times(bodies)
    packed, first = packing.pack_wagers_laid(bodies, laid_at), 0
    for (entry, played), wagers in zip(rounds, packed, strict=True):
        last = first + len(played.wagers)
        times = packing.event_times(played)
        ordered = sorted(times)
        last_event = ordered[len(times) - 1 - times.count(packing.NEVER)]
        ended = max(last_event, *laid_at[first:last]) if last > first else last_event
        first = last
        yield (
            entry.log,
            entry.index,
            entry.table or "",
            played.round,
            played.gaming_day,
            packing.instant_of(ordered[0]),
            packing.instant_of(ended),
            packing.outcome_of(played),
            packing.tumbles_of(played),
            packing.is_plain_round(played),
            played.no_result is not None,
            packing.have_lights_failed(played),
            packing.pack_times(played, times),
            wagers,
        )


def pack_entries(entries: Iterable[Recorded]) -> list[RoundEnded]:
    """Pack the rounds among these entries; which they were."""
    rounds = rounds_in(entries)
    rows = list(_rows(rounds))
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(COPY_ROUNDS) as copied:
        copied.set_types(COLUMN_TYPES)
        for row in rows:
            copied.write_row(row)
    OpenedStreak.objects.bulk_create(streak for entry, played in rounds for streak in _opened(entry, played))
    return [RoundEnded(row[1], row[2], row[ENDED_AT]) for row in rows]


def _opened(entry: Recorded, played: Round) -> Iterator[OpenedStreak]:
    for wager in played.wagers:
        if wager.verdict == "open" and wager.bet in packing.STREAKS:
            yield OpenedStreak(
                log=entry.log, entry_index=entry.index, table=entry.table or "", wager=wager.id,
                gaming_day=played.gaming_day,
            )  # fmt: skip


def corrected_by(entry: Recorded) -> int | None:
    """The index of the entry that a correction takes back, whoever made it; None for other entries."""
    if entry.kind == CORRECTION.name:
        return int(entry.content()["corrects"])
    if entry.kind == CONTROLLER_CORRECTION:
        sequence = entry.content()["body"]["corrects"]
        found = numbered_entries(entry.log, entry.table or "", entry.controller or "", [sequence])
        return found[sequence].index if sequence in found else None
    return None


def take_back(correction: Recorded, index: int) -> bool:
    """Mark a round that was taken back: it is judged no more. False where that entry is no round."""
    rounds = PackedRound.objects.filter(log=correction.log, entry_index=index, taken_back_index=None)
    return bool(rounds.update(taken_back_index=correction.index))


def differences(log: str, first: int, last: int, entries: Sequence[Recorded]) -> Iterator[tuple[int, str]]:
    """For `verify_ledger`: the columns kept of these rounds, against the rounds packed again."""
    kept = {row[1]: row for row in read_binary(KEPT_ROUNDS, [log, first, last])}
    end = followed_up_to(CONSUMER, log)
    for start in range(0, len(entries), COMPARED_AT_ONCE):
        some = entries[start : start + COMPARED_AT_ONCE]
        for packed in _rows(rounds_in(entry for entry in some if entry.index < end)):
            row = kept.pop(packed[1], None)
            if row is None:
                yield packed[1], "the round's columns are gone."
            elif packed != row:
                yield packed[1], "the round's columns now say something else."
    for index in kept:
        yield index, "a round's columns claim to come from it, and do not."
