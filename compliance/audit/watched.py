"""Rounds that must be judged exactly because of what happened around them, whatever their columns say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

import numpy as np

from compliance.accounts.models import Casino
from compliance.audit.checks import chips, faults, shifts, shoes
from compliance.audit.circumstances import Places
from compliance.audit.columns import Columns
from compliance.audit.packing import FIGURES, NEVER, UNSAID, Flags, Instants, checksum, instant_of, microseconds
from compliance.audit.stories import Happened, Looks, read_stories
from compliance.disputes.selectors import rounds_paid_after

SHOE = FIGURES.index("shoe")
# As far back as the checks of rounds by faults and shoes look.
WATCHED = Looks(
    frozenset({faults.FAULT, faults.CLEARED, shoes.CHANGED, shoes.FOREIGN, chips.ISSUED}), timedelta(days=7)
)


def watched_rounds(casino: Casino, columns: Columns) -> set[int]:
    """The entry indexes of rounds near a fault or a foreign card, dealt from another shoe than the one in play, played
    with chips at another value than any were issued at, first of a shift, or whose settlement was changed after a
    dispute: their columns have what the table did."""
    if not len(columns.indexes):
        return set()
    log = casino.slug
    starts = columns.started
    first, last = instant_of(int(starts.min())), instant_of(int(columns.ended.max()))
    stories = read_stories(log, [(WATCHED, table, at) for table in columns.tables for at in (first, last)])
    found = np.zeros(len(starts), np.bool_)
    begun = [*map(microseconds, shifts.shifts_between(casino, first, last))] if _inspects_shifts(columns) else []
    at_once, chips_in = _tells_at_once(columns), _with_own_chips(columns)
    for number, table in enumerate(columns.tables):
        happened, own = stories.by_table.get(table, ()), columns.table_of == number
        for begin, end in (*_faults(happened, is_at_once=at_once), *_foreign(happened)):
            found |= own & (columns.ended >= begin) & (starts <= end)
        found |= own & _of_another_shoe(happened, starts, columns.figures[:, SHOE])
        found[_counted_otherwise(columns, chips_in, own, happened)] = True
        for begin in begun:
            found |= own & (starts == starts[own & (starts > begin)].min(initial=NEVER))
    watched: set[int] = set(columns.indexes[found].tolist())
    return watched | rounds_paid_after(log, int(columns.indexes.min()), int(columns.indexes.max()) + 1)


def _inspects_shifts(columns: Columns) -> bool:
    every = (duty for used in columns.used for duty in used.pack.duties.inspections or ())
    return any(duty.when == shifts.OCCASION for duty in every)


def _tells_at_once(columns: Columns) -> bool:
    duties = (used.pack.duties.equipment_fault for used in columns.used)
    return all(duty.told_at_once for duty in duties if duty is not None and duty.told is not None)


def _faults(happened: Sequence[Happened], *, is_at_once: bool) -> Iterator[tuple[int, int]]:
    """From each fault until it was mended and everybody told."""
    for each in happened:
        if each.kind == faults.FAULT:
            told = [one.at for one in each.body.told]
            by_alert = faults.told_by_alert(each, is_at_once=is_at_once)
            told += [by_alert] if by_alert else []
            free_from = faults.may_play_from(each, happened, told)
            yield microseconds(each.at), microseconds(free_from) if free_from else NEVER


def _foreign(happened: Sequence[Happened]) -> Iterator[tuple[int, int]]:
    for each in happened:
        if each.kind == shoes.FOREIGN:
            yield microseconds(each.at - timedelta(hours=1)), microseconds(each.at + timedelta(hours=1))


def _with_own_chips(columns: Columns) -> Places:
    """The wagers laid with chips that have no denomination."""
    return np.flatnonzero(columns.wagers["chips"])


def _counted_otherwise(columns: Columns, wagers: Places, own: Flags, happened: Sequence[Happened]) -> Places:
    """The places of rounds in which chips without a denomination count something that none were issued at."""
    if not len(wagers):
        return wagers
    rounds = columns.round_of[wagers]
    odd = own[rounds] & ~np.isin(columns.wagers["chips"][wagers], list(chips.known_values(happened)))
    places: Places = rounds[odd]
    return places


def _of_another_shoe(happened: Sequence[Happened], starts: Instants, dealt_from: Instants) -> Flags:
    """Rounds that name a shoe which is not the last that came into play before they began."""
    changes = [each for each in happened if each.kind == shoes.CHANGED]
    since = np.array([microseconds(each.at) for each in changes], np.int64)
    shoe = np.array([UNSAID, *(checksum(each.body.shoe) for each in changes)])
    in_play = shoe[np.searchsorted(since, starts, side="right")]
    different: Flags = (dealt_from != UNSAID) & (dealt_from != in_play)
    return different
