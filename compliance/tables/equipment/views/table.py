"""One table's equipment page, for the person at the table: to-do items and everything that can be recorded."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.corrections.selectors import newest_indexes, record_lines
from compliance.core.web.errors import NotFound, Refusal
from compliance.core.web.ui.confirm_page import bound_data
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.precheck import carry_out
from compliance.core.web.ui.record_notes import ListNotes
from compliance.tables.equipment.consumer import consume_equipment
from compliance.tables.equipment.forms import FORMS
from compliance.tables.equipment.forms.base import RecordForm, TableContext
from compliance.tables.equipment.models import ManualLine, ReturnToPlay
from compliance.tables.equipment.selectors import load_equipment_status
from compliance.tables.equipment.services.floor_records import (
    MAY_RECORD,
    MAY_REPORT_FAULTS,
    acting_role,
    record_manual_line,
)
from compliance.tables.equipment.todo_items import equipment_todo_items, record_address
from compliance.tables.equipment.views.common import readers_only, recorders_only
from rounds.floor.fact_catalogue import uses_cards
from rounds.floor.models import Table
from rounds.floor.selectors import access_table, pack_for
from rounds.intake import entry_kinds
from rounds.intake.protocol.fields import Staff

VOUCHERS = "Vouchers"
# In the order of a day. Cards only for card games, dice and shakers only for dice games, vouchers only where the rules
# know them.
GROUPS = (
    ("Faults", (entry_kinds.FAULT, entry_kinds.FAULT_CLEARED)),
    ("Inspections", (entry_kinds.INSPECTION,)),
    (
        "Dice and shakers",
        (entry_kinds.DICE_PLACED, entry_kinds.DICE_REMOVED, entry_kinds.SHAKER_PLACED, entry_kinds.SHAKER_REMOVED),
    ),
    ("Cards", (entry_kinds.SHOE_CHANGED, entry_kinds.DECK_COUNT, entry_kinds.FOREIGN_CARD)),
    ("Chips without value", (entry_kinds.CHIPS_ISSUED, entry_kinds.CHIPS_REDEEMED)),
    (VOUCHERS, (entry_kinds.VOUCHER_EXCHANGED,)),
)
FAULT_KINDS = frozenset({entry_kinds.FAULT, entry_kinds.FAULT_CLEARED})


@readers_only
@require_safe
def table(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    now = timezone.now()
    standing = load_equipment_status(request.casino, [found], now)
    notes, dice = ListNotes(request, lambda each: [each.custody.index]), standing.dice()
    notes.read(dice)
    records = [
        index for model in (ManualLine, ReturnToPlay) for index in newest_indexes(model.recorded.filter(table=found))
    ]
    context = {
        "casino": request.casino,
        "floor_table": found,
        "needs": equipment_todo_items(standing),
        "dice": [(each, notes.tag(each, each.tag)) for each in dice],
        "shakers": [each for each in standing.present if each.piece == "shaker"],
        "groups": _record_buttons(request, found),
        "now": now,
        "corrections": record_lines(request.user, request.casino, records),
    }
    return render(request, "equipment/table.html", context)


def _record_buttons(request: CasinoRequest, table: Table) -> list[tuple[str, list[tuple[str, str]]]]:
    """Buttons for what this person may record at this table, by group."""
    pack = pack_for(table, timezone.now())
    has_cards = pack is not None and uses_cards(pack)
    if not request.user.has_role(*MAY_REPORT_FAULTS, casino=request.casino):
        return []
    may_all = request.user.has_role(*MAY_RECORD, casino=request.casino)
    shown = []
    for heading, kinds in GROUPS:
        fits = heading not in ("Cards", "Dice and shakers") or has_cards == (heading == "Cards")
        fits = fits and (heading != VOUCHERS or (pack is not None and pack.duties.voucher is not None))
        mine = [kind for kind in kinds if may_all or kind in FAULT_KINDS]
        if fits and mine:
            shown.append((heading, [(FORMS[kind].title, record_address(request.casino, table, kind)) for kind in mine]))
    return shown


@recorders_only
@require_http_methods(["GET", "HEAD", "POST"])
def record_at_table(request: CasinoRequest, casino: str, table: str, kind: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    kinds = FORMS if request.user.has_role(*MAY_RECORD, casino=request.casino) else FAULT_KINDS
    if kind not in kinds:
        raise NotFound
    now = timezone.now()
    scene = TableContext(found, pack_for(found, now), now)
    asked = {name: request.GET[name] for name in FORMS[kind].base_fields if name in request.GET}
    form = FORMS[kind](bound_data(request), table_context=scene, initial=asked)
    if request.method == "POST" and form.is_valid():
        try:
            return _submit_record(request, form, kind)
        except Refusal as refusal:
            form.add_error(None, refusal.full_message)
    context: dict[str, Any] = {
        "casino": request.casino,
        "floor_table": found,
        "form": form,
        "guidance": form.guidance(),
        "back": casino_url("equipment:table", request.casino, table=table),
    }
    return render(request, "equipment/record.html", context)


def _submit_record(request: CasinoRequest, form: RecordForm, kind: str) -> HttpResponseRedirect:
    table = form.table_context.table
    position = acting_role(request.user, request.casino, form.preferred_roles())
    body = form.body(Staff(position=position.value))  # type: ignore[arg-type]
    line = carry_out(
        request,
        form,
        lambda: record_manual_line(
            table=table, kind=kind, body=body, at=form.cleaned_data["at"], actor=request.user, now=timezone.now()
        ),
    )
    # Consume now, so that the next page shows the record. If a worker holds the lock, it appears a moment later.
    consume_equipment(timezone.now, [request.casino.slug])
    text = f"Recorded as entry {line.entry_index:,}: {form.title.lower()}, {table}. {form.outcome()}"
    messages.success(request, text.strip())
    return redirect(casino_url("equipment:table", request.casino, table=table.slug))
