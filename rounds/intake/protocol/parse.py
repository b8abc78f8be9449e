"""Parses the lines of a batch into prepared ledger entries, or rejects them. Each line is parsed independently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from rounds.intake.protocol.envelope import ENTRY_KIND_BY_NAME, Line, parse_line
from rounds.intake.protocol.errors import MalformedLine
from rounds.intake.protocol.timestamps import check_timestamps
from rounds.ledger import EntryError, NewEntry, writing
from rounds.transparency_log import formats

ENCODER = msgspec.json.Encoder()
MAX_LINES_SCANNED = 20


class ParsedLine(msgspec.Struct, frozen=True, gc=False):
    """A valid line. `prepared` is None for a heartbeat, which is not recorded."""

    number: int
    raw: bytes
    line: Line
    prepared: writing.PreparedEntry | None


@dataclass(frozen=True, slots=True)
class RejectedLine:
    """A refused line. `kept_index`: for a sequence conflict, the entry that has this sequence."""

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


def parse_lines(
    lines: Sequence[bytes], *, log: str, controller: str, now: datetime
) -> tuple[list[ParsedLine], list[RejectedLine]]:
    read: list[ParsedLine] = []
    refused: list[RejectedLine] = []
    written = bytearray()
    for number, raw in enumerate(lines, 1):
        try:
            line = parse_line(raw)
            check_timestamps(line, now)
            read.append(ParsedLine(number, raw, line, _prepare_entry(line, raw, written, log, controller, now)))
        except (MalformedLine, EntryError) as problem:
            refused.append(_rejected_line(number, raw, problem))
    return read, refused


def _prepare_entry(
    line: Line, raw: bytes, written: bytearray, log: str, controller: str, now: datetime
) -> writing.PreparedEntry | None:
    """The prepared entry; None for a heartbeat. `written` is a reused buffer for the re-encoded line, with which the
    ledger detects ambiguous JSON such as duplicate keys."""
    if not line.is_leaf:
        return None
    ENCODER.encode_into(line, written)
    entry = NewEntry(
        kind=ENTRY_KIND_BY_NAME[line.kind],
        body=raw,
        table=line.table,
        controller=controller,
        sequence=line.sequence,
        again=raw if written == raw else bytes(written),
    )
    return writing.prepare_entry(log, entry, now)


def _rejected_line(number: int, raw: bytes, problem: MalformedLine | EntryError) -> RejectedLine:
    kind, table, sequence = _readable_envelope(raw)
    return RejectedLine(number, raw, problem.code, problem.sentence, problem.field, kind, table, sequence)


def reject_line(one: ParsedLine, code: str, sentence: str, field: str, kept_index: int | None = None) -> RejectedLine:
    """Rejects a valid line for a reason other than its schema: a foreign table or a sequence conflict."""
    line = one.line
    return RejectedLine(one.number, one.raw, code, sentence, field, line.kind, line.table, line.sequence, kept_index)


def claimed_tables(lines: Sequence[bytes]) -> set[str]:
    """The tables named in an unauthenticated batch. Scans MAX_LINES_SCANNED lines only, to bound the work."""
    return {table for _, table, _ in map(_readable_envelope, lines[:MAX_LINES_SCANNED]) if table}


def _readable_envelope(raw: bytes) -> tuple[str, str, int | None]:
    """Kind, table and sequence of a malformed line, as far as they can be parsed."""
    try:
        line = msgspec.json.decode(raw)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return "", "", None
    if not isinstance(line, dict):
        return "", "", None
    kind, table, sequence = line.get("kind"), line.get("table"), line.get("sequence")
    return (
        kind if isinstance(kind, str) and _is_short_text(kind) else "",
        table if isinstance(table, str) and _is_short_text(table) else "",
        sequence if type(sequence) is int and 0 <= sequence <= formats.MAX_INTEGER else None,
    )


def _is_short_text(text: str) -> bool:
    return len(text) <= 50 and text.isprintable()
