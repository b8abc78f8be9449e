"""LogEntry: an immutable ledger entry as consumers, pages and checks read it."""

from datetime import datetime
from typing import Any

import msgspec

from rounds.ledger.formats.strict_json import parse_strict_object
from rounds.ledger.models import Entry


class LogEntry(msgspec.Struct, frozen=True, gc=False):
    """One entry, detached from its database row. ``content()`` parses the body."""

    log: str
    index: int
    kind: str
    table: str | None
    controller: str | None
    sequence: int | None
    recorded_at: datetime
    body: bytes
    leaf_sha256: bytes

    def content(self) -> dict[str, Any]:
        return parse_strict_object(self.body)


def entry_from_row(log: str, entry: Entry) -> LogEntry:
    return LogEntry(
        log=log,
        index=entry.index,
        kind=entry.kind,
        table=entry.table,
        controller=entry.controller,
        sequence=entry.sequence,
        recorded_at=entry.recorded_at,
        body=bytes(entry.body),
        leaf_sha256=bytes(entry.leaf_sha256),
    )
