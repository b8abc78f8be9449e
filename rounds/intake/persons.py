"""Lines that people record in place of a controller: an entry of the same kind, in the same words, with its origin."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from rounds.intake.kinds.lines import KIND_OF
from rounds.intake.kinds.words import Body
from rounds.ledger.following import Recorded

BY_A_PERSON = "person"


def is_by_a_person(entry: Recorded) -> bool:
    origin = entry.content().get("origin") if entry.controller is None and entry.kind in KIND_OF else None
    return isinstance(origin, dict) and origin.get("how") == BY_A_PERSON


def person_said(entry: Recorded) -> tuple[datetime, Body] | None:
    """When it was so and what was said, as its kind's structure; None for any other entry."""
    if not is_by_a_person(entry):
        return None
    content: dict[str, Any] = entry.content()
    body = msgspec.convert(content["body"], KIND_OF[entry.kind].body)
    return msgspec.convert(content["at"], datetime), body
