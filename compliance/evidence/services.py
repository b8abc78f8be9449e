"""What people ask for: evidence to take away, and a verification now. Workers do it; the rows here remember it."""

from collections.abc import Sequence
from datetime import date, datetime

from django.db import transaction

from compliance.accounts.models import Casino, User
from compliance.audit.selectors import span_of_days, wagers_of_days
from compliance.evidence.errors import NothingToTake, TooManyWagers, TooMuchToTake
from compliance.evidence.models import Bundle
from compliance.evidence.selectors import may_take
from compliance.web.bell import ring
from compliance.web.errors import NotFound
from rounds.ledger.searching import size_of, span_between
from rounds.ledger.tasks import VERIFY
from rounds.ledger.verifying import ask_for_verification

PREPARE = "compliance.evidence.tasks.prepare_bundles"
# What a worker writes and packs well within its time limit.
MOST_ENTRIES = 500_000
MOST_CHOSEN = 1_000
MOST_WAGERS = 5_000_000
NO_DAYS = (None, None)


@transaction.atomic
def ask_for_range(*, casino: Casino, first: int, last: int, actor: User, now: datetime) -> Bundle:
    """Every entry from first to last, both included."""
    require_taker(actor, casino)
    if not 0 <= first <= last < size_of(casino.slug):
        raise NothingToTake
    return _ask(casino, first, last + 1, None, actor, now)


@transaction.atomic
def ask_for_times(*, casino: Casino, since: datetime, until: datetime, actor: User, now: datetime) -> Bundle:
    """What was recorded from one moment to before the other, and whatever lies between its first and last entry."""
    require_taker(actor, casino)
    span = span_between(casino.slug, since, until)
    if span is None:
        raise NothingToTake("Nothing was recorded in that time.")
    return _ask(casino, span[0], span[1] + 1, None, actor, now)


@transaction.atomic
def ask_for_chosen(*, casino: Casino, indexes: Sequence[int], actor: User, now: datetime) -> Bundle:
    """These entries alone, each with its own proof: nothing is told of those between them."""
    require_taker(actor, casino)
    chosen = sorted(set(indexes))
    if not chosen or chosen[0] < 0 or chosen[-1] >= size_of(casino.slug):
        raise NothingToTake
    if len(chosen) > MOST_CHOSEN:
        raise TooMuchToTake(f"At most {MOST_CHOSEN:,} single entries can be chosen.")
    return _ask(casino, chosen[0], chosen[-1] + 1, chosen, actor, now)


@transaction.atomic
def ask_for_days(*, casino: Casino, first_day: date, last_day: date, actor: User, now: datetime) -> Bundle:
    """The wagers of these gaming days, both included, as Parquet files for analysis."""
    require_taker(actor, casino)
    span = span_of_days(casino.slug, first_day, last_day)
    if span is None:
        raise NothingToTake("The audit knows no rounds of these gaming days yet.")
    wagers = wagers_of_days(casino.slug, first_day, last_day)
    if wagers > MOST_WAGERS:
        raise TooManyWagers(f"That is {wagers:,} wagers; one file holds at most {MOST_WAGERS:,}.")
    return _ask(casino, *span, None, actor, now, days=(first_day, last_day))


def _ask(
    casino: Casino, first: int, end: int, chosen: list[int] | None, actor: User, now: datetime,
    days: tuple[date, date] | tuple[None, None] = NO_DAYS,
) -> Bundle:  # fmt: skip
    if chosen is None and days == NO_DAYS and end - first > MOST_ENTRIES:
        raise TooMuchToTake(f"That is {end - first:,} entries; one bundle holds at most {MOST_ENTRIES:,}.")
    bundle = Bundle.objects.create(
        casino=casino,
        asked_by=actor,
        asked_by_name=actor.name,
        asked_at=now,
        first_index=first,
        end_index=end,
        chosen=chosen,
        first_day=days[0],
        last_day=days[1],
    )
    ring(PREPARE)
    return bundle


@transaction.atomic
def verify_now(*, casino: Casino, actor: User, now: datetime) -> None:
    require_taker(actor, casino)
    ask_for_verification(log=casino.slug, by=actor.name, now=now)
    ring(VERIFY)


def require_taker(actor: User, casino: Casino) -> None:
    if not may_take(actor, casino):
        raise NotFound
