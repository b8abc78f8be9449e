"""Reading a stretch of packed rounds as columns, each with the circumstances that governed it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import compress, pairwise
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from compliance.accounts.models import Casino
from compliance.audit.bulk import HEADER, Packed, read_packed
from compliance.audit.circumstances import Places, Timelines, timelines_of
from compliance.audit.limits import outside_limits
from compliance.audit.models import VoidedRound
from compliance.audit.packing import (
    EVENT_PLACE,
    NEVER,
    WAGER,
    WITHDRAWN,
    Flags,
    Instants,
    Records,
    instant_of,
    unpack_rounds,
)
from compliance.audit.seen import Circumstances
from compliance.audit.terms import KnownTerms, OnTerms, known_terms, on_terms
from rounds.rulebook.models import RuleVersion

T = TypeVar("T", bound=np.generic)

UNGOVERNED = -1
# In bits: more cents than anybody stakes. Up to there no product of a stake and its odds overflows.
MOST_BITS = 40
# Eight bytes each of so many fit a processor's own cache a few times over.
WAGERS_A_PART = 32_768
BY_ROUND = (
    "indexes", "table_of", "days", "outcomes", "tumbles", "are_plain", "are_void", "events", "figures", "governed_by",
    "counts",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Columns:
    """`governed_by[round]` is a place in `used`, or UNGOVERNED; `table_of[round]` one in `tables`. `counts[round]` says
    how many of the wagers are its own. `days` are counted from bulk.FIRST_DAY. `are_void`: reported so, or determined
    later. `taken_back` are rounds that are judged no more: their entries, and when each was over. `first_round` is the
    place of the first round here among those of the whole stretch."""

    indexes: Places
    tables: Sequence[str]
    table_of: Places
    days: Places
    outcomes: Places
    tumbles: Places
    are_plain: Flags
    are_void: Flags
    events: Instants
    figures: Instants
    governed_by: Places
    used: tuple[Circumstances, ...]
    wagers: Records
    counts: Places
    known_terms: KnownTerms
    timelines: Timelines
    taken_back: Instants
    first_round: int = 0

    @cached_property
    def parts(self) -> tuple[Columns, ...]:
        """The same, cut between rounds into pieces that a processor's cache holds: what is worked out for every wager
        in one step is still there for the next."""
        ends = np.cumsum(self.counts)
        cuts = np.searchsorted(ends, np.arange(WAGERS_A_PART, len(self.wagers), WAGERS_A_PART))
        bounds, wagers = np.unique([0, *cuts, len(ends)]).tolist(), [0, *ends.tolist()]
        if len(bounds) <= 2:
            # Not itself: what refers to itself stays in memory until somebody looks for such things.
            return (replace(self),)
        return tuple(
            self._part(slice(begin, end), slice(wagers[begin], wagers[end])) for begin, end in pairwise(bounds)
        )

    def _part(self, rounds: slice, wagers: slice) -> Columns:
        own = {name: getattr(self, name)[rounds] for name in BY_ROUND}
        return replace(self, **own, wagers=self.wagers[wagers], first_round=rounds.start)

    @property
    def rounds(self) -> slice:
        """Where the rounds of a part lie among those of the whole stretch."""
        return slice(self.first_round, self.first_round + len(self.indexes))

    def spread(self, values: NDArray[T]) -> NDArray[T]:
        """What holds for rounds, as it holds for each of their wagers."""
        return np.repeat(values, self.counts)

    def over_rounds(self, how: np.ufunc, values: Places | Flags) -> Places:
        """What holds for wagers, taken together for each round; 0 for one without any."""
        found, some = np.zeros(len(self.counts), np.int64), self.counts > 0
        if some.any():
            found[some] = how.reduceat(values, (np.cumsum(self.counts) - self.counts)[some])
        return found

    @cached_property
    def round_of(self) -> Places:
        """The place of each wager's round."""
        return self.spread(np.arange(len(self.counts)))

    @cached_property
    def started(self) -> Instants:
        """The first event of each round."""
        started: Instants = self.events.min(axis=1, initial=NEVER)
        return started

    @cached_property
    def ended(self) -> Instants:
        """The last event of each round."""
        return ends_of(self.events)

    @cached_property
    def terms(self) -> OnTerms:
        return on_terms(self.known_terms, self.governed_by, self.outcomes, self.counts, self.wagers)

    @cached_property
    def outside(self) -> Flags:
        """Whether a wager that was not taken back is outside the limits."""
        return outside_limits(self, self.verdicts != WITHDRAWN)

    # Fields of the wagers that are looked at again and again, each as one piece of memory.

    @cached_property
    def stakes(self) -> Places:
        return np.ascontiguousarray(self.wagers["stake"])

    @cached_property
    def returned(self) -> Places:
        return np.ascontiguousarray(self.wagers["returned"])

    @cached_property
    def are_large(self) -> bool:
        """Whether any stake or what came back for one is more than anybody stakes, or is not said."""
        return bool(np.bitwise_or.reduce(self.stakes | self.returned, initial=0) >> MOST_BITS)

    @cached_property
    def verdicts(self) -> NDArray[np.uint8]:
        return np.ascontiguousarray(self.wagers["verdict"])

    @cached_property
    def bets(self) -> NDArray[np.uint8]:
        return np.ascontiguousarray(self.wagers["bet"])


