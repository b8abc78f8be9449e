"""That a person closed a table or opened it again can be withdrawn. The announcement of a closing is withdrawn by its
own service.

A table whose closing is withdrawn never closed: the closing is withdrawn and is announced anew if the table is to
close. If an opening is withdrawn, the table has been closed all the time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime

from compliance.core.accounts.models import User
from compliance.core.corrections.registry import CorrectableRecord, line_author, own_author, register_correctable
from compliance.core.web.ui.links import casino_url
from compliance.tables.closures import entry_kinds
from compliance.tables.closures.models import Closure, ClosureStep
from compliance.tables.closures.services.closings import lock_closure, record_step
from compliance.tables.closures.states import ClosureState
from compliance.tables.signs.permissions import SUPERVISORS
from rounds.floor.models import Table
from rounds.intake.entry_kinds import TABLE_CLOSED, TABLE_OPENED
from rounds.intake.services.wake_consumers import wake_consumers
from rounds.ledger import LogEntry

CORRECTABLE_STATES = (ClosureState.CLOSED, ClosureState.REOPENED)


@dataclass(frozen=True)
class ClosingOrOpening:
    """The line of the table, and the step of the closing that was recorded with it; an opening after a closing that
    only a controller reported has none."""

    table: Table
    line_index: int
    step: ClosureStep | None


def register() -> None:
    for kind, find, author in (
        (TABLE_CLOSED, _find_by_line, line_author),
        (TABLE_OPENED, _find_by_line, line_author),
        (entry_kinds.CLOSURE_ENDED, _find_by_step, own_author),
    ):
        register_correctable(
            CorrectableRecord(
                kind=kind,
                writers=SUPERVISORS,
                find=find,
                page=lambda turn: casino_url("closures:table", turn.table.casino, table=turn.table.slug),
                dependents=_later_changes,
                also=_other_entry,
                after=_move_back,
                author=author,
            )
        )


def _find_by_line(entry: LogEntry) -> ClosingOrOpening | None:
    """record_step appends the line just before the step."""
    table = Table.objects.select_related("casino").filter(casino__slug=entry.log, slug=entry.table or "").first()
    if table is None or line_author(entry.content()) is None:
        return None
    return ClosingOrOpening(table, entry.index, _locked_step(entry.log, entry.index + 1))


def _find_by_step(entry: LogEntry) -> ClosingOrOpening | None:
    step = _locked_step(entry.log, entry.index)
    return ClosingOrOpening(step.closure.table, entry.index - 1, step) if step is not None else None


def _locked_step(log: str, index: int) -> ClosureStep | None:
    """None for steps that a controller reported, and for the withdrawal of an announcement."""
    steps = ClosureStep.recorded.filter(log=log, entry_index=index, by__isnull=False, state__in=CORRECTABLE_STATES)
    step = steps.first()
    if step is not None:
        step.closure = lock_closure(step.closure)
    return step


def _other_entry(turn: ClosingOrOpening, entry: LogEntry) -> Collection[int]:
    both = {turn.line_index, *([turn.step.entry_index] if turn.step else [])}
    return both - {entry.index}


def _later_changes(turn: ClosingOrOpening) -> Iterator[str]:
    step, closings = turn.step, Closure.objects.filter(table=turn.table, entry_index__gt=turn.line_index)
    if step is not None and step.state == ClosureState.CLOSED:
        opened = step.closure.steps.filter(state=ClosureState.REOPENED)
        yield from (f"the table was opened again, entry {later.entry_index:,}" for later in opened)
    else:
        standing = closings.exclude(state=ClosureState.WITHDRAWN).order_by("entry_index")
        yield from (f"a later closing, entry {later.entry_index:,}" for later in standing)


def _move_back(turn: ClosingOrOpening, actor: User, now: datetime) -> None:
    """The triggers of the table allow it because the step was taken back."""
    step = turn.step
    if step is not None and step.state == ClosureState.CLOSED:
        reason = "That the table was closed was recorded in error."
        record_step(step.closure, ClosureState.WITHDRAWN, at=now, now=now, actor=actor, reason=reason)
    elif step is not None:
        step.closure.state = ClosureState.CLOSED
        step.closure.save(update_fields=["state"])
    wake_consumers()
