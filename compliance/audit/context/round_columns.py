"""RoundColumns: a range of encoded rounds as numpy columns, each round with the rules in force."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import compress, pairwise
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from compliance.audit.context.limits import outside_limits
from compliance.audit.context.pay_sheets import TermsTable, WagerTerms, assign_terms, build_terms_table
from compliance.audit.context.rules_in_force import Indexes, RulesTimeline, load_rules_timeline
from compliance.audit.models import VoidedRound
from compliance.audit.projections.bulk_read import ROUND_HEADER, EncodedRounds, read_encoded_rounds
from compliance.core.accounts.models import Casino
from rounds.engine import RulesInForce
from rounds.intake.columns.round_encoding import (
    EVENT_INDEX,
    NO_TIME,
    WAGER_RECORD,
    WITHDRAWN_INDEX,
    Flags,
    Instants,
    Records,
    decode_events_and_figures,
    from_microseconds,
)
from rounds.rulebook.models import RuleVersion

T = TypeVar("T", bound=np.generic)

NO_RULES_INDEX = -1
# Largest stake in bits: 2**40 cents exceeds any real stake, and stake times odds still fits into 64 bits.
MAX_AMOUNT_BITS = 40
# Arrays of this many 8-byte values fit into a processor's cache several times.
WAGERS_PER_PART = 32_768
ROUND_FIELDS = (
    "indexes", "table_of", "days", "outcomes", "tumbles", "are_plain", "are_void", "events", "figures", "governed_by",
    "counts",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class RoundColumns:
    """A range of rounds as columns. Wagers are one array; `counts[round]` says how many of them belong to each round.

    `governed_by[round]` is an index into `rules_used`, or NO_RULES_INDEX; `table_of[round]` an index into `tables`.
    `days` are counted from bulk_read.DAY_EPOCH. `are_void`: reported as void, or decided so later. `taken_back` are
    corrected rounds, which are not audited: their entry indexes and end times. `first_round` is the position of a
    part's first round in the whole range.
    """

    indexes: Indexes
    tables: Sequence[str]
    table_of: Indexes
    days: Indexes
    outcomes: Indexes
    tumbles: Indexes
    are_plain: Flags
    are_void: Flags
    events: Instants
    figures: Instants
    governed_by: Indexes
    rules_used: tuple[RulesInForce, ...]
    wagers: Records
    counts: Indexes
    known_terms: TermsTable
    timelines: RulesTimeline
    taken_back: Instants
    first_round: int = 0

    @cached_property
    def parts(self) -> tuple[RoundColumns, ...]:
        """The same rounds cut into parts that fit into the processor's cache, so that each step finds the previous
        step's arrays there."""
        ends = np.cumsum(self.counts)
        cuts = np.searchsorted(ends, np.arange(WAGERS_PER_PART, len(self.wagers), WAGERS_PER_PART))
        bounds, wagers = np.unique([0, *cuts, len(ends)]).tolist(), [0, *ends.tolist()]
        if len(bounds) <= 2:
            # A copy: a cached reference to itself would keep the arrays alive until the garbage collector finds the
            # cycle.
            return (replace(self),)
        return tuple(
            self._slice_part(slice(begin, end), slice(wagers[begin], wagers[end])) for begin, end in pairwise(bounds)
        )

    def _slice_part(self, rounds: slice, wagers: slice) -> RoundColumns:
        own = {name: getattr(self, name)[rounds] for name in ROUND_FIELDS}
        return replace(self, **own, wagers=self.wagers[wagers], first_round=rounds.start)

    @property
    def round_slice(self) -> slice:
        """Where the rounds of this part are in the whole range."""
        return slice(self.first_round, self.first_round + len(self.indexes))

    def repeat_per_wager(self, values: NDArray[T]) -> NDArray[T]:
        """Repeats a value per round for each of its wagers."""
        return np.repeat(values, self.counts)

    def reduce_per_round(self, how: np.ufunc, values: Indexes | Flags) -> Indexes:
        """Reduces values per wager to one per round; 0 for a round without wagers."""
        found, some = np.zeros(len(self.counts), np.int64), self.counts > 0
        if some.any():
            found[some] = how.reduceat(values, (np.cumsum(self.counts) - self.counts)[some])
        return found

    @cached_property
    def round_indexes(self) -> Indexes:
        """For each wager, the index of its round."""
        return self.repeat_per_wager(np.arange(len(self.counts)))

    @cached_property
    def started_at(self) -> Instants:
        """Time of the first event of each round."""
        started: Instants = self.events.min(axis=1, initial=NO_TIME)
        return started

    @cached_property
    def ended_at(self) -> Instants:
        """Time of the last event of each round."""
        return round_end_times(self.events)

    @cached_property
    def wager_terms(self) -> WagerTerms:
        return assign_terms(self.known_terms, self.governed_by, self.outcomes, self.counts, self.wagers)

    @cached_property
    def are_outside_limits(self) -> Flags:
        """Whether a wager that was not withdrawn is outside the limits."""
        return outside_limits(self, self.verdicts != WITHDRAWN_INDEX)

    def table_at(self, index: int) -> str | None:
        """The table of the round at this index of the log; None where there is none."""
        place = int(np.searchsorted(self.indexes, index))
        is_round = place < len(self.indexes) and self.indexes[place] == index
        return self.tables[self.table_of[place]] if is_round else None

    # Fields of the wagers that are read often, each copied into contiguous memory.

    @cached_property
    def stakes(self) -> Indexes:
        return np.ascontiguousarray(self.wagers["stake"])

    @cached_property
    def returned(self) -> Indexes:
        return np.ascontiguousarray(self.wagers["returned"])

    @cached_property
    def has_large_amounts(self) -> bool:
        """Whether any stake or returned amount is too large for plain 64-bit arithmetic, or not reported (negative)."""
        return bool(np.bitwise_or.reduce(self.stakes | self.returned, initial=0) >> MAX_AMOUNT_BITS)

    @cached_property
    def verdicts(self) -> NDArray[np.uint8]:
        return np.ascontiguousarray(self.wagers["verdict"])

    @cached_property
    def bets(self) -> NDArray[np.uint8]:
        return np.ascontiguousarray(self.wagers["bet"])


