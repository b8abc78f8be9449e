"""Bulk read of packed rounds: PostgreSQL concatenates their columns, and numpy reads the bytes.

Fetching one row costs several times what checking its wagers costs; 256 rounds in one row cost next to nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from struct import Struct
from typing import Any, NamedTuple

import numpy as np
from django.db import connection

# Rounds per row. An online operator's rounds have ten thousand wagers each: 100 MB a row, where PostgreSQL allows 1 GB.
ROUNDS_PER_ROW = 256
# The scalar columns as PostgreSQL sends them. Days are counted from DAY_EPOCH.
ROUND_HEADER = np.dtype(
    [
        ("index", ">i8"),
        ("day", ">i4"),
        ("outcome", ">i2"),
        ("tumbles", ">i4"),
        ("is_plain", "?"),
        ("is_void", "?"),
        ("is_taken_back", "?"),
        ("wager_bytes", ">i4"),
    ]
)
DAY_EPOCH = np.datetime64("2000-01-01")
# COPY's binary format: the signature before flags and extension length, and the trailer in place of a row.
COPY_SIGNATURE, COPY_TRAILER, LENGTH_PREFIX = b"PGCOPY\n\xff\r\n\0", b"\xff\xff", Struct(">i")
COPY_ROUNDS_SQL = """
COPY (
    SELECT read.* FROM generate_series(%(first)s::bigint, %(last)s::bigint - 1, %(rows)s) AS chunk(first), LATERAL (
        SELECT string_agg("table", E'\n') AS tables,
            string_agg(
                int8send(entry_index) || date_send(gaming_day) || int2send(outcome) || int4send(coalesce(tumbles, -1))
                || boolsend(is_plain) || boolsend(is_void) || boolsend(taken_back_index IS NOT NULL)
                || int4send(length(wagers)), ''
            ),
            string_agg(events, ''), string_agg(wagers, '')
        FROM (
            SELECT * FROM audit_packedround
            WHERE log = %(log)s AND entry_index >= chunk.first
                AND entry_index < least(chunk.first + %(rows)s, %(last)s)
            ORDER BY entry_index
        ) packed
    ) read WHERE read.tables IS NOT NULL
) TO STDOUT (FORMAT BINARY)
"""
COPY_EVENTS_SQL = """
COPY (
    SELECT read.* FROM generate_series(%(first)s::bigint, %(last)s::bigint - 1, %(rows)s) AS chunk(first), LATERAL (
        SELECT string_agg(int8send(entry_index), '') AS indexes, string_agg(events, '')
        FROM (
            SELECT entry_index, events FROM audit_packedround
            WHERE log = %(log)s AND entry_index >= chunk.first
                AND entry_index < least(chunk.first + %(rows)s, %(last)s)
            ORDER BY entry_index
        ) packed
    ) read WHERE read.indexes IS NOT NULL
) TO STDOUT (FORMAT BINARY)
"""


class EncodedRounds(NamedTuple):
    """Rounds in log order, including those taken back: table names, ROUND_HEADERs, encoded events, encoded wagers."""

    tables: list[str]
    headers: bytes
    events: bytes
    wagers: bytes


def read_encoded_rounds(log: str, first: int, last: int) -> EncodedRounds:
    """The rounds among entries first..last-1."""
    tables, headers, events, wagers = read_copy_columns(COPY_ROUNDS_SQL, 4, _query_params(log, first, last))
    names = [name for chunk in tables for name in str(chunk, "utf-8").split("\n")]
    return EncodedRounds(names, b"".join(headers), b"".join(events), b"".join(wagers))


def read_events(log: str, first: int, last: int) -> tuple[bytes, bytes]:
    """Of the rounds among entries first..last-1: their indexes, eight bytes each, and their encoded events."""
    indexes, events = read_copy_columns(COPY_EVENTS_SQL, 2, _query_params(log, first, last))
    return b"".join(indexes), b"".join(events)


def _query_params(log: str, first: int, last: int) -> dict[str, Any]:
    return {"log": log, "first": first, "last": last, "rows": ROUNDS_PER_ROW}


def read_copy_columns(statement: str, width: int, params: Mapping[str, Any]) -> list[Sequence[memoryview]]:
    """The result of a binary COPY, column by column, as views of its bytes. Parsing values would copy everything once
    more."""
    rows = [_row_values(row) for row in read_copy_rows(statement, params)]
    return list(zip(*rows, strict=True)) if rows else [()] * width


def read_copy_rows(statement: str, params: Mapping[str, Any]) -> list[memoryview]:
    """The rows of a binary COPY as bytes: the number of values, then each value after its length."""
    with (
        connection.wrap_database_errors,
        connection.cursor() as cursor,
        # Django's cursor passes a COPY on, but without parameters.
        cursor.copy(cursor.mogrify(statement, params)) as copied,
    ):
        rows = [memoryview(piece) for piece in copied]
    # Each row comes as its own piece. The first piece begins with the header, whose length varies.
    if rows:
        [extension] = LENGTH_PREFIX.unpack_from(rows[0], len(COPY_SIGNATURE) + LENGTH_PREFIX.size)
        rows[0] = rows[0][len(COPY_SIGNATURE) + 2 * LENGTH_PREFIX.size + extension :]
    return [row for row in rows if row and row[:2] != COPY_TRAILER]


def _row_values(row: memoryview) -> list[memoryview]:
    """The number of values, then each value after its length. None of them is ever NULL."""
    found, place = [], 2
    for _ in range(int.from_bytes(row[:2])):
        [length] = LENGTH_PREFIX.unpack_from(row, place)
        place += LENGTH_PREFIX.size + length
        found.append(row[place - length : place])
    return found
