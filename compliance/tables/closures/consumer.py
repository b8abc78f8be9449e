"""Consumer of controllers' `table-closed` and `table-opened` entries: moves the matching Closure to its next state."""

from collections.abc import Sequence
from datetime import datetime

import msgspec
import structlog

from compliance.tables.closures.models import Closure
from compliance.tables.closures.services import record_step
from compliance.tables.closures.states import ClosureState
from compliance.tables.signs.services import end_sign
from rounds.intake.entry_kinds import TABLE_CLOSED, TABLE_OPENED
from rounds.ledger import LogEntry

logger = structlog.get_logger(__name__)

CONSUMER = "closures"
CONSUMED_KINDS = frozenset({TABLE_CLOSED, TABLE_OPENED})


def handle_entries(entries: Sequence[LogEntry]) -> None:
    """Handler for `consume`. Skips entries recorded by people: their service has already changed the closure."""
    for entry in entries:
        if entry.controller is not None and entry.table:
            _apply_report(entry)


def _apply_report(entry: LogEntry) -> None:
    from_state, to_state = (
        (ClosureState.ANNOUNCED, ClosureState.CLOSED)
        if entry.kind == TABLE_CLOSED
        else (ClosureState.CLOSED, ClosureState.REOPENED)
    )
    rows = Closure.objects.select_for_update(no_key=True, of=("self",)).select_related(
        "casino", "table", "sign", "call"
    )
    closure = rows.filter(casino__slug=entry.log, table__slug=entry.table, state=from_state).first()
    if closure is None or entry.index < closure.entry_index:
        return
    try:
        at = msgspec.convert(entry.content()["at"], datetime)
    except (KeyError, msgspec.ValidationError) as error:
        logger.error("closing_not_readable", log=entry.log, index=entry.index, error=str(error))
        return
    for sign in filter(None, (closure.sign, closure.call)):
        end_sign(sign=sign, now=entry.recorded_at)
    reason_text = f"Reported by controller {entry.controller}, entry {entry.index}."
    record_step(
        closure, to_state, at=at, now=entry.recorded_at, by_name=f"controller {entry.controller}", reason=reason_text
    )
