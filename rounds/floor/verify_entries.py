"""Projection check: compares rows that were completed later (retired, ended, approved, revoked) with their entries.

Detects, for example, a key that was approved by an UPDATE in the database: the log has no approval entry for it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias

from rounds.floor import entry_kinds
from rounds.floor.models import ControllerKey, ControllerTable, Table, Terminal
from rounds.ledger import LogEntry, encode_timestamp, read_entries
from rounds.transparency_log import tree

ROW_KINDS = (
    entry_kinds.TABLE_ADDED,
    entry_kinds.TERMINAL_ADDED,
    entry_kinds.CONTROLLER_TABLE_GIVEN,
    entry_kinds.KEY_PROPOSED,
)
ACT_KINDS = (
    entry_kinds.TABLE_RETIRED,
    entry_kinds.TERMINAL_RETIRED,
    entry_kinds.CONTROLLER_TABLE_ENDED,
    entry_kinds.KEY_APPROVED,
    entry_kinds.KEY_REVOKED,
)

# When and by whom (user id), as the row or the entry states it; None if it was not done.
ActRecord: TypeAlias = tuple[datetime, int] | None
# Entry index of the row, what was done, the row's claim, the entry kinds that do it, and the members they must match.
RowClaim: TypeAlias = tuple[int, str, ActRecord, tuple[str, ...], Mapping[str, Any]]


def _act_record(at: datetime | None, by: int | None) -> ActRecord:
    return (at, by) if at is not None and by is not None else None


def _table_entry_fields(log: str, first: int, last: int) -> Iterator[RowClaim]:
    for row in Table.rows_between(log, first, last):
        done = _act_record(row.retired_at, row.retired_by_id)
        yield row.entry_index, "retired", done, (entry_kinds.TABLE_RETIRED,), {"table": row.slug}


def _terminal_entry_fields(log: str, first: int, last: int) -> Iterator[RowClaim]:
    for row in Terminal.rows_between(log, first, last):
        names = {"table": row.table.slug, "terminal": row.slug}
        done = _act_record(row.retired_at, row.retired_by_id)
        yield row.entry_index, "retired", done, (entry_kinds.TERMINAL_RETIRED,), names


def _assignment_entry_fields(log: str, first: int, last: int) -> Iterator[RowClaim]:
    """Retiring a table ends its assignments too."""
    for row in ControllerTable.rows_between(log, first, last):
        names = {"table": row.table.slug, "controller": row.controller.slug}
        done = _act_record(row.until_at, row.ended_by_id)
        yield row.entry_index, "ended", done, (entry_kinds.CONTROLLER_TABLE_ENDED, entry_kinds.TABLE_RETIRED), names


def _key_entry_fields(log: str, first: int, last: int) -> Iterator[RowClaim]:
    for row in ControllerKey.rows_between(log, first, last):
        names = {"key_id": row.key_id, "controller": row.controller.slug}
        begins = {"valid_from": encode_timestamp(row.valid_from)} if row.valid_from else {}
        approved, revoked = (
            _act_record(row.approved_at, row.approved_by_id),
            _act_record(row.revoked_at, row.revoked_by_id),
        )
        yield row.entry_index, "approved", approved, (entry_kinds.KEY_APPROVED,), names | begins
        yield row.entry_index, "revoked", revoked, (entry_kinds.KEY_REVOKED,), names


CLAIM_SOURCES: Sequence[Callable[[str, int, int], Iterable[RowClaim]]] = (
    _table_entry_fields,
    _terminal_entry_fields,
    _assignment_entry_fields,
    _key_entry_fields,
)


def verify_rows(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int, str]]:
    """Projection check of `verify_ledger`: each row whose entry is in this range, against later entries about it."""
    if not entries:
        return
    acts = [(act, act.content()) for act in read_entries(log, entries[0].index, tree.MAX_SIZE, ACT_KINDS)]
    for source in CLAIM_SOURCES:
        for index, word, claimed, by_kinds, names in source(log, first, last):
            if claimed != _find_act(acts, index, by_kinds, names):
                yield index, f"whether and by whom this was {word} is not what the log says."


def _find_act(
    acts: Sequence[tuple[LogEntry, Mapping[str, Any]]], after: int, by_kinds: tuple[str, ...], names: Mapping[str, Any]
) -> ActRecord:
    """The first entry of these kinds after the row's own that names the row."""
    for act, content in acts:
        is_meant = all(content.get(member, value) == value for member, value in names.items())
        if act.index > after and act.kind in by_kinds and is_meant:
            return act.recorded_at, content["by"]["id"]
    return None
