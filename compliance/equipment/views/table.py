"""One table, for somebody who stands at it: what it needs now, and everything that can be recorded of it."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from compliance.accounts.requests import CasinoRequest
from compliance.accounts.views.steps import posted
from compliance.equipment.following import follow_equipment
from compliance.equipment.forms import FORMS
from compliance.equipment.forms.fields import RecordForm, Scene
from compliance.equipment.needs import needs_of, record_address
from compliance.equipment.selectors import equipment_now
from compliance.equipment.services import MAY_RECORD, MAY_REPORT_FAULTS, position_of, record_line
from compliance.equipment.views.places import address_of, readers, recorders
from compliance.web.errors import NotFound, Refusal
from rounds.floor.facts import with_cards
from rounds.floor.models import Table
from rounds.floor.selectors import access_table, pack_for
from rounds.intake.kinds.words import Staff

# In the order of a day; cards only where cards are played, dice and shakers where dice are.
GROUPS = (
    ("Faults", ("fault", "fault-cleared")),
    ("Inspections", ("inspection",)),
    ("Dice and shakers", ("dice-placed", "dice-removed", "shaker-placed", "shaker-removed")),
    ("Cards", ("shoe-changed", "deck-count", "foreign-card")),
    ("Chips without value", ("chips-issued", "chips-redeemed")),
)
ONLY_FAULTS = frozenset({"fault", "fault-cleared"})


@readers
@never_cache
@require_safe
def table(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    now = timezone.now()
    standing = equipment_now(request.casino, [found], now)
    context = {
        "casino": request.casino,
        "floor_table": found,
        "needs": needs_of(standing),
        "dice": standing.dice(),
        "shakers": [each for each in standing.present if each.piece == "shaker"],
        "groups": _groups(request, found),
        "now": now,
    }
    return render(request, "equipment/table.html", context)


def _groups(request: CasinoRequest, table: Table) -> list[tuple[str, list[tuple[str, str]]]]:
    """What this person may record at this table, a button each."""
    pack = pack_for(table, timezone.now())
    has_cards = pack is not None and with_cards(pack)
    if not request.user.holds(*MAY_REPORT_FAULTS, casino=request.casino):
        return []
    may_all = request.user.holds(*MAY_RECORD, casino=request.casino)
    shown = []
    for heading, kinds in GROUPS:
        fits = heading not in ("Cards", "Dice and shakers") or has_cards == (heading == "Cards")
        mine = [kind for kind in kinds if may_all or kind in ONLY_FAULTS]
        if fits and mine:
            shown.append((heading, [(FORMS[kind].title, record_address(request.casino, table, kind)) for kind in mine]))
    return shown


@recorders
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def record(request: CasinoRequest, casino: str, table: str, kind: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    kinds = FORMS if request.user.holds(*MAY_RECORD, casino=request.casino) else ONLY_FAULTS
    if kind not in kinds:
        raise NotFound
    now = timezone.now()
    scene = Scene(found, pack_for(found, now), now)
    asked = {name: request.GET[name] for name in FORMS[kind].base_fields if name in request.GET}
    form = FORMS[kind](posted(request), scene=scene, initial=asked)
    if request.method == "POST" and form.is_valid():
        try:
            return _send(request, form, kind)
        except Refusal as refusal:
            form.add_error(None, refusal.words)
    context: dict[str, Any] = {
        "casino": request.casino, "floor_table": found, "form": form, "guidance": form.guidance(),
        "back": address_of("table", request.casino, table=table),
    }  # fmt: skip
    return render(request, "equipment/record.html", context)


def _send(request: CasinoRequest, form: RecordForm, kind: str) -> HttpResponseRedirect:
    table = form.scene.table
    position = position_of(request.user, request.casino, form.wanted_roles())
    body = form.body(Staff(position=position.value))  # type: ignore[arg-type]
    line = record_line(
        table=table, kind=kind, body=body, at=form.cleaned_data["at"], actor=request.user, now=timezone.now()
    )
    # So that the next page shows it; where a worker is at it already, that page shows it a moment later.
    follow_equipment(timezone.now, [request.casino.slug])
    messages.success(request, f"Recorded as entry {line.entry_index:,}: {form.title.lower()}, {table}.")
    return redirect(address_of("table", request.casino, table=table.slug))
