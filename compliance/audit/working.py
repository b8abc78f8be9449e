"""One worker's turn at a log: take in what is new, then audit blocks until none is left or the time is up."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from django.utils import timezone

from compliance.accounts.models import Casino
from compliance.audit.following import follow_log
from compliance.audit.models import Coverage
from compliance.audit.packed import CONSUMER
from compliance.audit.recording import audit_next_blocks
from rounds.floor import reported
from rounds.ledger.following import follow_to_the_end, followed_up_to


def audit_log(
    casino: Casino, *, is_time_up: Callable[[], bool] = lambda: False, within: tuple[int, int] | None = None
) -> Iterator[Coverage]:
    """Every block that waits, one after the other. Any number of workers may do this at once."""
    if not catch_up(casino.slug):
        return
    while not is_time_up():
        covered = audit_next_blocks(casino=casino, now=timezone.now(), within=within)
        if not covered:
            return
        yield from covered


def catch_up(log: str) -> bool:
    """Follow the log, and let the floor follow it as far: a table's reported facts must be there to judge by.

    False where another worker is just doing so and the floor is still behind: it will ring again.
    """
    follow_log(log)
    follow_to_the_end(reported.CONSUMER, [log], reported.take_reports, kinds=reported.FOLLOWED)
    return followed_up_to(reported.CONSUMER, log) >= followed_up_to(CONSUMER, log)
