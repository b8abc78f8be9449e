"""To-do items for a table's equipment, most urgent first, and what its display shows while play is stopped."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from compliance.core.accounts.models import Casino
from compliance.core.web.ui.components import Tag
from compliance.core.web.ui.links import casino_url
from compliance.tables.equipment.consumer import fault_label
from compliance.tables.equipment.projections import Fault
from compliance.tables.equipment.selectors import DiceAtTable, EquipmentStatus, InspectionDue, load_equipment_status
from compliance.tables.signs.presentation.table_hooks import TodoItem
from compliance.tables.signs.presentation.text import SignFact
from rounds.floor.models import Table
from rounds.intake.entry_kinds import DICE_REMOVED, INSPECTION

TOPIC = "equipment"


def table_todo_items(tables: Sequence[Table], now: datetime) -> Iterator[TodoItem]:
    """Provider for the pages of tables, together with those of signs and closures."""
    for casino in {table.casino for table in tables}:
        own_tables = [table for table in tables if table.casino_id == casino.pk]
        yield from equipment_todo_items(load_equipment_status(casino, own_tables, now))


def stopped_play_facts(table: Table, now: datetime) -> Sequence[SignFact] | None:
    resting = Fault.objects.filter(log=table.casino.slug, table=table.slug).stopping_play()
    return [SignFact("At this table", "play is stopped")] if resting.exists() else None


def equipment_todo_items(status: EquipmentStatus) -> list[TodoItem]:
    items = [*_fault_items(status), *_inspection_items(status), *_dice_items(status)]
    order = ("danger", "warning", "info", "success", "neutral")
    return sorted(items, key=lambda item: order.index(item.state.kind))


def _fault_items(status: EquipmentStatus) -> Iterator[TodoItem]:
    for fault in status.faults:
        table = status.tables.get(fault.table)
        if table is not None and fault.state != "over":
            yield _fault_item(status.casino, table, fault)


def _fault_item(casino: Casino, table: Table, fault: Fault) -> TodoItem:
    href = casino_url("equipment:fault", casino, fault=fault.index)
    what = fault_label(fault).lower()
    if fault.mended_at:
        why = "It is mended. A supervisor looks at the table and signs for its return to play."
        return _todo_item(table, what, why, fault.tag, href, "Return to play")
    rule = f" (rule {fault.clause})" if fault.clause else ""
    why = f"No further play until it is mended{rule}." if fault.stops_play else "It is not mended yet."
    return _todo_item(table, what, why, fault.tag, href, "Open the fault")


def _todo_item(table: Table, what: str, why: str, tag: Tag, href: str, link: str) -> TodoItem:
    return TodoItem(table, what, href, tag, why, link=link, topic=TOPIC)


def _inspection_items(status: EquipmentStatus) -> Iterator[TodoItem]:
    for due in status.inspections_due():
        yield _inspection_item(status, due)


def _inspection_item(status: EquipmentStatus, due: InspectionDue) -> TodoItem:
    required = due.asked
    often = "once" if required.trials == 1 else f"{required.trials} times"
    why = f"At least {often}, by the {status.inspectors_of(due)} (rule {required.clause})."
    href = record_address(status.casino, due.table, INSPECTION) + f"?item={required.item}&occasion={required.when}"
    return _todo_item(due.table, due.task_text.lower(), why, Tag("To be tried", "warning"), href, "Try it now")


def _dice_items(status: EquipmentStatus) -> Iterator[TodoItem]:
    for dice in status.dice():
        if dice.tag.kind in ("danger", "warning"):
            yield _dice_item(status, dice)


def _dice_item(status: EquipmentStatus, dice: DiceAtTable) -> TodoItem:
    left = dice.time_left
    assert left is not None
    minutes = abs(int(left.total_seconds())) // 60
    duration = f"{minutes // 60} h {minutes % 60} min"
    over = left.total_seconds() < 0
    what = f"dice {dice.custody.name} {'are over their time by' if over else 'must go within'} {duration}"
    hours = dice.at_most.total_seconds() // 3600 if dice.at_most else 0
    why = f"No more than {hours:.0f} hours at a table (rule {dice.clause})."
    href = record_address(status.casino, dice.table, DICE_REMOVED)
    return _todo_item(dice.table, what, why, dice.tag, href, "Take them away")


def record_address(casino: Casino, table: Table, kind: str) -> str:
    return casino_url("equipment:record", casino, table=table.slug, kind=kind)
