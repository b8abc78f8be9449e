"""Encodes rounds as rows of a binary COPY, which are written and compared as bytes.

Building values and letting the driver encode them one by one would cost as much as encoding the wagers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from struct import Struct

import numpy as np

from rounds.intake.columns.round_encoding import (
    EVENTS,
    NO_TIME,
    Instants,
    Records,
    encode_event_figures,
    encode_outcome,
    encode_wagers_placed_at,
    encoded_event_times,
    from_microseconds,
    have_lights_failed,
    is_fully_encoded_round,
    tumble_count,
    wager_placed_times,
)
from rounds.intake.protocol.round import Round

# The columns of a row in the order of the COPY: those of fixed length first.
COLUMNS = (
    "entry_index", "gaming_day", "started_at", "ended_at", "outcome", "is_plain", "is_void", "have_lights_failed",
    "events", "log", "table", "round", "tumbles", "wagers",
)  # fmt: skip
# COPY's binary format: each value after its length, numbers with the most significant byte first.
_FIXED_PART = np.dtype(
    [
        ("columns", ">i2"),
        ("entry_index length", ">i4"),
        ("entry_index", ">i8"),
        ("gaming_day length", ">i4"),
        ("gaming_day", ">i4"),
        ("started_at length", ">i4"),
        ("started_at", ">i8"),
        ("ended_at length", ">i4"),
        ("ended_at", ">i8"),
        ("outcome length", ">i4"),
        ("outcome", ">i2"),
        ("is_plain length", ">i4"),
        ("is_plain", "?"),
        ("is_void length", ">i4"),
        ("is_void", "?"),
        ("have_lights_failed length", ">i4"),
        ("have_lights_failed", "?"),
        ("events length", ">i4"),
        ("events", "<i8", (len(EVENTS),)),
        ("figures", "<i8", (4,)),
    ]
)
# Where the entry's index is in a row.
INDEX_BYTES = slice(6, 14)
_LENGTH, _TUMBLES = Struct(">i").pack, Struct(">ii").pack
_NO_TUMBLES = _LENGTH(-1)
COPY_HEADER, COPY_TRAILER = b"PGCOPY\n\xff\r\n\0" + bytes(8), b"\xff\xff"
# PostgreSQL counts days and microseconds from here.
_FIRST_DAY, _FIRST_INSTANT = date(2000, 1, 1).toordinal(), 946_684_800_000_000


def _new_fixed_parts(count: int) -> Records:
    """Records in which only the values are missing."""
    parts = np.zeros(count, _FIXED_PART)
    parts["columns"] = len(COLUMNS)
    for name in COLUMNS[:9]:
        parts[f"{name} length"] = _FIXED_PART[name].itemsize
    parts["events length"] += _FIXED_PART["figures"].itemsize
    return parts


@dataclass(frozen=True)
class PackedRows:
    """The rows of some rounds, of which only the entry indexes are missing: these are known once the log is locked."""

    fixed: Records
    rest: Sequence[bytes]
    started: Instants
    ended: Instants

    def rows_at(self, indexes: Sequence[int]) -> list[bytes]:
        self.fixed["entry_index"] = indexes
        fixed, size = self.fixed.tobytes(), _FIXED_PART.itemsize
        return [fixed[number * size : (number + 1) * size] + rest for number, rest in enumerate(self.rest)]


def pack_rounds(log: str, rounds: Sequence[tuple[str, Round]]) -> PackedRows:
    """`rounds`: the table and the body of each. Raises OverflowError for a time that is no date of the calendar."""
    bodies = [played for _, played in rounds]
    laid_at = wager_placed_times(bodies)
    wagers = encode_wagers_placed_at(bodies, laid_at)
    fixed = _new_fixed_parts(len(bodies))
    times = np.array([encoded_event_times(played) for played in bodies], np.int64).reshape(-1, len(EVENTS))
    started, ended = times.min(axis=1, initial=NO_TIME), _last_times(times, laid_at, bodies)
    if bodies:
        for instant in (started.min(), started.max(), ended.min(), ended.max()):
            from_microseconds(instant)
    fixed["events"] = times
    fixed["figures"] = np.array([encode_event_figures(played) for played in bodies], np.int64).reshape(-1, 4)
    fixed["started_at"], fixed["ended_at"] = started - _FIRST_INSTANT, ended - _FIRST_INSTANT
    fixed["gaming_day"] = [played.gaming_day.toordinal() - _FIRST_DAY for played in bodies]
    fixed["outcome"] = [encode_outcome(played) for played in bodies]
    fixed["is_plain"] = [is_fully_encoded_round(played) for played in bodies]
    fixed["is_void"] = [played.no_result is not None for played in bodies]
    fixed["have_lights_failed"] = [have_lights_failed(played) for played in bodies]
    return PackedRows(fixed, _variable_parts(log, rounds, wagers), started, ended)


def _last_times(times: Instants, laid_at: Sequence[int], rounds: Sequence[Round]) -> Instants:
    """The time of the last event of each round, or of the last wager placed after that."""
    known = times != NO_TIME
    ended: Instants = np.where(
        known.any(axis=1), np.where(known, times, -NO_TIME).max(axis=1, initial=-NO_TIME), NO_TIME
    )
    counts = np.array([len(played.wagers) for played in rounds], np.int64)
    have_wagers = counts > 0
    if have_wagers.any():
        firsts = (np.cumsum(counts) - counts)[have_wagers]
        last_laid = np.maximum.reduceat(np.array(laid_at, np.int64), firsts)
        ended[have_wagers] = np.maximum(ended[have_wagers], last_laid)
    return ended


def _variable_parts(log: str, rounds: Iterable[tuple[str, Round]], wagers: Iterable[bytes]) -> list[bytes]:
    parts = []
    of_log, of_tables = _text_value(log), dict[str, bytes]()
    for (table, played), packed in zip(rounds, wagers, strict=True):
        of_table = of_tables.get(table) or of_tables.setdefault(table, of_log + _text_value(table))
        count, name = tumble_count(played), played.round.encode()
        tumbles = _NO_TUMBLES if count is None else _TUMBLES(4, count)
        parts.append(b"".join((of_table, _LENGTH(len(name)), name, tumbles, _LENGTH(len(packed)), packed)))
    return parts


def _text_value(text: str) -> bytes:
    value = text.encode()
    return _LENGTH(len(value)) + value
