"""Past rounds from a file, NDJSON or CSV: read whole, checked as a controller's would be, recorded with their origin.

A file is known by its SHA-256, a round by its line: importing the same file again changes nothing.
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
from rounds.intake.protocol.envelope import parse_line
from rounds.intake.protocol.errors import MalformedLine
from rounds.intake.protocol.manual import IMPORT_PREFIX
from rounds.intake.protocol.timestamps import check_timestamps
from rounds.ledger import EntryError, NewEntry, append, encode_body, reading

# No controller's slug has a colon, so an import can never pass for a controller.
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
# Those that some tables need: cards instead of dice, terminals, players by pseudonym.
OPTIONAL_COLUMNS = ("cards", "no_result", "terminal", "registered", "player", "placed_at", "paid_in")
YES_OR_NO = {"yes": True, "no": False}


class UnreadableFile(Exception):
    """Lines that cannot be read; nothing of the file was recorded."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__(f"{len(problems)} lines cannot be read; nothing was recorded.")
        self.problems = problems


@dataclass(frozen=True)
class FileRound:
    """A round and the first line of the file that says something of it."""

    number: int
    line: Mapping[str, Any]


@dataclass(frozen=True)
class ImportResult:
    recorded: int
    known: int


def read_ndjson(text: str) -> Iterator[FileRound]:
    """One line a round: what a controller's line holds, with or without kind and sequence."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                said = json.loads(line)
            except (ValueError, RecursionError):
                said = {}
            yield FileRound(number, said if isinstance(said, dict) else {})


def read_csv(text: str) -> Iterator[FileRound]:
    """One row a wager; rows with the same table and round belong together. Money in cents, dice or cards as 4-2-4."""
    # A row that ends early says nothing in its last columns.
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
    """Dice are uncovered and cards are drawn; without either, the reason why there is no result."""
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
    # A Super Streak wager that is running has returned nothing yet, not even nought.
    told = {name: _parse_number(row[name]) for name in ("seat", "returned") if row[name]}
    told |= {name: row[name] for name in ("terminal", "player", "paid_in") if row.get(name)}
    registered = row.get("registered")
    return wager | told | ({"registered": YES_OR_NO.get(registered, registered)} if registered else {})


def _parse_number(text: str) -> Any:
    """A figure as a number; anything else as it stands, for the schema to refuse."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 17 else text


def import_rounds(*, casino: Casino, name: str, content: bytes, is_csv: bool, by: str, now: datetime) -> ImportResult:
    """Everything is read before anything is recorded; then in portions, each of which is safe by itself."""
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
    return NewEntry(kind="round", body=body, table=read.table, controller=source, sequence=one.number)


@transaction.atomic
def _append_new(log: str, entries: list[NewEntry], now: datetime) -> int:
    known = set(_recorded_sequences(log, entries))
    new = [entry for entry in entries if entry.sequence not in known]
    append(log, new, now)
    return len(new)


def _recorded_sequences(log: str, entries: list[NewEntry]) -> Iterator[int]:
    """The lines of this file that were recorded before: a file's lines are numbered across all its tables."""
    for table in {entry.table or "" for entry in entries}:
        numbers = [entry.sequence or 0 for entry in entries if entry.table == table]
        yield from reading.entries_by_sequence(log, table, entries[0].controller or "", numbers)
