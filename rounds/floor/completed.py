"""What people did to rows after they were written (retired, ended, approved, revoked), read again out of the log.

A key that somebody approved by hand in the database has no entry of an approval, and is found by this.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias

from rounds.floor import kinds
from rounds.floor.models import ControllerKey, ControllerTable, Table, Terminal
from rounds.ledger.following import Recorded, read_entries
from rounds.ledger.leaves import write_instant
from rounds.ledger.merkle import MAX_SIZE

WRITTEN = (kinds.TABLE_ADDED, kinds.TERMINAL_ADDED, kinds.CONTROLLER_TABLE_GIVEN, kinds.KEY_PROPOSED)
COMPLETING = (
    kinds.TABLE_RETIRED,
    kinds.TERMINAL_RETIRED,
    kinds.CONTROLLER_TABLE_ENDED,
    kinds.KEY_APPROVED,
    kinds.KEY_REVOKED,
)

# When and by whom (their number), as a row says it or as an entry does; None while it was not done.
Done: TypeAlias = tuple[datetime, int] | None
# Row, and for each thing that may be done to it: what the row says, the kinds that do it, what they must name.
Claim: TypeAlias = tuple[int, str, Done, tuple[str, ...], Mapping[str, Any]]


def _done(at: datetime | None, by: int | None) -> Done:
    return (at, by) if at is not None and by is not None else None


def _of_tables(log: str, first: int, last: int) -> Iterator[Claim]:
    for row in Table.recorded_between(log, first, last):
        done = _done(row.retired_at, row.retired_by_id)
        yield row.entry_index, "retired", done, (kinds.TABLE_RETIRED,), {"table": row.slug}


def _of_terminals(log: str, first: int, last: int) -> Iterator[Claim]:
    for row in Terminal.recorded_between(log, first, last):
        names = {"table": row.table.slug, "terminal": row.slug}
        done = _done(row.retired_at, row.retired_by_id)
        yield row.entry_index, "retired", done, (kinds.TERMINAL_RETIRED,), names


def _of_given_tables(log: str, first: int, last: int) -> Iterator[Claim]:
    """A table that is retired has nobody to speak for it any more."""
    for row in ControllerTable.recorded_between(log, first, last):
        names = {"table": row.table.slug, "controller": row.controller.slug}
        done = _done(row.until_at, row.ended_by_id)
        yield row.entry_index, "ended", done, (kinds.CONTROLLER_TABLE_ENDED, kinds.TABLE_RETIRED), names


def _of_keys(log: str, first: int, last: int) -> Iterator[Claim]:
    for row in ControllerKey.recorded_between(log, first, last):
        names = {"key_id": row.key_id, "controller": row.controller.slug}
        begins = {"valid_from": write_instant(row.valid_from)} if row.valid_from else {}
        approved, revoked = _done(row.approved_at, row.approved_by_id), _done(row.revoked_at, row.revoked_by_id)
        yield row.entry_index, "approved", approved, (kinds.KEY_APPROVED,), names | begins
        yield row.entry_index, "revoked", revoked, (kinds.KEY_REVOKED,), names


SOURCES: Sequence[Callable[[str, int, int], Iterable[Claim]]] = (_of_tables, _of_terminals, _of_given_tables, _of_keys)


def differences(log: str, first: int, last: int, entries: Sequence[Recorded]) -> Iterator[tuple[int, str]]:
    """For `verify_ledger`: each row whose entry lies here, against everything that was done to it later."""
    if not entries:
        return
    acts = [(act, act.content()) for act in read_entries(log, entries[0].index, MAX_SIZE, COMPLETING)]
    for source in SOURCES:
        for index, word, claimed, by_kinds, names in source(log, first, last):
            if claimed != _found(acts, index, by_kinds, names):
                yield index, f"whether and by whom this was {word} is not what the log says."


def _found(
    acts: Sequence[tuple[Recorded, Mapping[str, Any]]], after: int, by_kinds: tuple[str, ...], names: Mapping[str, Any]
) -> Done:
    """The first act of these kinds after the row was written that names it."""
    for act, content in acts:
        is_meant = all(content.get(member, value) == value for member, value in names.items())
        if act.index > after and act.kind in by_kinds and is_meant:
            return act.recorded_at, content["by"]["id"]
    return None
