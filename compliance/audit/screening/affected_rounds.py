"""Selects rounds that must be checked exactly because of earlier or later events, whatever their own columns say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

import numpy as np

from compliance.audit.checks.timeline import chips, closings, faults, limits_shown, shift_inspections
from compliance.audit.context.round_columns import RoundColumns
from compliance.audit.context.rules_in_force import Indexes
from compliance.audit.context.stored_entries import StoredEntries
from compliance.audit.context.timeline import EventAt, LookBack, read_histories
from compliance.core.accounts.models import Casino
from compliance.disputes.selectors import rounds_with_payments
from rounds.intake.columns.round_encoding import (
    FIGURE_NAMES,
    NO_TIME,
    NOT_REPORTED,
    Flags,
    Instants,
    from_microseconds,
    name_checksum,
    to_microseconds,
)
from rounds.intake.entry_kinds import (
    CHIPS_ISSUED,
    FAULT,
    FAULT_CLEARED,
    FOREIGN_CARD,
    PLAYER_LIMIT,
    PLAYER_LIMIT_ENDED,
    SHOE_CHANGED,
    TABLE_CLOSED,
    TABLE_OPENED,
)
from rounds.intake.round_records import LOOK_BACK, PLAYER_LIMIT_KINDS

SHOE_FIGURE = FIGURE_NAMES.index("shoe")
WATCHED_KINDS = frozenset({FAULT, FAULT_CLEARED, SHOE_CHANGED, FOREIGN_CARD, CHIPS_ISSUED})
# The longest look-back of the checks of rounds by faults, shoes, closings and signs.
WATCHED_LOOK_BACK = LookBack(
    WATCHED_KINDS | PLAYER_LIMIT_KINDS | closings.OPENINGS_AND_CLOSINGS | limits_shown.LOOK_BACK.entry_kinds,
    timedelta(days=7),
)


def affected_rounds(casino: Casino, columns: RoundColumns) -> set[int]:
    """The entry indexes of rounds that overlap a fault, a foreign card or limits of one player, began at a closed
    table or without a limits sign, name another shoe than the one in play, have chips of another table or of a
    doubtful value, are the first of a shift, or had a payment after a dispute. Columns hold only what the table
    reported."""
    if not len(columns.indexes):
        return set()
    log, source = casino.slug, StoredEntries(casino)
    starts = columns.started_at
    first, last = from_microseconds(int(starts.min())), from_microseconds(int(columns.ended_at.max()))
    histories = read_histories(
        source, [(WATCHED_LOOK_BACK, table, at) for table in columns.tables for at in (first, last)]
    )
    found = np.zeros(len(starts), np.bool_)
    begun = (
        [*map(to_microseconds, shift_inspections.shifts_between(source, first, last))]
        if _has_shift_inspections(columns)
        else []
    )
    at_once, chips_in = _has_immediate_notice(columns), _colour_chip_wagers(columns)
    for number, table in enumerate(columns.tables):
        events, own = histories.by_table.get(table, ()), columns.table_of == number
        for begin, end in (
            *_fault_intervals(events, is_at_once=at_once),
            *_foreign_card_intervals(events),
            *_player_limit_intervals(events),
        ):
            found |= own & (columns.ended_at >= begin) & (starts <= end)
        for begin, end in (*_closed_intervals(events), *_intervals_without_limits_sign(events)):
            found |= own & (starts >= begin) & (starts < end)
        found |= own & _rounds_from_other_shoe(events, starts, columns.figures[:, SHOE_FIGURE])
        found[_rounds_with_unknown_chip_value(columns, chips_in, own, events)] = True
        for begin in begun:
            found |= own & (starts == starts[own & (starts > begin)].min(initial=NO_TIME))
    watched: set[int] = set(columns.indexes[found].tolist())
    return watched | rounds_with_payments(log, int(columns.indexes.min()), int(columns.indexes.max()) + 1)


def _has_shift_inspections(columns: RoundColumns) -> bool:
    every = (duty for used in columns.rules_used for duty in used.pack.duties.inspections or ())
    return any(duty.when == shift_inspections.SHIFT_START for duty in every)


def _has_immediate_notice(columns: RoundColumns) -> bool:
    duties = (used.pack.duties.equipment_fault for used in columns.rules_used)
    return all(duty.told_at_once for duty in duties if duty is not None and duty.told is not None)


def _fault_intervals(events: Sequence[EventAt], *, is_at_once: bool) -> Iterator[tuple[int, int]]:
    """From each fault until it was cleared and everybody notified."""
    for each in events:
        if each.kind == FAULT:
            notified = [one.at for one in each.body.told]
            by_alert = faults.alert_notified_at(each, is_at_once=is_at_once)
            notified += [by_alert] if by_alert else []
            free_from = faults.play_allowed_from(each, events, notified)
            yield to_microseconds(each.at), to_microseconds(free_from) if free_from else NO_TIME


def _foreign_card_intervals(events: Sequence[EventAt]) -> Iterator[tuple[int, int]]:
    for each in events:
        if each.kind == FOREIGN_CARD:
            yield to_microseconds(each.at - timedelta(hours=1)), to_microseconds(each.at + timedelta(hours=1))


def _closed_intervals(events: Sequence[EventAt]) -> Iterator[tuple[int, int]]:
    """From each closing until the next opening."""
    opened = [to_microseconds(each.at) for each in events if each.kind == TABLE_OPENED]
    for each in events:
        if each.kind == TABLE_CLOSED:
            closed = to_microseconds(each.at)
            yield closed, min((at for at in opened if at >= closed), default=NO_TIME)


def _intervals_without_limits_sign(events: Sequence[EventAt]) -> Iterator[tuple[int, int]]:
    for removed, returned in limits_shown.intervals_without_sign(events):
        yield to_microseconds(removed.at), to_microseconds(returned.at) if returned else NO_TIME


def _player_limit_intervals(events: Sequence[EventAt]) -> Iterator[tuple[int, int]]:
    """From each record of one player's limits until they ended, or are too old to count."""
    ended = {each.body["player_limit"]: each.at for each in events if each.kind == PLAYER_LIMIT_ENDED}
    for each in events:
        if each.kind == PLAYER_LIMIT:
            until = ended.get(each.index, each.at + LOOK_BACK)
            yield to_microseconds(each.at), to_microseconds(until)


def _colour_chip_wagers(columns: RoundColumns) -> Indexes:
    """Wagers with chips that have no denomination."""
    return np.flatnonzero(columns.wagers["chips"])


def _rounds_with_unknown_chip_value(
    columns: RoundColumns, wagers: Indexes, own: Flags, events: Sequence[EventAt]
) -> Indexes:
    """Indexes of rounds with such chips of another table, or at a value that is not certainly theirs."""
    if not len(wagers):
        return wagers
    rounds = columns.round_indexes[wagers]
    odd = own[rounds] & ~np.isin(columns.wagers["chips"][wagers], list(chips.known_chip_checksums(events)))
    places: Indexes = rounds[odd]
    return places


def _rounds_from_other_shoe(events: Sequence[EventAt], starts: Instants, dealt_from: Instants) -> Flags:
    """Rounds that name another shoe than the last put into play before they began."""
    changes = [each for each in events if each.kind == SHOE_CHANGED]
    since = np.array([to_microseconds(each.at) for each in changes], np.int64)
    shoe = np.array([NOT_REPORTED, *(name_checksum(each.body.shoe) for each in changes)])
    in_play = shoe[np.searchsorted(since, starts, side="right")]
    different: Flags = (dealt_from != NOT_REPORTED) & (dealt_from != in_play)
    return different
