"""The stretches of the log that a trial looks at: the audited part of each block where something fits its scope."""

from datetime import UTC, date, datetime, time, timedelta

from django.db.models import QuerySet

from compliance.audit.models import BLOCK_ENTRIES, Block, Happening, PlayedDay
from compliance.audit.over_time import JUDGED_AT
from compliance.audit.scope import EVERYWHERE, Scope
from compliance.trials.models import Stretch, Trial

# A gaming day may begin a day before or end a day after its date by UTC, wherever the casino is.
ANY_CLOCK = timedelta(days=3)


def plan_stretches(trial: Trial) -> list[Stretch]:
    """In the order of the log. Anything more than is needed only costs time: what does not fit is left out later."""
    blocks = Block.objects.filter(log=trial.casino.slug).order_by("number")
    wanted = None if trial.scope == EVERYWHERE else _blocks_within(trial.casino.slug, trial.scope)
    return [
        Stretch(trial=trial, first=block.first, last=block.audited_to)
        for block in blocks
        if block.audited_to > block.first and (wanted is None or block.number in wanted)
    ]


def _blocks_within(log: str, scope: Scope) -> set[int]:
    """By what the audit added up of rounds, and by when everything else happened."""
    played, happened = PlayedDay.objects.filter(log=log), Happening.objects.filter(log=log, kind__in=JUDGED_AT)
    if scope.tables:
        played, happened = played.filter(table__in=scope.tables), happened.filter(table__in=scope.tables)
    if scope.first_on:
        played = played.filter(gaming_day__gte=scope.first_on)
        happened = happened.filter(at__gte=_midnight(scope.first_on) - ANY_CLOCK)
    if scope.last_on:
        played = played.filter(gaming_day__lte=scope.last_on)
        happened = happened.filter(at__lte=_midnight(scope.last_on) + ANY_CLOCK)
    return {*_numbers(played, "first"), *_numbers(happened, "entry_index")}


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)


def _numbers(rows: QuerySet[PlayedDay] | QuerySet[Happening], place: str) -> set[int]:
    indexes = rows.order_by().values_list(place, flat=True).distinct()
    return {index // BLOCK_ENTRIES for index in indexes.iterator()}
