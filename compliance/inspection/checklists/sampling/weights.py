"""Weight of each round in a sample: one ticket, plus those of the sample's factors. Reads only."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from compliance.analysis.fairness.models import Signal, SubjectKind
from compliance.audit.models import Finding, PackedRound, TimelineEvent
from compliance.inspection.checklists.models import Sample
from compliance.inspection.checklists.sampling.reading_dependence import depends_on_reading
from compliance.inspection.checklists.sampling.sampled_columns import Indexes, SampledColumns, read_round_columns
from compliance.inspection.checklists.sampling_factors import BASE_WEIGHT
from rounds.engine import BET_INDEX
from rounds.intake.columns.round_encoding import NO_TIME, STREAK_BET_CODES, Flags, to_microseconds
from rounds.intake.entry_kinds import DICE_PLACED, SHAKER_PLACED

PLACEMENT_KINDS = (DICE_PLACED, SHAKER_PLACED)
STREAK_BETS = np.array(sorted(BET_INDEX[code] for code in STREAK_BET_CODES), dtype=np.uint8)
FACTORS_NEEDING_WAGERS = frozenset({"large-stake", "streak", "reading"})
FACTORS_NEEDING_ENTRIES = frozenset({"by-people", "late"})
MICROSECOND = timedelta(microseconds=1)

RoundTest = Callable[[SampledColumns], Flags]


@dataclass(frozen=True, eq=False)
class WeightedRounds:
    """Rounds in log order. Bit n of `factors` is set if the sample's factor n applies to the round."""

    entries: Indexes
    weights: Indexes
    factors: Indexes


class RoundWeigher:
    """Weighs the rounds of one sample, range by range. Data that its factors need from elsewhere is read once."""

    def __init__(self, sample: Sample) -> None:
        self.sample = sample
        chosen = sample.chosen_factors
        slugs = {one.factor.slug for one in chosen}
        self._tests = [(one.adds, FACTOR_TESTS[one.factor.slug](sample, one.threshold)) for one in chosen]
        self._with_wagers, self._with_entries = (
            bool(slugs & FACTORS_NEEDING_WAGERS),
            bool(slugs & FACTORS_NEEDING_ENTRIES),
        )

    def weigh(self, first: int, last: int) -> WeightedRounds:
        """Weighs the rounds of the population in entries first..last-1."""
        rounds = read_round_columns(
            self.sample, first, last, with_wagers=self._with_wagers, with_entries=self._with_entries
        )
        weights, factors = np.full(len(rounds.entries), BASE_WEIGHT, np.int64), np.zeros(len(rounds.entries), np.int64)
        for number, (adds, test) in enumerate(self._tests):
            applies = test(rounds).astype(np.int64)
            weights += adds * applies
            factors |= applies << number
        return WeightedRounds(rounds.entries, weights, factors)


def _has_finding(sample: Sample, _: int) -> RoundTest:
    found = _known_findings(sample).filter(subject_index__lt=sample.up_to)
    indexes = np.array(sorted(set(found.values_list("subject_index", flat=True))), np.int64)
    return lambda rounds: np.isin(rounds.entries, indexes)


def _known_findings(sample: Sample) -> Any:
    """Includes findings superseded since, so that the weights never change."""
    return Finding.objects.filter(log=sample.log, entry_index__lt=_known_up_to(sample)).order_by()


def _known_up_to(sample: Sample) -> int:
    return int((sample.weights or {})["known_up_to"])


def _has_large_stake(_: Sample, cents: int) -> RoundTest:
    return lambda rounds: rounds.rounds_with_any(rounds.wagers["stake"] >= cents)


def _has_streak(_: Sample, __: int) -> RoundTest:
    return lambda rounds: rounds.rounds_with_any(np.isin(rounds.wagers["bet"], STREAK_BETS))


def _is_recorded_by_people(_: Sample, __: int) -> RoundTest:
    return lambda rounds: rounds.are_by_people


def _is_recorded_late(_: Sample, hours: int) -> RoundTest:
    most = timedelta(hours=hours) // MICROSECOND
    return lambda rounds: rounds.recorded - rounds.ended > most


def _is_unusual(_: Sample, __: int) -> RoundTest:
    return lambda rounds: rounds.are_unusual


def _follows_table_findings(sample: Sample, days: int) -> RoundTest:
    span = timedelta(days=days)
    found = _known_findings(sample).filter(at__gte=sample.since - span, at__lt=sample.until).exclude(table="")
    return _is_near_event(found.values_list("table", "at"), before=span)


def _is_near_correction(sample: Sample, hours: int) -> RoundTest:
    span = timedelta(hours=hours)
    taken_back = PackedRound.objects.filter(
        log=sample.log,
        taken_back_index__lt=sample.up_to,
        started_at__gte=sample.since - span,
        started_at__lt=sample.until + span,
    )
    return _is_near_event(taken_back.values_list("table", "started_at"), before=span, after=span)


def _follows_equipment_placement(sample: Sample, hours: int) -> RoundTest:
    span = timedelta(hours=hours)
    placed = TimelineEvent.objects.filter(
        log=sample.log,
        kind__in=PLACEMENT_KINDS,
        entry_index__lt=sample.up_to,
        at__gte=sample.since - span,
        at__lt=sample.until,
    ).exclude(taken_back_index__lt=sample.up_to)
    return _is_near_event(placed.values_list("table", "at"), before=span)


def _is_near_fairness_signal(sample: Sample, days: int) -> RoundTest:
    span = timedelta(days=days)
    signals = Signal.objects.filter(
        log=sample.log,
        entry_index__lt=_known_up_to(sample),
        found_at__gte=sample.since - span,
        found_at__lt=sample.until + span,
    )
    return _is_near_event(
        ((table, one.found_at) for one in signals for table in _tables_of_signal(one)), before=span, after=span
    )


def _tables_of_signal(signal: Signal) -> set[str]:
    """The table itself, or those where the dice or the shaker were used."""
    own = {signal.subject} if signal.subject_kind == SubjectKind.TABLE else set()
    return own | {str(played["table"]) for played in signal.played}


def _is_near_event(
    events: Iterable[tuple[str, datetime]], *, before: timedelta, after: timedelta | None = None
) -> RoundTest:
    """Test whether an event occurred at the round's table within `before` its start or, with `after`, also within
    `after` its start."""
    by_table: dict[str, list[int]] = defaultdict(list)
    for table, at in events:
        by_table[table].append(to_microseconds(at))
    instants = {table: np.array([*sorted(found), NO_TIME], np.int64) for table, found in by_table.items()}

    def rounds_near_event(rounds: SampledColumns) -> Flags:
        applies = np.zeros(len(rounds.entries), np.bool_)
        for table in instants.keys() & set(rounds.tables):
            own = rounds.rounds_at(table)
            began = rounds.started[own]
            first = instants[table][np.searchsorted(instants[table], began - before // MICROSECOND)]
            applies[own] = first < began if after is None else first <= began + after // MICROSECOND
        return applies

    return rounds_near_event


FACTOR_TESTS: Mapping[str, Callable[[Sample, int], RoundTest]] = {
    "finding": _has_finding,
    "large-stake": _has_large_stake,
    "table-findings": _follows_table_findings,
    "by-people": _is_recorded_by_people,
    "late": _is_recorded_late,
    "near-correction": _is_near_correction,
    "unusual": _is_unusual,
    "streak": _has_streak,
    "reading": depends_on_reading,
    "new-equipment": _follows_equipment_placement,
    "signal": _is_near_fairness_signal,
}
