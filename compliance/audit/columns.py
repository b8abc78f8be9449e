"""The rounds of a stretch as columns, each with the circumstances that governed it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from compliance.accounts.models import Casino
from compliance.audit.circumstances import Timelines, timelines_of
from compliance.audit.packing import (
    EVENT_PLACE,
    NEVER,
    WAGER,
    Instants,
    Records,
    instant_of,
    unpack_events,
    unpack_figures,
    unpack_wagers,
)
from compliance.audit.seen import Circumstances, NoRules
from rounds.rulebook.models import RuleVersion

Flags: TypeAlias = NDArray[np.bool_]
Places: TypeAlias = NDArray[np.int64]

# As raw rows: a model instance for each of fifty thousand rounds would cost more than judging them.
READ = """
SELECT entry_index, "table", started_at, outcome, coalesce(tumbles, -1), is_plain, events, wagers
FROM audit_packedround WHERE log = %s AND entry_index >= %s AND entry_index < %s AND taken_back_index IS NULL
ORDER BY entry_index
"""
UNGOVERNED = -1
# Entry index, table, first event, outcome, tumbles (-1: none told), whether it is plain, packed events, packed wagers.
Row: TypeAlias = tuple[int, str, datetime, int, int, bool, bytes, bytes]


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
    return columns_of(rows, _timelines(casino, rows, instead))


def columns_of(rows: Sequence[Row], timelines: Timelines) -> Columns:
    events = unpack_events([row[6] for row in rows])
    governed_by, used = _governing(rows, events, timelines)
    counts = np.fromiter((len(row[7]) // WAGER.itemsize for row in rows), np.int64, len(rows))
    return Columns(
        indexes=np.fromiter((row[0] for row in rows), np.int64, len(rows)),
        tables=[row[1] for row in rows],
        outcomes=np.fromiter((row[3] for row in rows), np.int64, len(rows)),
        tumbles=np.fromiter((row[4] for row in rows), np.int64, len(rows)),
        are_plain=np.fromiter((row[5] for row in rows), np.bool_, len(rows)),
        events=events,
        figures=unpack_figures([row[6] for row in rows]),
        governed_by=governed_by,
        used=used,
        wagers=unpack_wagers([row[7] for row in rows]),
        round_of=np.repeat(np.arange(len(rows)), counts),
        timelines=timelines,
    )


def _timelines(casino: Casino, rows: Sequence[Row], instead: RuleVersion | None) -> Timelines:
    if not rows:
        return Timelines((), ())
    events = unpack_events([row[6] for row in rows])
    ended = instant_of(int(events[events != NEVER].max()))
    return timelines_of(casino, {row[1] for row in rows}, min(row[2] for row in rows), ended, instead)


def _governing(rows: Sequence[Row], events: Instants, timelines: Timelines) -> tuple[Places, tuple[Circumstances, ...]]:
    places: dict[int, int] = {}
    used: list[Circumstances] = []
    governed_by = np.full(len(rows), UNGOVERNED, np.int64)
    for number, row in enumerate(rows):
        found = _of_round(timelines, row[1], row[2], events[number])
        if isinstance(found, Circumstances):
            place = places.setdefault(id(found), len(used))
            if place == len(used):
                used.append(found)
            governed_by[number] = place
    return governed_by, tuple(used)


def _of_round(timelines: Timelines, table: str, begun: datetime, times: Instants) -> Circumstances | NoRules:
    """What Timelines.of_round says, without making a mapping of every round's events."""
    first = timelines.at(table, begun)
    if isinstance(first, NoRules):
        return first
    rule = first.pack.conduct.commencement
    named = NEVER if rule is None or rule.event not in EVENT_PLACE else int(times[EVENT_PLACE[rule.event]])
    return first if named == NEVER else timelines.at(table, instant_of(named))
