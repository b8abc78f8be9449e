"""What a table's equipment needs now, in the order in which it presses; and what its display says while play rests."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from django.urls import reverse

from compliance.accounts.models import Casino
from compliance.equipment.following import fault_words
from compliance.equipment.selectors import DiceHere, EquipmentNow, InspectionDue, equipment_now
from compliance.equipment.states import Fault
from compliance.signs.faces import Fact
from compliance.signs.offers import Need
from compliance.web.components import Tag
from rounds.floor.models import Table

TOPIC = "equipment"


def needs(tables: Sequence[Table], now: datetime) -> Iterator[Need]:
    """For the pages of tables, beside what signs and closings need."""
    for casino in {table.casino for table in tables}:
        here = [table for table in tables if table.casino_id == casino.pk]
        yield from needs_of(equipment_now(casino, here, now))


def face(table: Table, now: datetime) -> Sequence[Fact] | None:
    resting = Fault.objects.filter(log=table.casino.slug, table=table.slug).stopping()
    return [Fact("At this table", "play is stopped")] if resting.exists() else None


def needs_of(now: EquipmentNow) -> list[Need]:
    found = [*_faults(now), *_inspections(now), *_dice(now)]
    order = ("danger", "warning", "info", "success", "neutral")
    return sorted(found, key=lambda need: order.index(need.state.kind))


def _faults(now: EquipmentNow) -> Iterator[Need]:
    for fault in now.faults:
        table = now.tables.get(fault.table)
        if table is not None and fault.state != "over":
            yield _fault(now.casino, table, fault)


def _fault(casino: Casino, table: Table, fault: Fault) -> Need:
    href = reverse("equipment:fault", kwargs={"casino": casino.slug, "fault": fault.index})
    what = fault_words(fault).lower()
    if fault.mended_at:
        why = "It is mended. Look at the table and sign for its return to play."
        return _need(table, what, why, fault.tag, href, "Return to play")
    rule = f" (rule {fault.clause})" if fault.clause else ""
    why = f"No further play until it is mended{rule}." if fault.stops_play else "It is not mended yet."
    return _need(table, what, why, fault.tag, href, "Open the fault")


def _need(table: Table, what: str, why: str, tag: Tag, href: str, link: str) -> Need:
    return Need(table, what, href, tag, why, link=link, topic=TOPIC)


def _inspections(now: EquipmentNow) -> Iterator[Need]:
    for due in now.inspections_due():
        yield _inspection(now, due)


def _inspection(now: EquipmentNow, due: InspectionDue) -> Need:
    asked = due.asked
    often = "once" if asked.trials == 1 else f"{asked.trials} times"
    why = f"At least {often}, by the {now.inspectors_of(due)} (rule {asked.clause})."
    href = record_address(now.casino, due.table, "inspection") + f"?item={asked.item}&occasion={asked.when}"
    return _need(due.table, due.words.lower(), why, Tag("To be tried", "warning"), href, "Try it now")


def _dice(now: EquipmentNow) -> Iterator[Need]:
    for dice in now.dice():
        if dice.tag.kind in ("danger", "warning"):
            yield _dice_need(now, dice)


def _dice_need(now: EquipmentNow, dice: DiceHere) -> Need:
    left = dice.left
    assert left is not None
    minutes = abs(int(left.total_seconds())) // 60
    words = f"{minutes // 60} h {minutes % 60} min"
    over = left.total_seconds() < 0
    what = f"dice {dice.custody.name} {'are over their time by' if over else 'must go within'} {words}"
    hours = dice.at_most.total_seconds() // 3600 if dice.at_most else 0
    why = f"No more than {hours:.0f} hours at a table (rule {dice.clause})."
    href = record_address(now.casino, dice.table, "dice-removed")
    return _need(dice.table, what, why, dice.tag, href, "Take them away")


def record_address(casino: Casino, table: Table, kind: str) -> str:
    return reverse("equipment:record", kwargs={"casino": casino.slug, "table": table.slug, "kind": kind})
