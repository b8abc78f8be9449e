"""Requests for bundles, cancel and retry; requests for a verification. They only queue; workers do the work."""

from collections.abc import Sequence
from datetime import date, datetime

from django.db import transaction

from compliance.audit.selectors import entry_range_of_days, wager_count_of_days
from compliance.core.accounts.models import Casino, User
from compliance.core.web.errors import NotFound
from compliance.core.web.jobs.job import cancel_job, retry_job
from compliance.core.web.jobs.wake import wake
from compliance.transparency.ledger_pages.errors import NothingToExport, TooManyEntries, TooManyWagers
from compliance.transparency.ledger_pages.models import Bundle
from compliance.transparency.ledger_pages.selectors import may_export
from rounds.ledger import readers, size_of, tasks, verify

# What a worker can write and zip well within its time limit.
MAX_ENTRIES = 500_000
MAX_CHOSEN = 1_000
MAX_WAGERS = 5_000_000
NO_GAMING_DAYS = (None, None)


@transaction.atomic
def request_range_bundle(*, casino: Casino, first: int, last: int, actor: User, now: datetime) -> Bundle:
    """Every entry from `first` to `last`, both included."""
    require_may_export(actor, casino)
    if not 0 <= first <= last < size_of(casino.slug):
        raise NothingToExport
    return _request_bundle(casino, first, last + 1, None, actor, now)


@transaction.atomic
def request_period_bundle(*, casino: Casino, since: datetime, until: datetime, actor: User, now: datetime) -> Bundle:
    """What was recorded from `since` to before `until`, and every entry between its first and last."""
    require_may_export(actor, casino)
    span = readers.index_span_between(casino.slug, since, until)
    if span is None:
        raise NothingToExport("Nothing was recorded in that time.")
    return _request_bundle(casino, span[0], span[1] + 1, None, actor, now)


@transaction.atomic
def request_selection_bundle(*, casino: Casino, indexes: Sequence[int], actor: User, now: datetime) -> Bundle:
    """Only these entries, each with its own proof; nothing is revealed about those between them."""
    require_may_export(actor, casino)
    chosen = sorted(set(indexes))
    if not chosen or chosen[0] < 0 or chosen[-1] >= size_of(casino.slug):
        raise NothingToExport
    if len(chosen) > MAX_CHOSEN:
        raise TooManyEntries(f"At most {MAX_CHOSEN:,} single entries can be chosen.")
    return _request_bundle(casino, chosen[0], chosen[-1] + 1, chosen, actor, now)


@transaction.atomic
def request_gaming_days_bundle(
    *, casino: Casino, first_day: date, last_day: date, actor: User, now: datetime
) -> Bundle:
    """The wagers of these gaming days, both included, as Parquet files for analysis."""
    require_may_export(actor, casino)
    span = entry_range_of_days(casino.slug, first_day, last_day)
    if span is None:
        raise NothingToExport("The audit knows no rounds of these gaming days yet.")
    wagers = wager_count_of_days(casino.slug, first_day, last_day)
    if wagers > MAX_WAGERS:
        raise TooManyWagers(f"That is {wagers:,} wagers; one file holds at most {MAX_WAGERS:,}.")
    return _request_bundle(casino, *span, None, actor, now, days=(first_day, last_day))


def _request_bundle(
    casino: Casino,
    first: int,
    end: int,
    chosen: list[int] | None,
    actor: User,
    now: datetime,
    days: tuple[date, date] | tuple[None, None] = NO_GAMING_DAYS,
) -> Bundle:
    if chosen is None and days == NO_GAMING_DAYS and end - first > MAX_ENTRIES:
        raise TooManyEntries(f"That is {end - first:,} entries; one bundle holds at most {MAX_ENTRIES:,}.")
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
    wake(Bundle.task)
    return bundle


def cancel_bundle(*, bundle: Bundle, actor: User, now: datetime) -> Bundle:
    require_may_export(actor, bundle.casino)
    return cancel_job(bundle, by_name=actor.name, now=now)


def retry_bundle(*, bundle: Bundle, actor: User) -> Bundle:
    require_may_export(actor, bundle.casino)
    return retry_job(bundle)


@transaction.atomic
def request_log_verification(*, casino: Casino, actor: User, now: datetime) -> None:
    require_may_export(actor, casino)
    verify.request_verification(log=casino.slug, by=actor.name, now=now)
    wake(tasks.VERIFY_TASK)


def require_may_export(actor: User, casino: Casino) -> None:
    if not may_export(actor, casino):
        raise NotFound
