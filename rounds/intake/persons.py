"""Lines that people record or import in place of a controller: of the same kind, in the same words, with an origin."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from rounds.intake.kinds.lines import KIND_OF
from rounds.intake.kinds.words import Body
from rounds.ledger.following import Recorded

# What stands in a controller's place for lines from a file.
IMPORTED = "import:"


def person_said(entry: Recorded) -> tuple[datetime, Body] | None:
    """When it was so and what was said, as its kind's structure; None for what a controller sent itself."""
    if entry.kind not in KIND_OF or not (entry.controller or IMPORTED).startswith(IMPORTED):
        return None
    content: dict[str, Any] = entry.content()
    if not {"at", "body", "origin"} <= content.keys():
        return None
    return msgspec.convert(content["at"], datetime), msgspec.convert(content["body"], KIND_OF[entry.kind].body)
