"""Wagers whose settlement hangs on how the rules are read: by the document alone, whichever reading is adopted."""

from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np

from compliance.audit.circumstances import timelines_of
from compliance.audit.packing import Flags, instant_of
from compliance.audit.seen import Circumstances
from compliance.audit.weighing import cells_in_question
from compliance.checklists.models import Sample
from compliance.checklists.seen import Places, Seen
from rounds.engine.packs import Pack
from rounds.engine.rules import rules_for


def hangs_on_a_reading(sample: Sample, _: int) -> Callable[[Seen], Flags]:
    def holds(seen: Seen) -> Flags:
        governed_by, packs = _governing(sample, seen)
        found, bets = np.zeros(len(seen.wagers), np.bool_), seen.wagers["bet"]
        round_of = np.repeat(np.arange(len(seen.entries)), seen.counts)
        for number, pack in enumerate(packs):
            own = np.flatnonzero(((governed_by == number) & (seen.outcomes >= 0))[round_of])
            found[own] = _in_question(pack)[seen.outcomes[round_of[own]], bets[own]]
        return seen.with_any(found)

    return holds


def _governing(sample: Sample, seen: Seen) -> tuple[Places, list[Pack]]:
    """For each round the place of the rule document that was in force when it began; -1 where none was."""
    governed_by, packs = np.full(len(seen.entries), -1, np.int64), list[Pack]()
    for rounds, pack in _governed(sample, seen):
        if pack not in packs:
            packs.append(pack)
        governed_by[rounds] = packs.index(pack)
    return governed_by, packs


def _governed(sample: Sample, seen: Seen) -> Iterator[tuple[Places, Pack]]:
    """Rounds of one table between two changes, with the rule document in force when they began."""
    if not len(seen.entries):
        return
    began, ended = instant_of(int(seen.started.min())), instant_of(int(seen.started.max()))
    timelines = timelines_of(sample.casino, seen.tables, began, ended)
    for table in seen.tables:
        rounds = seen.at(table)
        between = timelines.places(table, seen.started[rounds])
        for place in np.unique(between):
            own = rounds[between == place]
            found = timelines.at(table, instant_of(int(seen.started[own[0]])))
            if isinstance(found, Circumstances):
                yield own, found.pack


@lru_cache(maxsize=64)
def _in_question(pack: Pack) -> Flags:
    """By outcome and bet: whether two readings of the document pay otherwise there, at any of its pay tables."""
    cells = [cells_in_question(rules_for(pack, pay_table)) for pay_table in pack.law.pay_table]
    found: Flags = np.logical_or.reduce(cells)
    return found
