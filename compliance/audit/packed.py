"""The projection of rounds as columns: written by following the log, compared when verifying."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec
import structlog
from django.db import connection

from compliance.audit import packing
from compliance.audit.models import OpenedStreak, PackedRound
from compliance.audit.seen import ended_at
from rounds.intake.kinds.lines import read_line
from rounds.intake.kinds.problems import Malformed
from rounds.intake.kinds.round import Round
from rounds.intake.persons import person_said
from rounds.ledger.following import Recorded, followed_up_to
from rounds.ledger.kinds import CORRECTION
from rounds.ledger.numbered import numbered_entries

logger = structlog.get_logger(__name__)

CONSUMER = "audit"
KINDS = frozenset({"round"})
CONTROLLER_CORRECTION = "controller-correction"
CORRECTIONS = frozenset({CORRECTION.name, CONTROLLER_CORRECTION})
COLUMNS = (
    "table", "round", "gaming_day", "started_at", "ended_at", "outcome", "tumbles", "is_plain", "is_void",
    "have_lights_failed", "events", "wagers",
)  # fmt: skip
COPY_ROUNDS = """
COPY audit_packedround
    (log, entry_index, "table", round, gaming_day, started_at, ended_at, outcome, tumbles, is_plain, is_void,
     have_lights_failed, events, wagers)
FROM STDIN (FORMAT BINARY)
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


def pack(entry: Recorded) -> PackedRound | None:
    played = round_in(entry)
    if played is None:
        return None
    [row] = _rows([(entry, played)])
    return PackedRound(log=entry.log, entry_index=entry.index, **dict(zip(COLUMNS, row[2:], strict=True)))


def _rows(rounds: Sequence[tuple[Recorded, Round]]) -> Iterator[tuple[object, ...]]:
    """Log, index and COLUMNS of each. No model instances: a busy floor brings thousands at once."""
    packed = packing.pack_wagers([played for _, played in rounds])
    for (entry, played), wagers in zip(rounds, packed, strict=True):
        yield (
            entry.log,
            entry.index,
            entry.table or "",
            played.round,
            played.gaming_day,
            packing.started_at(played).astimezone(UTC),
            ended_at(played).astimezone(UTC),
            packing.outcome_of(played),
            packing.tumbles_of(played),
            packing.is_plain_round(played),
            played.no_result is not None,
            packing.have_lights_failed(played),
            packing.pack_events(played),
            wagers,
        )


def pack_entries(entries: Iterable[Recorded]) -> list[RoundEnded]:
    """Pack the rounds among these entries; which they were."""
    read = ((entry, round_in(entry)) for entry in entries if entry.kind in KINDS)
    rounds = [(entry, played) for entry, played in read if played is not None]
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(COPY_ROUNDS) as copied:
        copied.set_types(COLUMN_TYPES)
        for row in _rows(rounds):
            copied.write_row(row)
    OpenedStreak.objects.bulk_create(streak for entry, played in rounds for streak in _opened(entry, played))
    return [RoundEnded(entry.index, entry.table or "", ended_at(played)) for entry, played in rounds]


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
    rows = PackedRound.objects.filter(log=log, entry_index__gte=first, entry_index__lt=last)
    kept = {row.entry_index: row for row in rows}
    end = followed_up_to(CONSUMER, log)
    for entry in entries:
        packed = pack(entry) if entry.index < end else None
        row = kept.pop(entry.index, None)
        if packed is not None and row is None:
            yield entry.index, "the round's columns are gone."
        elif packed is not None and row is not None and _differ(packed, row):
            yield entry.index, "the round's columns now say something else."
    for index in kept:
        yield index, "a round's columns claim to come from it, and do not."


def _differ(packed: PackedRound, row: PackedRound) -> bool:
    return any(_plain(getattr(packed, name)) != _plain(getattr(row, name)) for name in COLUMNS)


def _plain(value: object) -> object:
    return bytes(value) if isinstance(value, memoryview) else value
