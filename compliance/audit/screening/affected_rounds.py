"""Selects rounds that must be checked exactly because of earlier or later events, whatever their own columns say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

import numpy as np

from compliance.audit.checks.equipment import equipment_custody, faults, shift_inspections, void_reports
from compliance.audit.checks.timeline import chips, closings, limits_shown
from compliance.audit.context import recorded_acts
from compliance.audit.context.round_columns import RoundColumns
from compliance.audit.context.round_groups import LIT_FIGURE, lights_differ
from compliance.audit.context.rules_in_force import Indexes
from compliance.audit.context.stored_entries import StoredEntries
from compliance.audit.context.timeline import EventAt, LookBack, read_histories
from compliance.audit.models import PackedRound
from compliance.core.accounts.models import Casino
from compliance.disputes.selectors import rounds_with_payments
from rounds.engine import OUTCOMES
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
    DECK_COUNT,
    DICE_PLACED,
    FAULT,
    FOREIGN_CARD,
    PLAYER_LIMIT,
    PLAYER_LIMIT_ENDED,
    SHOE_CHANGED,
    TABLE_CLOSED,
    TABLE_OPENED,
)
from rounds.intake.round_records import LOOK_BACK, PLAYER_LIMIT_KINDS

SHOE_FIGURE = FIGURE_NAMES.index("shoe")
WEEK = timedelta(days=7)
# The longest look-backs of the checks of rounds: by shoes, chips, closings, signs and players' limits; by faults; by
# dice and shakers.
WATCHED_LOOK_BACKS = (
    LookBack(
        frozenset({SHOE_CHANGED, FOREIGN_CARD, DECK_COUNT, CHIPS_ISSUED})
        | PLAYER_LIMIT_KINDS
        | closings.OPENINGS_AND_CLOSINGS
        | limits_shown.LOOK_BACK.entry_kinds,
        WEEK,
    ),
    faults.FAULT_LOOK_BACK,
    LookBack(equipment_custody.DICE_KINDS | equipment_custody.SHAKER_KINDS, equipment_custody.MONTH),
)
# By outcome, how many of its cards show each face.
FACE_COUNTS = np.array([[outcome.count(face) for face in range(1, 7)] for outcome in OUTCOMES])


def affected_rounds(casino: Casino, columns: RoundColumns) -> set[int]:
    """The entry indexes of rounds that events at their table concern, or that follow on failed lights, or whose dice,
    shoe, chips or shift do not fit what was recorded, or that had a payment after a dispute. Columns hold only what the
    table reported about each round."""
    if not len(columns.indexes):
        return set()
    log, source = casino.slug, StoredEntries(casino)
    starts = columns.started_at
    first, last = from_microseconds(int(starts.min())), from_microseconds(int(columns.ended_at.max()))
    histories = read_histories(
        source,
        [
            (look_back, table, at)
            for look_back in WATCHED_LOOK_BACKS
            for table in columns.tables
            for at in (first, last)
        ],
    )
    found = np.zeros(len(starts), np.bool_)
    begun = (
        [*map(to_microseconds, shift_inspections.shifts_between(source, first, last))]
        if _has_shift_inspections(columns)
        else []
    )
    chips_in, lights_wrong = _colour_chip_wagers(columns), _rounds_with_failed_lights(columns)
    excluded = _exclusion_intervals(source, columns, first)
    elsewhere = _rounds_in_other_blocks(log, columns) if lights_wrong is not None else {}
    for number, table in enumerate(columns.tables):
        events, own = histories.by_table.get(table, ()), columns.table_of == number
        intervals = (
            *_fault_intervals(events),
            *_report_intervals(columns, events),
            *_equipment_intervals(events),
            *_player_limit_intervals(events),
            *excluded.get(table, ()),
        )
        for begin, end in intervals:
            found |= own & (columns.ended_at >= begin) & (starts <= end)
        for begin, end in (*_closed_intervals(events), *_intervals_without_limits_sign(events)):
            found |= own & (starts >= begin) & (starts < end)
        found |= own & _rounds_from_other_shoe(events, starts, columns.figures[:, SHOE_FIGURE])
        found |= own & _rounds_from_overdrawn_shoe(log, table, events, columns)
        found[_rounds_with_unknown_chip_value(columns, chips_in, own, events)] = True
        if lights_wrong is not None:
            found[_following_rounds(starts, np.flatnonzero(own), lights_wrong)] = True
            for begin in elsewhere.get(table, ()):
                found |= own & (starts == starts[own & (starts > begin)].min(initial=NO_TIME))
        for begin in (*begun, *_dice_deadlines(columns, events)):
            found |= own & (starts == starts[own & (starts > begin)].min(initial=NO_TIME))
    watched: set[int] = set(columns.indexes[found].tolist())
    return watched | rounds_with_payments(log, int(columns.indexes.min()), int(columns.indexes.max()) + 1)


def _has_shift_inspections(columns: RoundColumns) -> bool:
    every = (duty for used in columns.rules_used for duty in used.pack.duties.inspections or ())
    return any(duty.when == shift_inspections.SHIFT_START for duty in every)


def _fault_intervals(events: Sequence[EventAt]) -> Iterator[tuple[int, int]]:
    """From each fault until it was cleared and everybody notified."""
    cleared = faults.clearings_by_fault(events)
    for each in events:
        if each.kind == FAULT:
            notified = max((one.at for one in each.body.told), default=None)
            free_from = faults.play_allowed_from(each, cleared, [notified] if notified else [])
            yield to_microseconds(each.at), to_microseconds(free_from) if free_from else NO_TIME


def _report_intervals(columns: RoundColumns, events: Sequence[EventAt]) -> Iterator[tuple[int, int]]:
    """Around each report that may make a round void."""
    around, packs = void_reports.REPORT_LOOK_BACK.duration, [used.pack for used in columns.rules_used]
    for each in events:
        if any(report for pack in packs for report in void_reports.void_reports(pack, each)):
            yield to_microseconds(each.at - around), to_microseconds(each.at + around)


def _equipment_intervals(events: Sequence[EventAt]) -> Iterator[tuple[int, int]]:
    """While a set of dice was removed as damaged, and while two kinds of shakers were at the table."""
    shakers = [each for each in events if each.kind in equipment_custody.SHAKER_KINDS]
    for place, each in enumerate(shakers):
        types = {one.body.type for one in equipment_custody.shakers_at_table(shakers[: place + 1]).values()}
        if len(types) > 1:
            until = to_microseconds(shakers[place + 1].at) if place + 1 < len(shakers) else NO_TIME
            yield to_microseconds(each.at), until
    for each in events:
        if equipment_custody.is_damaged_removal(each):
            until = to_microseconds(each.at + equipment_custody.DAMAGED_DICE_LOOK_BACK)
            yield to_microseconds(each.at), until


def _dice_deadlines(columns: RoundColumns, events: Sequence[EventAt]) -> list[int]:
    """When each set of dice should have left the table."""
    duties = {used.pack.duties.dice_custody for used in columns.rules_used} - {None}
    placed = [each.at for each in events if each.kind == DICE_PLACED]
    return [to_microseconds(at + timedelta(hours=duty.at_most_hours)) for duty in duties if duty for at in placed]


def _rounds_with_failed_lights(columns: RoundColumns) -> Flags | None:
    """Rounds in which other areas lit up than those that won. None where no rules ask for anything then."""
    duties = [used.pack.duties.equipment_fault for used in columns.rules_used]
    if not any(duty is not None and (duty.play_stops_until_mended or duty.told) for duty in duties):
        return None
    found = np.zeros(len(columns.indexes), np.bool_)
    for place, rules_in_force in enumerate(columns.rules_used):
        own = np.flatnonzero(columns.governed_by == place)
        found[own] = lights_differ(columns.figures[own, LIT_FIGURE], columns.outcomes[own], rules_in_force)
    return found


def _rounds_in_other_blocks(log: str, columns: RoundColumns) -> dict[str, list[int]]:
    """By table, when rounds began that were played among those of the range but recorded before or after it."""
    first, last = (from_microseconds(int(at)) for at in (columns.started_at.min(), columns.started_at.max()))
    indexes = (int(columns.indexes.min()), int(columns.indexes.max()))
    rounds = PackedRound.objects.filter(log=log, table__in=columns.tables, started_at__range=(first, last))
    found: dict[str, list[int]] = {}
    for table, at in rounds.exclude(entry_index__range=indexes).values_list("table", "started_at"):
        found.setdefault(table, []).append(to_microseconds(at))
    return found


def _following_rounds(starts: Instants, own: Indexes, failed: Flags) -> Indexes:
    """The rounds of a table after those that failed, and its first, because the one before it is not in the range."""
    ordered = own[np.argsort(starts[own], kind="stable")]
    is_after = np.concatenate([[True], failed[ordered][:-1]]) if len(ordered) else np.zeros(0, np.bool_)
    following: Indexes = ordered[is_after]
    return following


def _rounds_from_overdrawn_shoe(log: str, table: str, events: Sequence[EventAt], columns: RoundColumns) -> Flags:
    """Rounds since more cards of a face were dealt from a shoe than its decks hold."""
    found = np.zeros(len(columns.indexes), np.bool_)
    rules = [used.pack.conduct.cards for used in columns.rules_used]
    a_face = min((rule.cards_a_face for rule in rules if rule is not None and rule.is_dealt_down), default=None)
    first, last = (from_microseconds(at) for at in (columns.started_at.min(), columns.started_at.max()))
    changes = [each for each in events if each.kind == SHOE_CHANGED]
    changes = [*[each for each in changes if each.at <= first][-1:], *(each for each in changes if each.at > first)]
    if a_face is None or not changes:
        return found
    rounds = PackedRound.objects.filter(
        log=log,
        table=table,
        started_at__range=(changes[0].at, last),
        outcome__gte=0,
        taken_back_index=None,
    )
    rows = list(rounds.order_by("started_at").values_list("started_at", "outcome"))
    began = np.array([to_microseconds(at) for at, _ in rows], np.int64)
    dealt = FACE_COUNTS[[outcome for _, outcome in rows]] if rows else np.zeros((0, 6), np.int64)
    until = [*(to_microseconds(each.at) for each in changes[1:]), NO_TIME]
    for change, end in zip(changes, until, strict=True):
        own = (began >= to_microseconds(change.at)) & (began < end)
        over = (np.cumsum(dealt[own], axis=0) > change.body.decks * a_face).any(axis=1)
        if over.any():
            found |= (columns.started_at >= began[own][over][0]) & (columns.started_at < end)
    return found


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


def _exclusion_intervals(
    source: StoredEntries, columns: RoundColumns, first: datetime
) -> dict[str, list[tuple[int, int]]]:
    """By table: from each exclusion of a person until the mark of a player means somebody else."""
    intervals: dict[str, list[tuple[int, int]]] = {}
    if any(recorded_acts.has_exclusions(used.pack) for used in columns.rules_used):
        for each in recorded_acts.exclusion_entries(source, columns.tables, first - LOOK_BACK):
            begin = recorded_acts.excluded_from(each)
            intervals.setdefault(each.table, []).append((to_microseconds(begin), to_microseconds(begin + LOOK_BACK)))
    return intervals


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
