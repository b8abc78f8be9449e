"""Lines that people recorded or imported instead of a controller. Same kinds and schemas, plus an `origin`."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from rounds.intake.protocol.envelope import LINE_KIND_BY_NAME
from rounds.intake.protocol.fields import Body
from rounds.ledger import LogEntry

# Prefix of `controller` for lines from a file. Controller slugs have no colon, so it cannot be taken for one of them.
IMPORT_PREFIX = "import:"


def read_manual_line(entry: LogEntry) -> tuple[datetime, Body] | None:
    """The time and the parsed body of a line that people recorded or imported; None if a controller sent it."""
    if entry.kind not in LINE_KIND_BY_NAME or not (entry.controller or IMPORT_PREFIX).startswith(IMPORT_PREFIX):
        return None
    content: dict[str, Any] = entry.content()
    if not {"at", "body", "origin"} <= content.keys():
        return None
    return msgspec.convert(content["at"], datetime), msgspec.convert(
        content["body"], LINE_KIND_BY_NAME[entry.kind].body
    )
