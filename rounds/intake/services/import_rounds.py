"""Imports past rounds from an NDJSON or CSV file. Validates them like a controller's lines; records their origin.

Idempotent: a file is identified by its SHA-256 and a round by its line number.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.db import transaction

from compliance.core.accounts.models import Casino
from rounds.floor.models import Table
from rounds.intake.entry_kinds import ROUND
from rounds.intake.protocol.envelope import parse_line
from rounds.intake.protocol.errors import MalformedLine
from rounds.intake.protocol.manual_lines import IMPORT_PREFIX
from rounds.intake.protocol.timestamps import check_timestamps
from rounds.ledger import EntryError, NewEntry, append, encode_body, readers

# Entries per transaction.
CHUNK_SIZE = 500
COLUMNS = (
    "table",
    "round",
    "gaming_day",
    "at",
    "dice",
    "wager",
    "seat",
    "bet",
    "stake",
    "tender",
    "verdict",
    "returned",
)
# Needed by some tables only: cards instead of dice, terminals, players by pseudonym.
OPTIONAL_COLUMNS = ("cards", "no_result", "terminal", "registered", "player", "placed_at", "paid_in")
YES_OR_NO = {"yes": True, "no": False}


class UnreadableFile(Exception):
    """The file has invalid lines; nothing of it was recorded."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__(f"{len(problems)} lines cannot be read; nothing was recorded.")
        self.problems = problems


@dataclass(frozen=True)
class FileRound:
    """A round, and the number of its first line in the file."""

    number: int
    line: Mapping[str, Any]


@dataclass(frozen=True)
class ImportResult:
    recorded: int
    known: int


def read_ndjson(text: str) -> Iterator[FileRound]:
    """One round per line, in the format of a controller's line; kind and sequence may be omitted. An invalid line
    becomes an empty object, which the schema refuses."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                decoded = json.loads(line)
            except (ValueError, RecursionError):
                decoded = {}
            yield FileRound(number, decoded if isinstance(decoded, dict) else {})


def read_csv(text: str) -> Iterator[FileRound]:
    """One row per wager; rows with the same table and round form a round. Money in cents, dice or cards as 4-2-4."""
    # restval: the missing columns of a short row are empty.
    rows = csv.DictReader(io.StringIO(text), restval="")
    missing = [name for name in COLUMNS if name not in (rows.fieldnames or ())]
    if missing:
        raise UnreadableFile([f"The columns {', '.join(missing)} are missing."])
    found: dict[tuple[str, str], FileRound] = {}
    for number, row in _numbered_rows(rows):
        key = (row["table"], row["round"])
        first = found.setdefault(key, FileRound(number, _round_from_row(row)))
        if row["bet"]:
            first.line["body"]["wagers"].append(_wager_from_row(row))
    yield from found.values()


def _numbered_rows(rows: csv.DictReader[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        yield from enumerate(rows, 2)
    except csv.Error as error:
        raise UnreadableFile([f"Line {rows.reader.line_num}: this is not CSV ({error})."]) from error


def _round_from_row(row: Mapping[str, str]) -> dict[str, Any]:
    """The round of a row, without wagers. Without dice or cards it has the reason for no result."""
    body: dict[str, Any] = {"round": row["round"], "gaming_day": row["gaming_day"], "wagers": []}
    body["events"] = [{"name": "drawn" if row.get("cards") else "uncovered", "at": row["at"]}]
    results: dict[str, Any] = {
        name: [_parse_number(face) for face in row[name].split("-")] for name in ("dice", "cards") if row.get(name)
    }
    body |= results or {"no_result": {"reason": row.get("no_result") or ""}}
    return {"table": row["table"], "at": row["at"], "body": body}


def _wager_from_row(row: Mapping[str, str]) -> dict[str, Any]:
    wager = {
        "id": row["wager"],
        "bet": row["bet"],
        "stake": _parse_number(row["stake"]),
        "tender": row["tender"],
        "placed_at": row.get("placed_at") or row["at"],
        "verdict": row["verdict"],
    }
    # `returned` is omitted if empty: for an open Super Streak wager it must be absent, not 0.
    optional = {name: _parse_number(row[name]) for name in ("seat", "returned") if row[name]}
    optional |= {name: row[name] for name in ("terminal", "player", "paid_in") if row.get(name)}
    registered = row.get("registered")
    return wager | optional | ({"registered": YES_OR_NO.get(registered, registered)} if registered else {})


def _parse_number(text: str) -> Any:
    """Digits as an integer; anything else unchanged, for the schema to refuse."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 17 else text


def import_rounds(*, casino: Casino, name: str, content: bytes, is_csv: bool, by: str, now: datetime) -> ImportResult:
    """Validates the whole file, then appends its rounds in chunks, one transaction each. After an interruption the
    import can be repeated."""
    text = content.decode("utf-8-sig", errors="replace")
    digest = sha256(content).hexdigest()
    origin = {"how": "import", "file": name, "file_sha256": digest, "by": by}
    tables = frozenset(Table.objects.filter(casino=casino).values_list("slug", flat=True))
    entries, problems = [], []
    for one in read_csv(text) if is_csv else read_ndjson(text):
        try:
            entries.append(_build_entry(one, origin, tables, f"{IMPORT_PREFIX}{digest[:16]}", now))
        except (MalformedLine, EntryError) as problem:
            problems.append(f"Line {one.number}: {problem.field or 'the line'}: {problem.sentence}")
    if problems:
        raise UnreadableFile(problems)
    recorded = sum(
        _append_new(casino.slug, entries[start : start + CHUNK_SIZE], now)
        for start in range(0, len(entries), CHUNK_SIZE)
    )
    return ImportResult(recorded, len(entries) - recorded)


def _build_entry(
    one: FileRound, origin: Mapping[str, Any], tables: frozenset[str], source: str, now: datetime
) -> NewEntry:
    line = {"kind": "round", "sequence": one.number, **one.line}
    read = parse_line(json.dumps(line).encode())
    if read.kind != "round":
        raise MalformedLine("not-a-round", "Only rounds are imported.", "/kind")
    if read.table not in tables:
        raise MalformedLine("unknown-table", f"The casino has no table {read.table}.", "/table")
    check_timestamps(read, now)
    body = encode_body({**line, "sequence": one.number, "origin": {**origin, "line": one.number}})
    return NewEntry(kind=ROUND, body=body, table=read.table, controller=source, sequence=one.number)


@transaction.atomic
def _append_new(log: str, entries: list[NewEntry], now: datetime) -> int:
    known = set(_recorded_sequences(log, entries))
    new = [entry for entry in entries if entry.sequence not in known]
    append(log, new, now)
    return len(new)


def _recorded_sequences(log: str, entries: list[NewEntry]) -> Iterator[int]:
    """The line numbers of this file that are already recorded. They are unique in the file, across its tables."""
    for table in {entry.table or "" for entry in entries}:
        numbers = [entry.sequence or 0 for entry in entries if entry.table == table]
        yield from readers.entries_by_sequence(log, table, entries[0].controller or "", numbers)
