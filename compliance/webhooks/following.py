"""Entries become deliveries: one for each endpoint that was on and wanted the event when the entry was recorded.

Which those are is read from the endpoints' own entries, so that it does not matter how late the log is followed.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from compliance.web.moments import Clock
from compliance.webhooks.messages import EVENTS, message_id_of, write_message
from compliance.webhooks.models import Delivery, EndpointStep
from compliance.webhooks.states import Standing
from rounds.ledger.following import Recorded, every_log, follow_to_the_end

CONSUMER = "webhooks"


def follow_events(clock: Clock, logs: Iterable[str] | None = None) -> int:
    """Take in whatever is new; how many entries the cursor passed."""
    where = every_log() if logs is None else logs
    return follow_to_the_end(CONSUMER, where, lambda entries: take_entries(entries, clock()), kinds=EVENTS)


def take_entries(entries: Sequence[Recorded], now: datetime) -> None:
    """The handler of `follow`: one transaction with the cursor, entries of one log in their order."""
    steps = steps_of(entries[0].log)
    Delivery.objects.bulk_create(
        Delivery(
            endpoint_id=endpoint_id, message_id=message_id_of(entry, endpoint_id), event=EVENTS[entry.kind],
            entry_index=entry.index, body=write_message(entry, endpoint_id), made_at=now, next_try_at=now,
        )
        for entry in entries
        for endpoint_id, taken in steps.items()
        if wanted(taken, entry)
    )  # fmt: skip


def steps_of(log: str) -> dict[int, list[EndpointStep]]:
    """Of the endpoints of that log's casino that were not removed since, each in the order of the log."""
    found: dict[int, list[EndpointStep]] = defaultdict(list)
    kept = EndpointStep.objects.filter(endpoint__casino__slug=log).exclude(endpoint__standing=Standing.REMOVED)
    for step in kept.order_by("entry_index"):
        found[step.endpoint_id].append(step)
    return found


def wanted(steps: Sequence[EndpointStep], entry: Recorded) -> bool:
    before = [step for step in steps if step.entry_index < entry.index]
    return bool(before) and before[-1].standing == Standing.ACTIVE and EVENTS[entry.kind].value in before[-1].events
