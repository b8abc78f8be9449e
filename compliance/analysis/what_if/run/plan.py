"""Plans the entry ranges of a trial: the audited part of each block with something in its scope."""

from datetime import UTC, date, datetime, time, timedelta

from django.db.models import QuerySet

from compliance.analysis.what_if.models import Trial, TrialRange
from compliance.analysis.what_if.scope import FULL_SCOPE, TrialScope
from compliance.audit.models import BLOCK_ENTRIES, Block, DailyTotals, TimelineEvent
from compliance.audit.run.evaluate_timeline import CHECKED_ENTRY_KINDS

# A gaming day may begin before or end after its UTC date, depending on the time zone.
TIME_ZONE_MARGIN = timedelta(days=3)


def plan_ranges(trial: Trial) -> list[TrialRange]:
    """In log order. May include too much, which only costs time: compare_range filters by scope."""
    blocks = Block.objects.filter(log=trial.casino.slug).order_by("number")
    numbers = None if trial.scope == FULL_SCOPE else _blocks_in_scope(trial.casino.slug, trial.scope)
    return [
        TrialRange(trial=trial, first=block.first, last=block.audited_to)
        for block in blocks
        if block.audited_to > block.first and (numbers is None or block.number in numbers)
    ]


def _blocks_in_scope(log: str, scope: TrialScope) -> set[int]:
    """Blocks with rounds by the daily totals, and with other entries by their time."""
    totals, events = (
        DailyTotals.objects.filter(log=log),
        TimelineEvent.objects.filter(log=log, kind__in=CHECKED_ENTRY_KINDS),
    )
    if scope.tables:
        totals, events = totals.filter(table__in=scope.tables), events.filter(table__in=scope.tables)
    if scope.first_on:
        totals = totals.filter(gaming_day__gte=scope.first_on)
        events = events.filter(at__gte=_utc_midnight(scope.first_on) - TIME_ZONE_MARGIN)
    if scope.last_on:
        totals = totals.filter(gaming_day__lte=scope.last_on)
        events = events.filter(at__lte=_utc_midnight(scope.last_on) + TIME_ZONE_MARGIN)
    return {*_block_numbers(totals, "first"), *_block_numbers(events, "entry_index")}


def _utc_midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)


def _block_numbers(rows: QuerySet[DailyTotals] | QuerySet[TimelineEvent], place: str) -> set[int]:
    indexes = rows.order_by().values_list(place, flat=True).distinct()
    return {index // BLOCK_ENTRIES for index in indexes.iterator()}
