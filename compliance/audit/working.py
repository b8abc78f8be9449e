"""One worker's turn at a log: take in what is new, then audit blocks until none is left or the time is up."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from django.utils import timezone

from compliance.accounts.models import Casino
from compliance.audit.following import follow_log
from compliance.audit.models import Block, Coverage
from compliance.audit.packed import CONSUMER
from compliance.audit.recording import FEWEST_AT_ONCE, audit_next_blocks
from rounds.floor import reported
from rounds.ledger.following import follow_to_the_end, followed_up_to


def audit_log(
    casino: Casino,
    *,
    is_time_up: Callable[[], bool] = lambda: False,
    within: tuple[int, int] | None = None,
    call_help: Callable[[], None] = lambda: None,
) -> Iterator[Coverage]:
    """Every block that waits, one after the other. Any number of workers may do this at once.

    Whoever found others still following has left: where they brought work for more than one, they call for help. Never
    otherwise, so that a log that cannot be audited is not tried again and again.
    """
    news = _follow(casino.slug)
    if not _is_floor_level(casino.slug):
        return
    if news and Block.objects.filter(log=casino.slug).waiting().count() > FEWEST_AT_ONCE:
        call_help()
    while not is_time_up():
        covered = audit_next_blocks(casino=casino, now=timezone.now(), within=within)
        if not covered:
            return
        yield from covered


def catch_up(log: str) -> bool:
    """False where another worker is just doing so and the floor is still behind."""
    _follow(log)
    return _is_floor_level(log)


def _follow(log: str) -> int:
    """How many entries were taken in, and by the floor; none where another worker is following."""
    return follow_log(log) + follow_to_the_end(reported.CONSUMER, [log], reported.take_reports, kinds=reported.FOLLOWED)


def _is_floor_level(log: str) -> bool:
    """A table's reported facts must be there to judge by."""
    return followed_up_to(reported.CONSUMER, log) >= followed_up_to(CONSUMER, log)
