"""Lines that people record or import in place of a controller: of the same kind, in the same words, with an origin."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from rounds.intake.protocol.envelope import LINE_KIND_BY_NAME
from rounds.intake.protocol.fields import Body
from rounds.ledger import LogEntry

# What stands in a controller's place for lines from a file.
IMPORT_PREFIX = "import:"


def read_manual_line(entry: LogEntry) -> tuple[datetime, Body] | None:
    """When it was so and what was said, as its kind's structure; None for what a controller sent itself."""
    if entry.kind not in LINE_KIND_BY_NAME or not (entry.controller or IMPORT_PREFIX).startswith(IMPORT_PREFIX):
        return None
    content: dict[str, Any] = entry.content()
    if not {"at", "body", "origin"} <= content.keys():
        return None
    return msgspec.convert(content["at"], datetime), msgspec.convert(
        content["body"], LINE_KIND_BY_NAME[entry.kind].body
    )
