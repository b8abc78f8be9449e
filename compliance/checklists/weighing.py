"""What each round weighs in a sample: one ticket, and those that the sample's factors add. Reads only."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import numpy as np
from django.db import connection, transaction

from compliance.audit.models import Finding, Happening, PackedRound
from compliance.audit.packing import STREAKS, WAGER
from compliance.checklists.drawing import COULD_BE_DRAWN, chosen_by
from compliance.checklists.factors import BASE, Chosen, read_weights
from compliance.checklists.models import Sample
from compliance.fairness.models import Signal, SubjectKind
from rounds.engine.bets import BET_INDEX
from rounds.intake.persons import IMPORTED
from rounds.ledger.stored import log_named

# The rounds in the order of the log, with what the factors ask about. Wagers are read only where one does.
POPULATION = f"""
WITH played AS (SELECT * {COULD_BE_DRAWN})
SELECT played.entry_index, played."table", played.started_at, played.ended_at,
    played.is_void OR played.have_lights_failed OR NOT played.is_plain,
    CASE WHEN %(with_wagers)s THEN played.wagers END, entry.controller, entry.recorded_at
FROM played JOIN ledger_entry entry ON entry.log_id = %(log_id)s AND entry.index = played.entry_index
ORDER BY played.entry_index
"""  # noqa: S608 - both parts are of the source
PLACED = ("dice-placed", "shaker-placed")
STREAK_BETS = np.array(sorted(BET_INDEX[code] for code in STREAKS), dtype=np.uint8)


class Seen(NamedTuple):
    """A round as the factors see it."""

    entry: int
    table: str
    started_at: datetime
    ended_at: datetime
    is_unusual: bool
    wagers: bytes | None
    controller: str | None
    recorded_at: datetime


@dataclass(frozen=True)
class Weighed:
    index: int
    table: str
    started_at: datetime
    weight: int
    factors: tuple[str, ...]


Holds = Callable[[Seen], bool]


def weigh_rounds(sample: Sample) -> Iterator[Weighed]:
    """Every round that could be drawn, in the order of the log."""
    chosen = read_weights(sample.weights or {"factors": []})
    tests = [(one.factor.slug, one.adds, _test(sample, one)) for one in chosen]
    for seen in _population(sample, with_wagers=any(slug in ("large-stake", "streak") for slug, _, _ in tests)):
        held = [(slug, adds) for slug, adds, holds in tests if holds(seen)]
        weight = BASE + sum(adds for _, adds in held)
        yield Weighed(seen.entry, seen.table, seen.started_at, weight, tuple(slug for slug, _ in held))


def _population(sample: Sample, *, with_wagers: bool) -> Iterator[Seen]:
    asked = chosen_by(sample) | {"with_wagers": with_wagers, "log_id": log_named(sample.log).pk}
    # A cursor of the server lives as long as its transaction.
    with transaction.atomic(), connection.chunked_cursor() as cursor:
        cursor.execute(POPULATION, asked)
        while rows := cursor.fetchmany(2_000):
            yield from map(Seen._make, rows)


def _test(sample: Sample, chosen: Chosen) -> Holds:
    return TESTS[chosen.factor.slug](sample, chosen.threshold)


def _has_finding(sample: Sample, _: int) -> Holds:
    found = _findings(sample).filter(subject_index__lt=sample.up_to)
    indexes = set(found.values_list("subject_index", flat=True))
    return lambda seen: seen.entry in indexes


def _findings(sample: Sample) -> Any:
    """Also those that were superseded since: what weighed then weighs the same for ever."""
    return Finding.objects.filter(log=sample.log, entry_index__lt=_known_up_to(sample)).order_by()


def _known_up_to(sample: Sample) -> int:
    return int((sample.weights or {})["known_up_to"])


def _has_large_stake(_: Sample, cents: int) -> Holds:
    return lambda seen: bool((_wagers(seen)["stake"] >= cents).any())


def _has_streak(_: Sample, __: int) -> Holds:
    return lambda seen: bool(np.isin(_wagers(seen)["bet"], STREAK_BETS).any())


def _wagers(seen: Seen) -> Any:
    return np.frombuffer(seen.wagers or b"", WAGER)


def _is_by_people(_: Sample, __: int) -> Holds:
    return lambda seen: seen.controller is None or seen.controller.startswith(IMPORTED)


def _is_late(_: Sample, hours: int) -> Holds:
    most = timedelta(hours=hours)
    return lambda seen: seen.recorded_at - seen.ended_at > most


def _is_unusual(_: Sample, __: int) -> Holds:
    return lambda seen: seen.is_unusual


def _after_findings(sample: Sample, days: int) -> Holds:
    span = timedelta(days=days)
    found = _findings(sample).filter(at__gte=sample.since - span, at__lt=sample.until).exclude(table="")
    return _near(found.values_list("table", "at"), before=span)


def _near_correction(sample: Sample, hours: int) -> Holds:
    span = timedelta(hours=hours)
    taken_back = PackedRound.objects.filter(
        log=sample.log, taken_back_index__lt=sample.up_to, started_at__gte=sample.since - span,
        started_at__lt=sample.until + span,
    )  # fmt: skip
    return _near(taken_back.values_list("table", "started_at"), before=span, after=span)


def _after_placing(sample: Sample, hours: int) -> Holds:
    span = timedelta(hours=hours)
    placed = Happening.objects.filter(
        log=sample.log, kind__in=PLACED, entry_index__lt=sample.up_to, at__gte=sample.since - span, at__lt=sample.until
    ).exclude(taken_back_index__lt=sample.up_to)
    return _near(placed.values_list("table", "at"), before=span)


def _near_signal(sample: Sample, days: int) -> Holds:
    span = timedelta(days=days)
    signals = Signal.objects.filter(
        log=sample.log, entry_index__lt=_known_up_to(sample), found_at__gte=sample.since - span,
        found_at__lt=sample.until + span,
    )  # fmt: skip
    return _near(((table, one.found_at) for one in signals for table in _tables_of(one)), before=span, after=span)


def _tables_of(signal: Signal) -> set[str]:
    """The table itself, or those where the dice or the shaker played."""
    own = {signal.subject} if signal.subject_kind == SubjectKind.TABLE else set()
    return own | {str(stretch["table"]) for stretch in signal.played}


def _near(events: Iterable[tuple[str, datetime]], *, before: timedelta, after: timedelta | None = None) -> Holds:
    """Whether something happened at the round's table from so long before its beginning on, until it began or for so
    long after it."""
    by_table: dict[str, list[datetime]] = defaultdict(list)
    for table, at in events:
        by_table[table].append(at)
    for instants in by_table.values():
        instants.sort()

    def holds(seen: Seen) -> bool:
        instants = by_table.get(seen.table, [])
        place = bisect_left(instants, seen.started_at - before)
        if place == len(instants):
            return False
        return instants[place] < seen.started_at if after is None else instants[place] <= seen.started_at + after

    return holds


TESTS: Mapping[str, Callable[[Sample, int], Holds]] = {
    "finding": _has_finding,
    "large-stake": _has_large_stake,
    "table-findings": _after_findings,
    "by-people": _is_by_people,
    "late": _is_late,
    "near-correction": _near_correction,
    "unusual": _is_unusual,
    "streak": _has_streak,
    "new-equipment": _after_placing,
    "signal": _near_signal,
}
