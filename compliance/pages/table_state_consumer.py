"""Ledger consumer: projects each table's last round and open state into TableState.

The round played last counts, not the one recorded last: late lines, paper rounds and imports do not replace it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

import msgspec
from django.db.models import Q

from compliance.pages.models import TableState
from rounds.intake.entry_kinds import ROUND, TABLE_CLOSED, TABLE_OPENED
from rounds.ledger import (
    EntryQuery,
    LogEntry,
    consume_all,
    corrections_of,
    every_log,
    position_of,
    read_entries_at,
    register_projection,
    search_entries,
)
from rounds.ledger.entry_kinds import CORRECTION

CONSUMER = "floor-live"
OPEN_BY_KIND: dict[str, bool] = {TABLE_OPENED: True, TABLE_CLOSED: False}
CONSUMED_KINDS = frozenset({ROUND, *OPEN_BY_KIND})
RECENT_ENTRIES = 20
# A line as controllers usually write it: its time stands before its body.
SENT_AT = re.compile(
    rb'{"kind": ?"[a-z-]+", ?"table": ?"[a-z0-9-]+", ?"sequence": ?[0-9]+, ?'
    rb'"at": ?"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.][0-9]{1,6})?(?:Z|[+-][0-9]{2}:[0-9]{2}))"'
)
BEGINNING_BYTES = 200
DERIVED_FIELDS = ("round_index", "round_at", "round_name", "faces", "no_result", "is_open", "turned_index", "turned_at")


class _NoResult(msgspec.Struct):
    reason: str = ""


class _Body(msgspec.Struct):
    round: str = ""
    dice: list[int] | None = None
    cards: list[int] | None = None
    no_result: _NoResult | None = None


class _Line(msgspec.Struct):
    """The members of a line that the floor shows; msgspec skips the others."""

    at: datetime
    body: _Body


def register_table_states() -> None:
    register_projection(
        "tables as they stand", CONSUMED_KINDS, verify_rows, read_position=lambda log: position_of(CONSUMER, log)
    )


def consume_table_entries() -> int:
    return consume_all(
        CONSUMER,
        every_log(),
        handle_entries,
        kinds=CONSUMED_KINDS | {CORRECTION},
        limit=2000,
        body_bytes=BEGINNING_BYTES,
    )


def handle_entries(beginnings: Sequence[LogEntry]) -> None:
    """Handler passed to `consume_all`: one transaction with the cursor. Each table's row is written once a batch.

    Gets the beginning of each line, which says when it was sent. Only lines that change a row are read whole: usually
    the last of each table, because the newest are applied first.
    """
    log = beginnings[0].log
    tables = {entry.table for entry in beginnings if entry.table}
    corrections = read_entries_at(log, [entry.index for entry in beginnings if entry.kind == CORRECTION])
    withdrawn = {int(entry.content()["corrects"]) for entry in corrections}
    shown = Q(table__in=tables) | Q(round_index__in=withdrawn) | Q(turned_index__in=withdrawn)
    states = {state.table: state for state in TableState.objects.filter(shown, log=log)}
    for beginning in reversed(beginnings):
        table = beginning.table
        if not table or beginning.kind not in CONSUMED_KINDS:
            continue
        if table not in states:
            states[table] = TableState(log=log, table=table)
        state = states[table]
        if _is_outdated(state, beginning):
            continue
        for entry in read_entries_at(log, [beginning.index]):
            line = _parse_line(entry)
            if line is not None:
                _apply_line(state, entry, line)
    for state in states.values():
        _leave_out(state, withdrawn)
    TableState.objects.bulk_create(
        states.values(), update_conflicts=True, unique_fields=["log", "table"], update_fields=DERIVED_FIELDS
    )


def _leave_out(state: TableState, withdrawn: set[int]) -> None:
    """Goes back to the newest entries that were not withdrawn, if one of these is shown."""
    kinds: list[str] = []
    if state.round_index in withdrawn:
        kinds.append(ROUND)
        state.round_at = state.round_index = state.faces = None
        state.round_name = state.no_result = ""
    if state.turned_index in withdrawn:
        kinds += OPEN_BY_KIND
        state.is_open = state.turned_at = state.turned_index = None
    for kind in kinds:
        newest = search_entries(state.log, EntryQuery(table=state.table, kind=kind), limit=RECENT_ENTRIES).entries
        corrected = corrections_of(state.log, [entry.index for entry in newest]) if newest else {}
        for entry in newest:
            line = _parse_line(entry)
            if line is not None and entry.index not in corrected:
                _apply_line(state, entry, line)


def _parse_line(entry: LogEntry) -> _Line | None:
    """None if the entry is malformed: it stays in the log, and the floor has nothing to show of it."""
    try:
        return msgspec.json.decode(entry.body, type=_Line)
    except msgspec.MsgspecError:
        return None


def _is_outdated(state: TableState, entry: LogEntry) -> bool:
    """True if the entry cannot change the row: it counts by the time it states, and never as later than its recording.
    The beginning of its body is enough."""
    place = state.open_close_position if entry.kind in OPEN_BY_KIND else state.round_position
    if place is None:
        return False
    stated = SENT_AT.match(entry.body)
    at = datetime.fromisoformat(stated[1].decode()) if stated else entry.recorded_at
    return (min(at, entry.recorded_at), entry.index) <= place


def _apply_line(state: TableState, entry: LogEntry, line: _Line) -> None:
    # Capped at the recording time: a clock that runs ahead must not block later rounds.
    place = (min(line.at, entry.recorded_at), entry.index)
    if entry.kind in OPEN_BY_KIND:
        if state.open_close_position is None or place > state.open_close_position:
            state.turned_at, state.turned_index = place
            state.is_open = OPEN_BY_KIND[entry.kind]
    elif state.round_position is None or place > state.round_position:
        state.round_at, state.round_index = place
        state.round_name = line.body.round[:64]
        state.faces = line.body.dice or line.body.cards
        state.no_result = line.body.no_result.reason[:40] if line.body.no_result else ""


def verify_rows(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int, str]]:
    """Projection check of `verify_ledger`, one range of entries at a time: no entry in the range may still change the
    row."""
    states = {state.table: state for state in TableState.objects.filter(log=log)}
    here = {entry.index: entry for entry in entries}
    withdrawn = corrections_of(log, here) if here else {}
    for state in states.values():
        yield from _states_without_entry(state, first, last, here)
    for entry in here.values():
        state = states.get(entry.table or "") or TableState(log=log, table=entry.table or "")
        if not entry.table or entry.index in withdrawn or _is_outdated(state, entry):
            continue
        line = _parse_line(entry)
        if line is None:
            continue
        before = _derived_values(state)
        _apply_line(state, entry, line)
        if _derived_values(state) != before:
            what = "opening or closing" if entry.kind in OPEN_BY_KIND else "round"
            yield entry.index, f"the floor does not show this {what} as the last of table {entry.table!r}."


def _states_without_entry(
    state: TableState, first: int, last: int, here: dict[int, LogEntry]
) -> Iterable[tuple[int, str]]:
    """Entries of this range that the row names as its source, but that do not say what the row says."""
    for index, kinds in ((state.round_index, {ROUND}), (state.turned_index, set(OPEN_BY_KIND))):
        if index is None or not first <= index < last:
            continue
        entry = here.get(index)
        line = _parse_line(entry) if entry and entry.kind in kinds and entry.table == state.table else None
        anew = TableState(log=state.log, table=state.table)
        if entry is not None and line is not None:
            _apply_line(anew, entry, line)
        names = DERIVED_FIELDS[:5] if kinds == {ROUND} else DERIVED_FIELDS[5:]
        if any(getattr(anew, name) != getattr(state, name) for name in names):
            yield index, f"the floor shows something else of table {state.table!r} than this entry says."


def _derived_values(state: TableState) -> tuple[object, ...]:
    return tuple(getattr(state, name) for name in DERIVED_FIELDS)
