"""The lines of a batch, read one by one: what each says, or why it is refused. No line depends on another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from rounds.intake.kinds.instants import check_instants
from rounds.intake.kinds.lines import ENTRY_KIND, Line, read_line
from rounds.intake.kinds.problems import Malformed
from rounds.ledger.appending import NewEntry, Prepared, prepare_one
from rounds.ledger.errors import EntryError
from rounds.ledger.strict_json import MAX_INTEGER

ENCODER = msgspec.json.Encoder()
MOST_CLAIMED = 20


class ReadLine(msgspec.Struct, frozen=True, gc=False):
    """A line that can be taken. A heart-beat is prepared for nothing: it is no entry."""

    number: int
    raw: bytes
    line: Line
    prepared: Prepared | None


@dataclass(frozen=True, slots=True)
class RefusedLine:
    """`kept_index` is the entry that has the sequence already, where the refusal is a conflict."""

    number: int
    raw: bytes
    code: str
    sentence: str
    field: str
    kind: str = ""
    table: str = ""
    sequence: int | None = None
    kept_index: int | None = None

    def as_problem(self) -> dict[str, Any]:
        return {
            "line": self.number,
            "table": self.table or None,
            "sequence": self.sequence,
            "code": self.code,
            "field": self.field,
            "detail": self.sentence,
        }


def read_lines(
    lines: Sequence[bytes], *, log: str, controller: str, now: datetime
) -> tuple[list[ReadLine], list[RefusedLine]]:
    read: list[ReadLine] = []
    refused: list[RefusedLine] = []
    written = bytearray()
    for number, raw in enumerate(lines, 1):
        try:
            line = read_line(raw)
            check_instants(line, now)
            read.append(ReadLine(number, raw, line, _prepare(line, raw, written, log, controller, now)))
        except (Malformed, EntryError) as problem:
            refused.append(_refused(number, raw, problem))
    return read, refused


def _prepare(line: Line, raw: bytes, written: bytearray, log: str, controller: str, now: datetime) -> Prepared | None:
    """The entry, once nothing in its bytes can be read in two ways. `written` is room to write the line down again."""
    if not line.is_leaf:
        return None
    ENCODER.encode_into(line, written)
    entry = NewEntry(
        kind=ENTRY_KIND[line.kind], body=raw, table=line.table, controller=controller, sequence=line.sequence,
        again=raw if written == raw else bytes(written),
    )  # fmt: skip
    return prepare_one(log, entry, now)


def _refused(number: int, raw: bytes, problem: Malformed | EntryError) -> RefusedLine:
    kind, table, sequence = _what_can_be_read(raw)
    return RefusedLine(number, raw, problem.code, problem.sentence, problem.field, kind, table, sequence)


def refuse(one: ReadLine, code: str, sentence: str, field: str, kept_index: int | None = None) -> RefusedLine:
    """A line that could be read, and is refused all the same."""
    line = one.line
    return RefusedLine(
        one.number, one.raw, code, sentence, field, line.kind, line.table, line.sequence, kept_index
    )  # fmt: skip


def tables_claimed(lines: Sequence[bytes]) -> set[str]:
    """The tables that a batch nobody signed claims to be of, by its first lines: strangers are not read at length."""
    return {table for _, table, _ in map(_what_can_be_read, lines[:MOST_CLAIMED]) if table}


def _what_can_be_read(raw: bytes) -> tuple[str, str, int | None]:
    """Kind, table and sequence of a malformed line, where they are there to be read."""
    try:
        line = msgspec.json.decode(raw)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return "", "", None
    if not isinstance(line, dict):
        return "", "", None
    kind, table, sequence = line.get("kind"), line.get("table"), line.get("sequence")
    return (
        kind if isinstance(kind, str) and _is_short(kind) else "",
        table if isinstance(table, str) and _is_short(table) else "",
        sequence if type(sequence) is int and 0 <= sequence <= MAX_INTEGER else None,
    )


def _is_short(text: str) -> bool:
    return len(text) <= 50 and text.isprintable()
