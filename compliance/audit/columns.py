"""Reading a stretch of packed rounds as columns, each with the circumstances that governed it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from compliance.accounts.models import Casino
from compliance.audit.bulk import HEADER, Packed, read_packed
from compliance.audit.circumstances import Places, Timelines, timelines_of
from compliance.audit.models import VoidedRound
from compliance.audit.packing import EVENT_PLACE, NEVER, WAGER, Instants, Records, instant_of, unpack_rounds
from compliance.audit.seen import Circumstances
from compliance.audit.terms import OnTerms, on_terms
from rounds.rulebook.models import RuleVersion

Flags: TypeAlias = NDArray[np.bool_]

UNGOVERNED = -1


@dataclass(frozen=True, eq=False)
class Columns:
    """`governed_by[round]` is a place in `used`, or UNGOVERNED; `table_of[round]` one in `tables`. `round_of[wager]` is
    the wager's round. `days` are counted from bulk.FIRST_DAY. `are_void`: reported so, or determined later."""

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
    round_of: Places
    timelines: Timelines

    @cached_property
    def started(self) -> Instants:
        """The first event of each round."""
        started: Instants = self.events.min(axis=1, initial=NEVER)
        return started

    @cached_property
    def ended(self) -> Instants:
        """The last event of each round."""
        ended: Instants = np.where(self.events == NEVER, 0, self.events).max(axis=1, initial=0)
        return ended

    @cached_property
    def terms(self) -> OnTerms:
        return on_terms(self.used, self.governed_by, self.round_of, self.outcomes, self.wagers)

    # Fields of the wagers that are looked at again and again, each as one piece of memory.

    @cached_property
    def stakes(self) -> Places:
        return np.ascontiguousarray(self.wagers["stake"])

    @cached_property
    def returned(self) -> Places:
        return np.ascontiguousarray(self.wagers["returned"])

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
    headers = np.frombuffer(packed.headers, HEADER)
    names = sorted(set(packed.tables))
    place = {name: number for number, name in enumerate(names)}
    table_of = np.fromiter(map(place.__getitem__, packed.tables), np.int64, len(headers))
    indexes, later = headers["index"].astype(np.int64), np.array(voided, np.int64)
    is_voided = np.isin(indexes, later)
    events, figures = unpack_rounds([packed.events])
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
        wagers=np.frombuffer(packed.wagers, WAGER),
        round_of=np.repeat(np.arange(len(headers)), headers["wager_bytes"].astype(np.int64) // WAGER.itemsize),
        timelines=timelines,
    )


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
