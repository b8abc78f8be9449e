"""Help page values: events, back-off, limits, an example message and a receiver, taken from the code itself."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings

from compliance.audit.catalogue.play_codes import SETTLE_OVERPAID
from compliance.audit.entry_kinds import FINDING
from compliance.core.web.help_pages import HelpPage
from compliance.notify.webhooks.delivery import http_client, worker
from compliance.notify.webhooks.delivery.payloads import build_message
from compliance.notify.webhooks.services import MAX_ENDPOINTS
from compliance.notify.webhooks.states import SUBSCRIBABLE_EVENTS
from rounds.ledger import LogEntry, encode_body

RECEIVER = "docs/receive_webhooks.py"


def help_page_values() -> Mapping[str, Any]:
    return {
        "events": SUBSCRIBABLE_EVENTS,
        "example": example_message(),
        "members": sorted(json.loads(example_message())),
        "receiver": Path(settings.BASE_DIR, "templates", RECEIVER).read_text(),
        "connect_seconds": int(http_client.CONNECT_SECONDS),
        "longest_seconds": int(http_client.MAX_SECONDS),
        "pauses": [format_duration(pause.total_seconds()) for pause in worker.RETRY_DELAYS],
        "days": worker.RETRY_PERIOD.days,
        "ports": settings.WEBHOOK_PORTS,
        "most_endpoints": MAX_ENDPOINTS,
    }


def example_message() -> str:
    """A finding as sent to webhook 3 of the casino Harbour."""
    body = encode_body({"code": SETTLE_OVERPAID.name, "sentence": "Small paid $51.00; $50.00 was due."})
    at = datetime(2026, 11, 16, 9, 42, 30, tzinfo=UTC)
    return build_message(LogEntry("harbour", 4711, FINDING, "sb-03", None, None, at, body, b""), 3)


def format_duration(seconds: float) -> str:
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
    facts=help_page_values,
)
