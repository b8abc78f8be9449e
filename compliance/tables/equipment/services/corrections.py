"""Which records of equipment can be withdrawn. The consumer undoes what a withdrawn one had changed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from compliance.core.accounts.models import User
from compliance.core.corrections.registry import CorrectableRecord, find_row, line_author, register_correctable
from compliance.core.web.jobs.wake import wake
from compliance.core.web.ui.links import casino_url
from compliance.tables.equipment import entry_kinds as own_kinds
from compliance.tables.equipment.consumer import CONSUME_TASK
from compliance.tables.equipment.models import ManualLine, ReturnToPlay, StakesReturned, VoidSet
from compliance.tables.equipment.projections import Fault
from compliance.tables.equipment.services.floor_records import (
    MAY_RECORD,
    MAY_REPORT_FAULTS,
    MAY_RETURN_TO_PLAY,
    MAY_VOID,
)
from compliance.tables.equipment.services.stake_returns import MAY_RETURN_STAKES
from compliance.tables.equipment.verify import MANUAL_KINDS
from rounds.intake import entry_kinds
from rounds.intake.services.wake_consumers import wake_consumers
from rounds.ledger.entry_kinds import find_kind

FAULT_KINDS = frozenset({entry_kinds.FAULT, entry_kinds.FAULT_CLEARED})


def register() -> None:
    lines = find_row(ManualLine, "casino", "table")
    for name in MANUAL_KINDS:
        kind = find_kind(name)
        assert kind is not None
        register_correctable(
            CorrectableRecord(
                kind=kind,
                writers=MAY_REPORT_FAULTS if kind in FAULT_KINDS else MAY_RECORD,
                find=lines,
                page=_table_page,
                dependents=_returns_after,
                after=_wake,
                author=line_author,
            )
        )
    register_correctable(
        CorrectableRecord(
            kind=own_kinds.RETURNED,
            writers=MAY_RETURN_TO_PLAY,
            find=find_row(ReturnToPlay, "casino", "table"),
            page=_table_page,
            after=_wake,
        ),
        CorrectableRecord(
            kind=entry_kinds.VOID_SET,
            writers=MAY_VOID,
            find=find_row(VoidSet, "casino", "table"),
            page=lambda row: casino_url("equipment:void-set", row.casino, void_set=row.entry_index),
            dependents=_returned_stakes,
            after=_wake,
        ),
        CorrectableRecord(
            kind=entry_kinds.STAKES_RETURNED,
            writers=MAY_RETURN_STAKES,
            find=find_row(StakesReturned, "casino", "table"),
            page=lambda row: casino_url("equipment:returns", row.casino, because=row.because),
            after=_wake,
        ),
    )


def _table_page(row: ManualLine | ReturnToPlay) -> str:
    return casino_url("equipment:table", row.casino, table=row.table.slug)


def _returns_after(line: ManualLine) -> Iterator[str]:
    """The return to play that followed on a repair."""
    returned = Fault.objects.filter(log=line.log, mended_index=line.entry_index, returned_at__isnull=False)
    yield from (f"the return to play, entry {fault.returned_index:,}" for fault in returned)


def _returned_stakes(row: VoidSet) -> Iterator[str]:
    returned = StakesReturned.objects.filter(casino=row.casino, because=row.entry_index)
    yield from (f"stakes handed back, entry {each.entry_index:,}" for each in returned)


def _wake(row: Any, actor: User, now: datetime) -> None:
    wake(CONSUME_TASK)
    wake_consumers()
