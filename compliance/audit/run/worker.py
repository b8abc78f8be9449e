"""One worker's turn at a log: consume new entries, then audit blocks until none waits or the time is up."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from django.utils import timezone

from compliance.audit.models import Block, Coverage
from compliance.audit.projections.rounds import CONSUMER
from compliance.audit.run.consumer import consume_log
from compliance.audit.run.record_findings import MIN_BLOCKS_PER_BATCH, audit_next_blocks
from compliance.core.accounts.models import Casino
from rounds.intake import consumer
from rounds.ledger import consume_all, position_of


def audit_log(
    casino: Casino,
    *,
    is_time_up: Callable[[], bool] = lambda: False,
    within: tuple[int, int] | None = None,
    wake_helper: Callable[[], None] = lambda: None,
) -> Iterator[Coverage]:
    """Audits every waiting block. Any number of workers may run this at once.

    Wakes a second worker when this one added more blocks than it can audit in one batch. A worker that finds the log
    being consumed by another has exited, so without this the whole backlog would be audited by one. Never wakes without
    new entries, so that a log that cannot be audited is not retried in a loop.
    """
    new_entries = _consume(casino.slug)
    if not _is_floor_up_to_date(casino.slug):
        return
    if new_entries and Block.objects.filter(log=casino.slug).waiting().count() > MIN_BLOCKS_PER_BATCH:
        wake_helper()
    while not is_time_up():
        covered = audit_next_blocks(casino=casino, now=timezone.now(), within=within)
        if not covered:
            return
        yield from covered


def consume_new_entries(log: str) -> bool:
    """False where another worker is consuming and the floor's consumer is still behind."""
    _consume(log)
    return _is_floor_up_to_date(log)


def _consume(log: str) -> int:
    """Number of entries consumed by the audit and the floor; 0 where another worker is consuming."""
    return consume_log(log) + consume_all(
        consumer.CONSUMER, [log], consumer.handle_entries, kinds=consumer.CONSUMED_KINDS
    )


def _is_floor_up_to_date(log: str) -> bool:
    """The facts that tables report must be stored before rounds can be checked by them."""
    return position_of(consumer.CONSUMER, log) >= position_of(CONSUMER, log)
