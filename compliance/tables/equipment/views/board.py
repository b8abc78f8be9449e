"""Board of a casino's equipment: to-do items, and the remaining time of each set of dice."""

from collections.abc import Iterator

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.web.ui.components import Column, DataTable
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.core.web.ui.record_notes import ListNotes
from compliance.tables.equipment.selectors import DiceAtTable, EquipmentStatus, load_equipment_status
from compliance.tables.equipment.services.floor_records import MAY_RECORD
from compliance.tables.equipment.todo_items import equipment_todo_items, record_address
from compliance.tables.equipment.views.common import readers_only
from compliance.tables.equipment.views.registers import format_hours
from rounds.floor.models import Table as FloorTable
from rounds.floor.permissions import MAY_READ
from rounds.intake.entry_kinds import DICE_REMOVED

PAGE_REFRESH_SECONDS = 30


@readers_only
@require_safe
def casinos(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request,
        MAY_READ,
        lambda casino: casino_url("equipment:board", casino),
        title="Equipment",
        caption="Casinos and their equipment",
    )


@readers_only
@require_safe
def board(request: CasinoRequest, casino: str) -> ListResponse:
    now = timezone.now()
    tables = list(FloorTable.objects.filter(casino=request.casino).in_use(now).select_related("casino"))
    standing = load_equipment_status(request.casino, tables, now)
    context = {
        "needs": equipment_todo_items(standing),
        "dice": _dice_countdown_table(request, standing),
        "tables": tables,
        "may_record": request.user.has_role(*MAY_RECORD, casino=request.casino),
        "now": now,
        "seconds": PAGE_REFRESH_SECONDS,
    }
    return list_response(request, "equipment/board.html", context, lists=("dice",))


def _removal_column(request: CasinoRequest) -> Iterator[Column]:
    """Only for those who may record a removal; the form is forbidden to others."""
    if request.user.has_role(*MAY_RECORD, casino=request.casino):
        yield Column(
            "Change",
            lambda dice: "Take away",
            is_control=True,
            link=lambda dice: record_address(request.casino, dice.table, DICE_REMOVED),
        )


def _dice_countdown_table(request: CasinoRequest, status: EquipmentStatus) -> DataTable:
    place, notes = request.casino, ListNotes(request, lambda dice: [dice.custody.index])

    def time_left(dice: DiceAtTable) -> str:
        return "" if dice.time_left is None else format_hours(dice.time_left.total_seconds())

    return DataTable(
        caption="Dice at the tables, those that must go first, first",
        columns=(
            Column("Set", "custody.name", is_row_heading=True),
            Column(
                "Table", "table.name", link=lambda dice: casino_url("equipment:table", place, table=dice.table.slug)
            ),
            Column("State", lambda dice: notes.tag(dice, dice.tag)),
            Column("Time left", time_left, is_figure=True),
            Column("Must go by", "due_at"),
            Column("Put to use", "custody.at"),
            *_removal_column(request),
        ),
        rows=status.dice(),
        prepare=notes.read,
        name="dice",
        empty="No dice are recorded at any table.",
    )
