"""Search in a log, newest first, with keyset pagination by index: later pages cost no more than the first."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, tzinfo

from django.db import connection
from django.db.models import QuerySet

from rounds.ledger.entry import LogEntry, entry_from_row
from rounds.ledger.models import Entry, Head, IndexedTerm, Log, Reversal
from rounds.ledger.readers.consumer import position_of
from rounds.ledger.readers.search_index import CONSUMER, PERSON, ROUND
from rounds.ledger.storage import get_log

PAGE_SIZE = 50
BATCH_SIZE = 500
# Limit for passing indexes as a list. A term with more matches is filtered by a subquery: it fills a page quickly.
MAX_INDEX_LIST = 1000

# ``index + 0`` keeps PostgreSQL from using the primary key for min() and max(). It would scan the entries from either
# end until one is within the period: in the worst case all of them.
INDEX_SPAN_SQL = """
SELECT min(index + 0), max(index + 0) FROM ledger_entry
WHERE log_id = %s AND recorded_at >= coalesce(%s::timestamptz, '-infinity')
  AND recorded_at < coalesce(%s::timestamptz, 'infinity')
"""
# The boundaries of the days come from Python, because they depend on the time zone. Day 1 begins at the first.
COUNT_BY_DAY_SQL = """
SELECT width_bucket(recorded_at, %s::timestamptz[]), count(*) FROM ledger_entry
WHERE log_id = %s AND recorded_at >= %s AND recorded_at < %s GROUP BY 1
"""


@dataclass(frozen=True, kw_only=True)
class EntryQuery:
    """Search criteria. `people` are values as stored in the search index, joined by OR. `until` is exclusive."""

    table: str = ""
    round: str = ""
    kind: str = ""
    other_than_kinds: Sequence[str] = ()
    since: datetime | None = None
    until: datetime | None = None
    people: Sequence[str] | None = None


@dataclass(frozen=True)
class SearchPage:
    """One page of entries, newest first. `older` and `newer` are the cursors of the neighbouring pages, if there are
    any.

    `unread` is how many of the newest entries the search index does not cover yet.
    """

    entries: list[LogEntry] = field(default_factory=list)
    older: int | None = None
    newer: int | None = None
    unread: int = 0


def search_entries(
    log: str, wanted: EntryQuery, *, before: int | None = None, after: int | None = None, limit: int = PAGE_SIZE
) -> SearchPage:
    """The newest matching entries; with `before` the next older ones, with `after` the next newer ones."""
    stored_log = get_log(log)
    fitting = _matching_entries(stored_log, wanted)
    unread = _unindexed_count(stored_log) if wanted.round or wanted.people is not None else 0
    if fitting is None:
        return SearchPage(unread=unread)
    if after is not None:
        rows = list(fitting.filter(index__gt=after).order_by("index")[: limit + 1])
        page = rows[:limit][::-1]
        has_newer, has_older = len(rows) > limit, bool(page)
    else:
        older = fitting if before is None else fitting.filter(index__lt=before)
        rows = list(older.order_by("-index")[: limit + 1])
        page = rows[:limit]
        has_newer, has_older = before is not None, len(rows) > limit
    return SearchPage(
        [entry_from_row(log, row) for row in page],
        older=page[-1].index if page and has_older else None,
        newer=page[0].index if page and has_newer else None,
        unread=unread,
    )


def iterate_matches(log: str, wanted: EntryQuery) -> Iterator[LogEntry]:
    """All matches, newest first, fetched in batches. Ends with the log as it was at the first batch."""
    before: int | None = None
    while True:
        page = search_entries(log, wanted, before=before, limit=BATCH_SIZE)
        yield from page.entries
        before = page.older
        if before is None:
            return


def count_entries(log: str, wanted: EntryQuery) -> int:
    fitting = _matching_entries(get_log(log), wanted)
    return 0 if fitting is None else fitting.count()


def _matching_entries(log: Log, wanted: EntryQuery) -> QuerySet[Entry] | None:
    """None if it is already known that nothing matches."""
    rows = Entry.objects.filter(log=log)
    if wanted.table:
        rows = rows.filter(table=wanted.table)
    if wanted.kind:
        rows = rows.filter(kind=wanted.kind)
    if wanted.other_than_kinds:
        rows = rows.exclude(kind__in=wanted.other_than_kinds)
    if wanted.since or wanted.until:
        span = index_span_between(log.slug, wanted.since, wanted.until)
        if span is None:
            return None
        rows = rows.filter(index__gte=span[0], index__lte=span[1])
        if wanted.since:
            rows = rows.filter(recorded_at__gte=wanted.since)
        if wanted.until:
            rows = rows.filter(recorded_at__lt=wanted.until)
    if wanted.round:
        rows = _filter_by_term(rows, log, ROUND, [wanted.round.casefold()])
    if wanted.people is not None:
        rows = _filter_by_term(rows, log, PERSON, wanted.people)
    return rows


def _filter_by_term(rows: QuerySet[Entry], log: Log, what: str, values: Sequence[str]) -> QuerySet[Entry]:
    naming = IndexedTerm.objects.filter(log=log, what=what, value__in=values)
    few = list(naming.values_list("index", flat=True)[: MAX_INDEX_LIST + 1])
    # A short list of indexes lets PostgreSQL fetch the entries directly. The planner cannot know how few there are.
    return rows.filter(index__in=few) if len(few) <= MAX_INDEX_LIST else rows.filter(index__in=naming.values("index"))


def index_span_between(log: str, since: datetime | None, until: datetime | None) -> tuple[int, int] | None:
    """First and last index of the entries recorded from `since` to before `until`.

    Times rise with the index except for short waits for the lock, so entries in between may lie just outside.
    """
    with connection.cursor() as cursor:
        cursor.execute(INDEX_SPAN_SQL, [get_log(log).pk, since, until])
        row = cursor.fetchone()
    return None if row is None or row[0] is None else row


def _unindexed_count(log: Log) -> int:
    return max(0, size_of(log.slug) - position_of(CONSUMER, log.slug))


def size_of(log: str) -> int:
    return Head.objects.values_list("size", flat=True).get(log__slug=log)


def entry_at(log: str, index: int) -> LogEntry | None:
    row = Entry.objects.filter(log=get_log(log), index=index).first()
    return None if row is None else entry_from_row(log, row)


def corrections_of(log: str, indexes: Collection[int]) -> dict[int, int]:
    """Which of these entries were taken back, and by which correction. One query for a whole page."""
    taken_back = Reversal.objects.filter(log__slug=log, corrected_index__in=indexes)
    return dict(taken_back.values_list("corrected_index", "correction_index"))


def entry_corrected_by(log: str, index: int) -> int | None:
    """The index of the entry that this correction took back."""
    taken_back = Reversal.objects.filter(log__slug=log, correction_index=index)
    return taken_back.values_list("corrected_index", flat=True).first()


@dataclass(frozen=True)
class DailyEntryCount:
    day: date
    entries: int


def entry_counts_by_day(log: str, zone: tzinfo, now: datetime, days: int) -> list[DailyEntryCount]:
    """Entries recorded on each of the last days in the zone's calendar, days without entries included."""
    today = now.astimezone(zone).date()
    calendar = [today - timedelta(days=back) for back in range(days - 1, -2, -1)]
    moments = [datetime.combine(day, datetime.min.time(), zone) for day in calendar]
    with connection.cursor() as cursor:
        cursor.execute(COUNT_BY_DAY_SQL, [moments, get_log(log).pk, moments[0], moments[-1]])
        counted = dict(cursor.fetchall())
    return [DailyEntryCount(day, counted.get(place, 0)) for place, day in enumerate(calendar[:-1], 1)]
