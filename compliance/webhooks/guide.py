"""What the help page prints: events, pauses, limits, a message and a receiver, taken from the code itself."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings

from compliance.audit.kinds import FINDING
from compliance.web.help import HelpPage
from compliance.webhooks import delivering, sending
from compliance.webhooks.messages import write_message
from compliance.webhooks.services import MOST_ENDPOINTS
from compliance.webhooks.states import SUBSCRIBED
from rounds.ledger.following import Recorded
from rounds.ledger.leaves import write_body

RECEIVER = "docs/receive_webhooks.py"


def facts() -> Mapping[str, Any]:
    return {
        "events": SUBSCRIBED,
        "example": example(),
        "members": sorted(json.loads(example())),
        "receiver": Path(settings.BASE_DIR, "templates", RECEIVER).read_text(),
        "connect_seconds": int(sending.CONNECT_SECONDS),
        "longest_seconds": int(sending.LONGEST_SECONDS),
        "pauses": [duration_words(pause.total_seconds()) for pause in delivering.PAUSES],
        "days": delivering.TRIED_FOR.days,
        "ports": settings.WEBHOOK_PORTS,
        "most_endpoints": MOST_ENDPOINTS,
    }


def example() -> str:
    """A finding as webhook 3 of the casino Harbour is told of it."""
    said = write_body({"code": "SETTLE-OVERPAID", "sentence": "Small paid $51.00; $50.00 was due."})
    at = datetime(2026, 11, 16, 9, 42, 30, tzinfo=UTC)
    return write_message(Recorded("harbour", 4711, FINDING, "sb-03", None, None, at, said, b""), 3)


def duration_words(seconds: float) -> str:
    for size, unit in ((3600, "hour"), (60, "minute"), (1, "second")):
        if seconds >= size:
            count = int(seconds // size)
            return f"{count} {unit}{'' if count == 1 else 's'}"
    return "at once"


PAGE = HelpPage(
    "webhooks",
    "Telling another system: webhooks",
    "Signed messages about findings, alerts and filings, and how to receive them.",
    "Administrators, compliance officers, and those who build receivers",
    order=83,
    facts=facts,
)