def read_columns(casino: Casino, first: int, last: int, rules_override: RuleVersion | None = None) -> RoundColumns:
    """The rounds among entries first..last-1 that were not taken back. A fixed number of queries."""
    packed = read_encoded_rounds(casino.slug, first, last)
    voided = VoidedRound.objects.filter(log=casino.slug, entry_index__gte=first, entry_index__lt=last)
    indexes = sorted(set(voided.order_by().values_list("entry_index", flat=True)))

    def load_timelines(tables: Sequence[str], began: datetime, ended: datetime) -> RulesTimeline:
        return load_rules_timeline(casino, tables, began, ended, rules_override)

    return build_columns(packed, load_timelines, indexes)


TimelineLoader: TypeAlias = Callable[[Sequence[str], datetime, datetime], RulesTimeline]


def build_columns(packed: EncodedRounds, timelines_for: TimelineLoader, voided: Sequence[int] = ()) -> RoundColumns:
    """`voided` are the indexes of rounds with later decisions: they are never plain, so screening always selects
    them."""
    headers, table_names = np.frombuffer(packed.headers, ROUND_HEADER), packed.tables
    counts = headers["wager_bytes"].astype(np.int64) // WAGER_RECORD.itemsize
    (events, figures), wagers = decode_events_and_figures([packed.events]), np.frombuffer(packed.wagers, WAGER_RECORD)
    is_taken_back = headers["is_taken_back"]
    taken_back = np.stack([headers["index"][is_taken_back].astype(np.int64), round_end_times(events[is_taken_back])])
    if len(taken_back[0]):
        table_names = list(compress(table_names, ~is_taken_back))
        headers, events, figures, wagers = (
            headers[~is_taken_back],
            events[~is_taken_back],
            figures[~is_taken_back],
            wagers[np.repeat(~is_taken_back, counts)],
        )
        counts = counts[~is_taken_back]
    names = sorted(set(table_names))
    place = {name: number for number, name in enumerate(names)}
    table_of = np.fromiter(map(place.__getitem__, table_names), np.int64, len(headers))
    indexes, later = headers["index"].astype(np.int64), np.array(voided, np.int64)
    is_voided = np.isin(indexes, later)
    timelines = _load_timelines(names, events, timelines_for)
    governed_by, used = _rules_by_round(names, table_of, events, timelines)
    return RoundColumns(
        indexes=indexes,
        tables=names,
        table_of=table_of,
        days=headers["day"].astype(np.int64),
        outcomes=headers["outcome"].astype(np.int64),
        tumbles=headers["tumbles"].astype(np.int64),
        are_plain=headers["is_plain"] & ~is_voided,
        are_void=headers["is_void"] | is_voided,
        events=events,
        figures=figures,
        governed_by=governed_by,
        rules_used=used,
        wagers=wagers,
        counts=counts,
        known_terms=build_terms_table(used),
        timelines=timelines,
        taken_back=taken_back,
    )


