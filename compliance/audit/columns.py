"""The rounds of a stretch as columns, each with the circumstances that governed it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from compliance.accounts.models import Casino
from compliance.audit.circumstances import Places, Timelines, timelines_of
from compliance.audit.packing import (
    EVENT_PLACE,
    NEVER,
    WAGER,
    Instants,
    Records,
    instant_of,
    unpack_rounds,
    unpack_wagers,
)
from compliance.audit.seen import Circumstances
from rounds.rulebook.models import RuleVersion

Flags: TypeAlias = NDArray[np.bool_]

# As raw rows: a model instance for each of fifty thousand rounds would cost more than judging them.
READ = """
SELECT entry_index, "table", outcome, coalesce(tumbles, -1), is_plain AND NOT EXISTS (
    SELECT FROM audit_voidedround voided WHERE voided.log = packed.log AND voided.entry_index = packed.entry_index
), events, wagers
FROM audit_packedround packed WHERE log = %s AND entry_index >= %s AND entry_index < %s AND taken_back_index IS NULL
ORDER BY entry_index
"""
UNGOVERNED = -1
NONE: tuple[tuple[()], ...] = ((),) * 7
# Entry index, table, outcome, tumbles (-1: none told), whether it is plain, packed events, packed wagers.
Row: TypeAlias = tuple[int, str, int, int, bool, bytes, bytes]


@dataclass(frozen=True, eq=False)
class Columns:
    """`governed_by[round]` is a place in `used`, or UNGOVERNED. `round_of[wager]` is the wager's round."""

    indexes: Places
    tables: Sequence[str]
    outcomes: Places
    tumbles: Places
    are_plain: Flags
    events: Instants
    figures: Instants
    governed_by: Places
    used: tuple[Circumstances, ...]
    wagers: Records
    round_of: Places
    timelines: Timelines

    def between(self, first: int, last: int) -> Columns:
        """Those of entries first..last-1."""
        begin, end = np.searchsorted(self.indexes, (first, last)).tolist()
        if begin == 0 and end == len(self.indexes):
            return self
        first_wager, last_wager = np.searchsorted(self.round_of, (begin, end)).tolist()
        places, governed_by = np.unique(self.governed_by[begin:end], return_inverse=True)
        is_ungoverned = len(places) > 0 and places[0] == UNGOVERNED
        return Columns(
            indexes=self.indexes[begin:end],
            tables=self.tables[begin:end],
            outcomes=self.outcomes[begin:end],
            tumbles=self.tumbles[begin:end],
            are_plain=self.are_plain[begin:end],
            events=self.events[begin:end],
            figures=self.figures[begin:end],
            governed_by=(governed_by - int(is_ungoverned)).astype(np.int64),
            used=tuple(self.used[place] for place in places.tolist() if place != UNGOVERNED),
            wagers=self.wagers[first_wager:last_wager],
            round_of=self.round_of[first_wager:last_wager] - begin,
            timelines=self.timelines,
        )

    @property
    def ended(self) -> Instants:
        """The last event of each round."""
        ended: Instants = np.where(self.events == NEVER, 0, self.events).max(axis=1, initial=0)
        return ended


def read_columns(casino: Casino, first: int, last: int, instead: RuleVersion | None = None) -> Columns:
    """Rounds first..last-1 that were not taken back. A fixed number of queries."""
    with connection.cursor() as cursor:
        cursor.execute(READ, [casino.slug, first, last])
        rows = cursor.fetchall()
    return columns_of(rows, lambda events: _timelines(casino, rows, events, instead))


def columns_of(rows: Sequence[Row], timelines_for: Callable[[Instants], Timelines]) -> Columns:
    indexes, tables, outcomes, tumbles, are_plain, events_and_figures, packed = (
        zip(*rows, strict=True) if rows else NONE
    )
    events, figures = unpack_rounds(events_and_figures)
    timelines = timelines_for(events)
    governed_by, used = _governing(tables, events, timelines)
    counts = np.fromiter(map(len, packed), np.int64, len(rows)) // WAGER.itemsize
    return Columns(
        indexes=np.array(indexes, np.int64),
        tables=tables,
        outcomes=np.array(outcomes, np.int64),
        tumbles=np.array(tumbles, np.int64),
        are_plain=np.array(are_plain, np.bool_),
        events=events,
        figures=figures,
        governed_by=governed_by,
        used=used,
        wagers=unpack_wagers(packed),
        round_of=np.repeat(np.arange(len(rows)), counts),
        timelines=timelines,
    )


def _timelines(casino: Casino, rows: Sequence[Row], events: Instants, instead: RuleVersion | None) -> Timelines:
    if not rows:
        return Timelines((), ())
    began, ended = instant_of(int(events.min())), instant_of(int(events[events != NEVER].max()))
    return timelines_of(casino, {row[1] for row in rows}, began, ended, instead)


def _governing(
    tables: Sequence[str], events: Instants, timelines: Timelines
) -> tuple[Places, tuple[Circumstances, ...]]:
    """What Timelines.of_round says of each round, worked out once for all rounds between the same two changes."""
    names = {table: number for number, table in enumerate(dict.fromkeys(tables))}
    at_table = np.fromiter((names[table] for table in tables), np.int64, len(tables))
    places: dict[int, int] = {}
    used: list[Circumstances] = []
    governed_by = np.full(len(tables), UNGOVERNED, np.int64)
    for table, number in names.items():
        rounds = np.flatnonzero(at_table == number)
        for alike, found in _of_rounds(timelines, table, rounds, events):
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
