"""Consumer of equipment entries: maintains the projections, raises alerts for faults, undoes corrected entries."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

import structlog

from compliance.core.web.local_time import Clock
from compliance.notify.alerts.services import raise_alert
from compliance.tables.equipment.duties import FaultDuty, fault_duty
from compliance.tables.equipment.entry_kinds import RETURNED
from compliance.tables.equipment.projections import Custody, Fault, Piece
from compliance.tables.equipment.row_mapping import (
    PROJECTED_MODELS,
    ROW_MAPPINGS,
    EquipmentLine,
    Fields,
    parse_entry,
    row_fields,
)
from rounds.floor.models import Table
from rounds.intake import entry_kinds
from rounds.ledger import LogEntry, consume_all, every_log, readers
from rounds.ledger import entry_kinds as ledger_kinds

logger = structlog.get_logger(__name__)

CONSUMER = "equipment"
CONSUME_TASK = "compliance.tables.equipment.tasks.consume_equipment_entries"
FAULT_DUTY = "equipment-fault"
CORRECTIONS = (ledger_kinds.CORRECTION, entry_kinds.CONTROLLER_CORRECTION)


def consume_equipment(clock: Clock, logs: Iterable[str] | None = None) -> int:
    """Consumes new entries and returns how many. `clock` gives the time at which alerts are raised."""
    where = every_log() if logs is None else logs
    return consume_all(CONSUMER, where, lambda entries: handle_entries(entries, clock), kinds=CONSUMED_KINDS)


def handle_entries(entries: Sequence[LogEntry], clock: Clock) -> None:
    """Handler for `consume`: runs in one transaction with the cursor, in log order."""
    for entry in entries:
        if entry.kind in CORRECTIONS:
            _undo_corrected_entry(entry)
            continue
        line = parse_entry(entry)
        if line is None or not entry.table:
            logger.warning("equipment_not_readable", log=entry.log, index=entry.index, kind=entry.kind)
        elif entry.kind in ROW_MAPPINGS:
            _create_row(line, clock)
        else:
            UPDATE_HANDLERS[entry.kind](line)


def _create_row(line: EquipmentLine, clock: Clock) -> None:
    fields, entry = row_fields(line), line.entry
    if fields is None:
        logger.warning("equipment_not_readable", log=entry.log, index=entry.index, kind=entry.kind)
    elif entry.kind == entry_kinds.FAULT:
        _record_fault(line, fields, clock)
    else:
        if entry.kind == entry_kinds.SHOE_CHANGED:
            # A change of shoe has no separate entry for the removal of the old one.
            _remove_from_table(line, Piece.SHOE, None, "changed")
        model, _ = ROW_MAPPINGS[entry.kind]
        model._default_manager.create(log=entry.log, index=entry.index, **fields)


# --- Faults ---------------------------------------------------------------------------------------------------------


def _record_fault(line: EquipmentLine, fields: Fields, clock: Clock) -> None:
    """Creates the fault; stops play and raises an alert if the rules in force say so. Idempotent: a second report of an
    open fault is ignored."""
    entry = line.entry
    same = Fault.objects.filter(log=entry.log, table=entry.table, name=fields["name"], mended_at=None)
    if same.exists():
        return
    table = Table.objects.filter(casino__slug=entry.log, slug=entry.table).select_related("casino").first()
    duty = fault_duty(table, line.at, fields["equipment"], fields["effect"]) if table else FaultDuty()
    fault = Fault(log=entry.log, index=entry.index, stops_play=duty.stops_play, clause=duty.clause, **fields)
    if table is not None and duty.told:
        fault.alert_index = _raise_fault_alert(line, fault, table, duty, clock())
    fault.save(force_insert=True)


def _raise_fault_alert(line: EquipmentLine, fault: Fault, table: Table, duty: FaultDuty, now: datetime) -> int:
    stopped = " Play is stopped until it is mended." if duty.stops_play else ""
    alert = raise_alert(
        casino=table.casino,
        duty=FAULT_DUTY,
        to=duty.told,
        clause=duty.clause,
        table=table.slug,
        statement=f"{table}: {fault_label(fault)}.{stopped}",
        about=(line.entry.log, line.entry.index),
        immediately=duty.at_once,
        fact_at=line.at,
        now=now,
    )
    return alert.entry_index


def fault_label(fault: Fault) -> str:
    """Text such as "Electrical device, not lit"."""
    return f"{fault.equipment.replace('-', ' ')}, {fault.effect.replace('-', ' ')}".capitalize()


def _mark_repaired(line: EquipmentLine) -> None:
    failing = Fault.objects.filter(log=line.entry.log, table=line.entry.table, name=line.body.get("fault"))
    failing.not_repaired().update(mended_at=line.at, mended_index=line.entry.index, mended_by=line.by)


def _mark_returned(line: EquipmentLine) -> None:
    """Marks the faults that a person signed for, named by the index of the entries that reported them."""
    faults = Fault.objects.filter(log=line.entry.log, index__in=line.body["faults"], mended_at__isnull=False)
    faults.update(returned_at=line.at, returned_index=line.entry.index, returned_by=line.by)


# --- Custody --------------------------------------------------------------------------------------------------------


def _remove_from_table(line: EquipmentLine, piece: Piece, name: str | None, because: str) -> None:
    pieces = Custody.objects.filter(log=line.entry.log, table=line.entry.table).of_piece(piece).at_table()
    pieces = pieces.filter(name=name) if name is not None else pieces
    pieces.update(removed_at=line.at, removed_index=line.entry.index, removed_because=because)


def _remove_dice(line: EquipmentLine) -> None:
    _remove_from_table(line, Piece.DICE, line.body.get("dice", ""), str(line.body.get("reason", "other")))


def _remove_shaker(line: EquipmentLine) -> None:
    _remove_from_table(line, Piece.SHAKER, line.body.get("shaker", ""), "")


# --- Corrections ----------------------------------------------------------------------------------------------------


def _undo_corrected_entry(entry: LogEntry) -> None:
    """Deletes the rows that the corrected entry created and reopens what it had ended."""
    index = _corrected_index(entry)
    if index is None:
        return
    for model in PROJECTED_MODELS:
        model._default_manager.filter(log=entry.log, index=index).delete()
    Custody.objects.filter(log=entry.log, removed_index=index).update(
        removed_at=None, removed_index=None, removed_because=""
    )
    Fault.objects.filter(log=entry.log, returned_index=index).update(
        returned_at=None, returned_index=None, returned_by=""
    )
    Fault.objects.filter(log=entry.log, mended_index=index, returned_at=None).update(
        mended_at=None, mended_index=None, mended_by=""
    )


def _corrected_index(entry: LogEntry) -> int | None:
    content = entry.content()
    if entry.kind != entry_kinds.CONTROLLER_CORRECTION:
        return int(content["corrects"])
    sequence = content["body"]["corrects"]
    by_sequence = readers.entries_by_sequence(entry.log, entry.table or "", entry.controller or "", [sequence])
    return by_sequence[sequence].index if sequence in by_sequence else None


UPDATE_HANDLERS: Mapping[str, Callable[[EquipmentLine], None]] = {
    entry_kinds.FAULT_CLEARED: _mark_repaired,
    RETURNED: _mark_returned,
    entry_kinds.DICE_REMOVED: _remove_dice,
    entry_kinds.SHAKER_REMOVED: _remove_shaker,
}
CONSUMED_KINDS = frozenset({*ROW_MAPPINGS, *UPDATE_HANDLERS, *CORRECTIONS})
