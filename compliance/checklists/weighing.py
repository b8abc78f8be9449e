"""What each round weighs in a sample: one ticket, and those that the sample's factors add. Reads only."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from compliance.audit.models import Finding, Happening, PackedRound
from compliance.audit.packing import NEVER, STREAKS, Flags, microseconds
from compliance.checklists.factors import BASE
from compliance.checklists.models import Sample
from compliance.checklists.readings import hangs_on_a_reading
from compliance.checklists.seen import Places, Seen, see_rounds
from compliance.fairness.models import Signal, SubjectKind
from rounds.engine.bets import BET_INDEX

PLACED = ("dice-placed", "shaker-placed")
STREAK_BETS = np.array(sorted(BET_INDEX[code] for code in STREAKS), dtype=np.uint8)
ABOUT_WAGERS = frozenset({"large-stake", "streak", "reading"})
ABOUT_ENTRIES = frozenset({"by-people", "late"})
MICROSECOND = timedelta(microseconds=1)

Holds = Callable[[Seen], Flags]


@dataclass(frozen=True, eq=False)
class Weighed:
    """Rounds in the order of the log. Bit n of `factors`: the sample's factor n holds for the round."""

    entries: Places
    weights: Places
    factors: Places


class Scales:
    """Weighs the rounds of one sample, stretch by stretch. What its factors look for elsewhere is read once."""

    def __init__(self, sample: Sample) -> None:
        self.sample = sample
        chosen = sample.chosen_factors
        slugs = {one.factor.slug for one in chosen}
        self._tests = [(one.adds, TESTS[one.factor.slug](sample, one.threshold)) for one in chosen]
        self._with_wagers, self._with_entries = bool(slugs & ABOUT_WAGERS), bool(slugs & ABOUT_ENTRIES)

    def weigh(self, first: int, last: int) -> Weighed:
        """The rounds of entries first..last-1 that could be drawn."""
        seen = see_rounds(
            self.sample, first, last, with_wagers=self._with_wagers, with_entries=self._with_entries
        )  # fmt: skip
        weights, factors = np.full(len(seen.entries), BASE, np.int64), np.zeros(len(seen.entries), np.int64)
        for number, (adds, holds) in enumerate(self._tests):
            held = holds(seen).astype(np.int64)
            weights += adds * held
            factors |= held << number
        return Weighed(seen.entries, weights, factors)


def _has_finding(sample: Sample, _: int) -> Holds:
    found = _findings(sample).filter(subject_index__lt=sample.up_to)
    indexes = np.array(sorted(set(found.values_list("subject_index", flat=True))), np.int64)
    return lambda seen: np.isin(seen.entries, indexes)


def _findings(sample: Sample) -> Any:
    """Also those that were superseded since: what weighed then weighs the same for ever."""
    return Finding.objects.filter(log=sample.log, entry_index__lt=_known_up_to(sample)).order_by()


def _known_up_to(sample: Sample) -> int:
    return int((sample.weights or {})["known_up_to"])


def _has_large_stake(_: Sample, cents: int) -> Holds:
    return lambda seen: seen.with_any(seen.wagers["stake"] >= cents)


def _has_streak(_: Sample, __: int) -> Holds:
    return lambda seen: seen.with_any(np.isin(seen.wagers["bet"], STREAK_BETS))


def _is_by_people(_: Sample, __: int) -> Holds:
    return lambda seen: seen.are_by_people


def _is_late(_: Sample, hours: int) -> Holds:
    most = timedelta(hours=hours) // MICROSECOND
    return lambda seen: seen.recorded - seen.ended > most


def _is_unusual(_: Sample, __: int) -> Holds:
    return lambda seen: seen.are_unusual


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
    by_table: dict[str, list[int]] = defaultdict(list)
    for table, at in events:
        by_table[table].append(microseconds(at))
    instants = {table: np.array([*sorted(found), NEVER], np.int64) for table, found in by_table.items()}

    def holds(seen: Seen) -> Flags:
        held = np.zeros(len(seen.entries), np.bool_)
        for table in instants.keys() & set(seen.tables):
            own = seen.at(table)
            began = seen.started[own]
            first = instants[table][np.searchsorted(instants[table], began - before // MICROSECOND)]
            held[own] = first < began if after is None else first <= began + after // MICROSECOND
        return held

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
    "reading": hangs_on_a_reading,
    "new-equipment": _after_placing,
    "signal": _near_signal,
}
