"""The day list of a casino's equipment: what to do now, and the countdown of the dice."""

from collections.abc import Iterator

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.requests import CasinoRequest, PersonRequest
from compliance.accounts.views.choosing import choose_casino
from compliance.equipment.needs import needs_of, record_address
from compliance.equipment.selectors import DiceHere, EquipmentNow, equipment_now
from compliance.equipment.services import MAY_RECORD
from compliance.equipment.views.places import address_of, readers
from compliance.equipment.views.registers import hours
from compliance.web.components import Column, Table
from compliance.web.templatetags.kit import local
from rounds.floor.models import Table as FloorTable
from rounds.floor.standing import MAY_READ

RENEWED_SECONDS = 30


@readers
@never_cache
@require_safe
def casinos(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request, MAY_READ, lambda casino: address_of("board", casino), title="Equipment",
        caption="Casinos and their equipment",
    )  # fmt: skip


@readers
@never_cache
@require_safe
def board(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()
    tables = list(FloorTable.objects.filter(casino=request.casino).in_use(now).select_related("casino"))
    standing = equipment_now(request.casino, tables, now)
    context = {
        "casino": request.casino,
        "needs": needs_of(standing),
        "dice": _countdown(request, standing),
        "tables": tables,
        "may_record": request.user.holds(*MAY_RECORD, casino=request.casino),
        "now": now,
        "seconds": RENEWED_SECONDS,
    }
    return render(request, "equipment/board.html", context)


def _take_away(request: CasinoRequest) -> Iterator[Column]:
    """For those who may record it: to others the form does not open."""
    if request.user.holds(*MAY_RECORD, casino=request.casino):
        yield Column(
            "Change", lambda dice: "Take away", is_control=True,
            link=lambda dice: record_address(request.casino, dice.table, "dice-removed"),
        )  # fmt: skip


def _countdown(request: CasinoRequest, standing: EquipmentNow) -> Table:
    place = request.casino

    def left(dice: DiceHere) -> str:
        return "" if dice.left is None else hours(dice.left.total_seconds())

    return Table(
        caption="Dice at the tables, those that must go first, first",
        columns=(
            Column("Set", "custody.name", is_row_heading=True),
            Column("Table", "table.name", link=lambda dice: address_of("table", place, table=dice.table.slug)),
            Column("State", "tag"),
            Column("Time left", left, is_figure=True),
            Column("Must go by", lambda dice: local(dice.due_at, place)),
            Column("Put to use", lambda dice: local(dice.custody.at, place)),
            *_take_away(request),
        ),
        rows=standing.dice(),
        query=request.GET,
        name="dice",
        empty="No dice are recorded at any table.",
    )