def round_end_times(events: Instants) -> Instants:
    """Time of the last event of each round."""
    ended: Instants = np.where(events == NO_TIME, 0, events).max(axis=1, initial=0)
    return ended


def _load_timelines(names: Sequence[str], events: Instants, timelines_for: TimelineLoader) -> RulesTimeline:
    if not names:
        return RulesTimeline((), ())
    ended = int(np.where(events == NO_TIME, 0, events).max())
    return timelines_for(names, from_microseconds(int(events.min())), from_microseconds(ended))


def _rules_by_round(
    names: Sequence[str], table_of: Indexes, events: Instants, timelines: RulesTimeline
) -> tuple[Indexes, tuple[RulesInForce, ...]]:
    """RulesTimeline.rules_for_round for all rounds, computed once per period in which nothing changes."""
    places: dict[int, int] = {}
    used: list[RulesInForce] = []
    governed_by = np.full(len(table_of), NO_RULES_INDEX, np.int64)
    for number, table in enumerate(names):
        for alike, rules_in_force in _rules_by_commencement(
            timelines, table, np.flatnonzero(table_of == number), events
        ):
            place = places.setdefault(id(rules_in_force), len(used))
            if place == len(used):
                used.append(rules_in_force)
            governed_by[alike] = place
    return governed_by, tuple(used)


def _rules_by_commencement(
    timelines: RulesTimeline, table: str, rounds: Indexes, events: Instants
) -> Iterator[tuple[Indexes, RulesInForce]]:
    """The rules in force at the first event say which event is the commencement; the rules in force then govern the
    round."""
    for alike, first in _rounds_between_changes(timelines, table, rounds, events[rounds].min(axis=1)):
        rule = first.pack.conduct.commencement
        named = EVENT_INDEX.get(rule.event) if rule is not None else None
        commenced = events[alike, named] if named is not None else np.full(len(alike), NO_TIME)
        is_named = commenced != NO_TIME
        yield alike[~is_named], first
        yield from _rounds_between_changes(timelines, table, alike[is_named], commenced[is_named])


def _rounds_between_changes(
    timelines: RulesTimeline, table: str, rounds: Indexes, instants: Instants
) -> Iterator[tuple[Indexes, RulesInForce]]:
    """Rounds grouped by the period in which nothing changes. Rounds without rules in force are left out."""
    between = timelines.period_indexes(table, instants)
    for place in np.unique(between):
        own = between == place
        rules_in_force = timelines.rules_at(table, from_microseconds(int(instants[own][0])))
        if isinstance(rules_in_force, RulesInForce):
            yield rounds[own], rules_in_force
