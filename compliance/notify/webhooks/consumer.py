"""Consumer that turns entries into deliveries, one for each endpoint that was active and subscribed at the time. This
is read from the endpoints' own entries, so the result does not depend on when the log is consumed."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from compliance.core.web.local_time import Clock
from compliance.notify.webhooks.delivery.payloads import build_message, build_message_id, event_by_kind
from compliance.notify.webhooks.models import Delivery, EndpointStep
from compliance.notify.webhooks.states import EndpointState, Event
from rounds.ledger import LogEntry, consume_all, every_log

CONSUMER = "webhooks"


def consume_events(clock: Clock, logs: Iterable[str] | None = None) -> int:
    """Consumes new entries; returns how many the cursor passed."""
    where = every_log() if logs is None else logs
    return consume_all(CONSUMER, where, lambda entries: handle_entries(entries, clock()), kinds=event_by_kind())


def handle_entries(entries: Sequence[LogEntry], now: datetime) -> None:
    """Handler of the consumer, in one transaction with the cursor; entries are of one log, in order."""
    steps, events = endpoint_steps(entries[0].log), event_by_kind()
    Delivery.objects.bulk_create(
        Delivery(
            endpoint_id=endpoint_id,
            message_id=build_message_id(entry, endpoint_id),
            event=events[entry.kind],
            entry_index=entry.index,
            body=build_message(entry, endpoint_id),
            made_at=now,
            next_try_at=now,
        )
        for entry in entries
        for endpoint_id, taken in steps.items()
        if is_subscribed_at(taken, entry.index, events[entry.kind])
    )


def endpoint_steps(log: str) -> dict[int, list[EndpointStep]]:
    """Steps of the endpoints of that log's casino that were not removed, in log order."""
    by_endpoint: dict[int, list[EndpointStep]] = defaultdict(list)
    steps = EndpointStep.objects.filter(endpoint__casino__slug=log).exclude(endpoint__standing=EndpointState.REMOVED)
    for step in steps.order_by("entry_index"):
        by_endpoint[step.endpoint_id].append(step)
    return by_endpoint


def is_subscribed_at(steps: Sequence[EndpointStep], index: int, event: Event) -> bool:
    before = [step for step in steps if step.entry_index < index]
    return bool(before) and before[-1].standing == EndpointState.ACTIVE and event.value in before[-1].events