def read_columns(casino: Casino, first: int, last: int, instead: RuleVersion | None = None) -> Columns:
    """Rounds first..last-1 that were not taken back. A fixed number of queries."""
    packed = read_packed(casino.slug, first, last)
    voided = VoidedRound.objects.filter(log=casino.slug, entry_index__gte=first, entry_index__lt=last)
    indexes = sorted(set(voided.order_by().values_list("entry_index", flat=True)))

    def timelines_for(tables: Sequence[str], began: datetime, ended: datetime) -> Timelines:
        return timelines_of(casino, tables, began, ended, instead)

    return columns_of(packed, timelines_for, indexes)


TimelinesFor: TypeAlias = Callable[[Sequence[str], datetime, datetime], Timelines]


def columns_of(packed: Packed, timelines_for: TimelinesFor, voided: Sequence[int] = ()) -> Columns:
    """`voided` are the entries of rounds that something was determined about later: nothing is plain in those."""
    headers, table_names = np.frombuffer(packed.headers, HEADER), packed.tables
    counts = headers["wager_bytes"].astype(np.int64) // WAGER.itemsize
    (events, figures), wagers = unpack_rounds([packed.events]), np.frombuffer(packed.wagers, WAGER)
    gone = headers["is_taken_back"]
    taken_back = np.stack([headers["index"][gone].astype(np.int64), ends_of(events[gone])])
    if len(taken_back[0]):
        table_names = list(compress(table_names, ~gone))
        headers, events, figures, wagers = (
            headers[~gone],
            events[~gone],
            figures[~gone],
            wagers[np.repeat(~gone, counts)],
        )
        counts = counts[~gone]
    names = sorted(set(table_names))
    place = {name: number for number, name in enumerate(names)}
    table_of = np.fromiter(map(place.__getitem__, table_names), np.int64, len(headers))
    indexes, later = headers["index"].astype(np.int64), np.array(voided, np.int64)
    is_voided = np.isin(indexes, later)
    timelines = _timelines(names, events, timelines_for)
    governed_by, used = _governing(names, table_of, events, timelines)
    return Columns(
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
        used=used,
        wagers=wagers,
        counts=counts,
        known_terms=known_terms(used),
        timelines=timelines,
        taken_back=taken_back,
    )


def ends_of(events: Instants) -> Instants:
    """When the last event of each of these rounds was."""
    ended: Instants = np.where(events == NEVER, 0, events).max(axis=1, initial=0)
    return ended


def _timelines(names: Sequence[str], events: Instants, timelines_for: TimelinesFor) -> Timelines:
    if not names:
        return Timelines((), ())
    ended = int(np.where(events == NEVER, 0, events).max())
    return timelines_for(names, instant_of(int(events.min())), instant_of(ended))


def _governing(
    names: Sequence[str], table_of: Places, events: Instants, timelines: Timelines
) -> tuple[Places, tuple[Circumstances, ...]]:
    """What Timelines.of_round says of each round, worked out once for all rounds between the same two changes."""
    places: dict[int, int] = {}
    used: list[Circumstances] = []
    governed_by = np.full(len(table_of), UNGOVERNED, np.int64)
    for number, table in enumerate(names):
        for alike, found in _of_rounds(timelines, table, np.flatnonzero(table_of == number), events):
            place = places.setdefault(id(found), len(used))
            if place == len(used):
                used.append(found)
            governed_by[alike] = place
    return governed_by, tuple(used)


def _of_rounds(
    timelines: Timelines, table: str, rounds: Places, events: Instants
) -> Iterator[tuple[Places, Circumstances]]:
    """The rules in force at the first event say which event is the commencement; those in force then govern."""
    for alike, first in _alike(timelines, table, rounds, events[rounds].min(axis=1)):
        rule = first.pack.conduct.commencement
        named = EVENT_PLACE.get(rule.event) if rule is not None else None
        commenced = events[alike, named] if named is not None else np.full(len(alike), NEVER)
        is_named = commenced != NEVER
        yield alike[~is_named], first
        yield from _alike(timelines, table, alike[is_named], commenced[is_named])


def _alike(
    timelines: Timelines, table: str, rounds: Places, instants: Instants
) -> Iterator[tuple[Places, Circumstances]]:
    """Rounds that nothing changed between; those that nothing governs are left out."""
    between = timelines.places(table, instants)
    for place in np.unique(between):
        own = between == place
        found = timelines.at(table, instant_of(int(instants[own][0])))
        if isinstance(found, Circumstances):
            yield rounds[own], found
