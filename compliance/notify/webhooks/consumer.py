"""Entries become deliveries: one for each endpoint that was on and wanted the event when the entry was recorded.

Which those are is read from the endpoints' own entries, so that it does not matter how late the log is followed.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from compliance.core.web.local_time import Clock
from compliance.notify.webhooks.delivery.payloads import EVENTS, build_message, build_message_id
from compliance.notify.webhooks.models import Delivery, EndpointStep
from compliance.notify.webhooks.states import EndpointState
from rounds.ledger import LogEntry, consume_all, every_log

CONSUMER = "webhooks"


def consume_events(clock: Clock, logs: Iterable[str] | None = None) -> int:
    """Take in whatever is new; how many entries the cursor passed."""
    where = every_log() if logs is None else logs
    return consume_all(CONSUMER, where, lambda entries: handle_entries(entries, clock()), kinds=EVENTS)


def handle_entries(entries: Sequence[LogEntry], now: datetime) -> None:
    """The handler of `follow`: one transaction with the cursor, entries of one log in their order."""
    steps = endpoint_steps(entries[0].log)
    Delivery.objects.bulk_create(
        Delivery(
            endpoint_id=endpoint_id,
            message_id=build_message_id(entry, endpoint_id),
            event=EVENTS[entry.kind],
            entry_index=entry.index,
            body=build_message(entry, endpoint_id),
            made_at=now,
            next_try_at=now,
        )
        for entry in entries
        for endpoint_id, taken in steps.items()
        if is_subscribed_at(taken, entry)
    )


def endpoint_steps(log: str) -> dict[int, list[EndpointStep]]:
    """Of the endpoints of that log's casino that were not removed since, each in the order of the log."""
    found: dict[int, list[EndpointStep]] = defaultdict(list)
    kept = EndpointStep.objects.filter(endpoint__casino__slug=log).exclude(endpoint__standing=EndpointState.REMOVED)
    for step in kept.order_by("entry_index"):
        found[step.endpoint_id].append(step)
    return found


def is_subscribed_at(steps: Sequence[EndpointStep], entry: LogEntry) -> bool:
    before = [step for step in steps if step.entry_index < entry.index]
    return (
        bool(before) and before[-1].standing == EndpointState.ACTIVE and EVENTS[entry.kind].value in before[-1].events
    )
