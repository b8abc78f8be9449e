"""LogEntry: an immutable ledger entry as consumers, pages and checks read it; the encodings of its body."""

from datetime import datetime
from typing import Any

import msgspec

from rounds.ledger.errors import EntryError
from rounds.ledger.models import Entry
from rounds.transparency_log.formats.leaf import encode_body as encode_body
from rounds.transparency_log.formats.leaf import encode_timestamp as encode_timestamp
from rounds.transparency_log.formats.strict_json import parse_strict_object


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

    def line_body(self) -> dict[str, Any]:
        """What a controller's line says; empty if it cannot be parsed."""
        try:
            body = self.content().get("body")
        except EntryError:
            return {}
        return body if isinstance(body, dict) else {}


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
