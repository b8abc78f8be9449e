"""Pages of conduct: the register, recording an act at a table, one act."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods, require_safe

from compliance.core.accounts.list_registry import FilteredList, ListQuery
from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.roles import Role
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.corrections.list_marks import CorrectionMarks
from compliance.core.corrections.selectors import record_lines
from compliance.core.web.access import require_roles
from compliance.core.web.errors import NotFound, Refusal
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.components import Column, DataTable, FilterPanel, SummaryList, SummaryRow
from compliance.core.web.ui.confirm_page import bound_data
from compliance.core.web.ui.links import casino_url, entry_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.core.web.ui.precheck import carry_out
from compliance.privacy.personal_data.subjects import OVERSEERS
from compliance.tables.player_conduct.act_types import ACT_TYPES
from compliance.tables.player_conduct.forms import ConductFilter, ConductForm
from compliance.tables.player_conduct.selectors import access_act, acts_of
from compliance.tables.player_conduct.services import MAY_RECORD, record_conduct
from rounds.engine import INVALIDATED, Pack, judge_later_void
from rounds.floor.models import Table as FloorTable
from rounds.floor.permissions import MAY_READ
from rounds.floor.selectors import access_table, pack_for
from rounds.intake.entry_kinds import INVALIDATION, WAGERS_VOIDED
from rounds.intake.round_view import later_void_text
from rounds.ledger import corrections_of

readers_only = require_roles(*MAY_READ)
recorders_only = require_roles(*MAY_RECORD)


@readers_only
@require_safe
def casinos(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request,
        MAY_READ,
        lambda casino: casino_url("conduct:acts", casino),
        title="Conduct",
        caption="Casinos and their records",
    )


ACTS = FilteredList("conduct:acts", ConductFilter, lambda asked, chosen: acts_of(asked.casino, **chosen))


@readers_only
@require_safe
def acts(request: CasinoRequest, casino: str) -> ListResponse:
    place = request.casino
    form, rows = ACTS(ListQuery.from_request(request))
    marks = CorrectionMarks(place)
    table = DataTable(
        caption="Records of conduct, the newest first",
        columns=(
            Column(
                "When",
                "at",
                sort="at",
                is_row_heading=True,
                link=lambda act: casino_url("conduct:act", place, act=act.entry_index),
            ),
            Column("What", "get_kind_display"),
            Column("Table", "table.name", sort="table__name"),
            Column("Whom", "whom"),
            Column("Grounds", "grounds_words"),
            Column("Rounds", lambda act: f"{len(act.rounds):,}", is_figure=True),
            Column("By", "by_name", sort="by_name"),
            marks.column,
        ),
        rows=rows,
        prepare=marks.read,
        sort="-at",
        empty="Nothing of the kind was recorded.",
    )
    may = request.user.has_role(*MAY_RECORD, casino=place)
    tables = list(FloorTable.objects.filter(casino=place).in_use(timezone.now())) if may else []
    context = {"panel": FilterPanel(form), "table": table, "tables": tables}
    return list_response(request, "player_conduct/acts.html", context)


@recorders_only
@require_safe
def choose_act_type(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    """Large buttons for the act types that can be recorded at a table, with what its rules say of each."""
    found = access_table(request.user, request.casino, table)
    pack = pack_for(found, timezone.now())
    sorts = [(act_type, act_type.rules_in(pack)) for act_type in ACT_TYPES.values()]
    return render(
        request, "player_conduct/at-table.html", {"casino": request.casino, "floor_table": found, "sorts": sorts}
    )


@recorders_only
@require_http_methods(["GET", "HEAD", "POST"])
def record_act(request: CasinoRequest, casino: str, table: str, kind: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    if kind not in ACT_TYPES:
        raise NotFound
    act_type, now = ACT_TYPES[kind], timezone.now()
    asked = {"rounds": request.GET["round"]} if "round" in request.GET else {}
    form = ConductForm(bound_data(request), act_type=act_type, table=found, now=now, initial=asked)
    if request.method == "POST" and form.is_valid():
        try:
            act = carry_out(
                request,
                form,
                lambda: record_conduct(table=found, report=form.to_report(), actor=request.user, now=timezone.now()),
            )
        except Refusal as refusal:
            form.add_error(None, refusal.full_message)
        else:
            messages.success(request, f"{act_type.title}: recorded in your name as entry {act.entry_index:,}.")
            return redirect(casino_url("conduct:act", request.casino, act=act.entry_index))
    pack = pack_for(found, now)
    context = {
        "casino": request.casino,
        "floor_table": found,
        "form": form,
        "sort": act_type,
        "ruled": act_type.rules_in(pack),
        "effect": _invalidation_effect(pack, kind),
    }
    return render(request, "player_conduct/record.html", context)


def _invalidation_effect(pack: Pack | None, kind: str) -> str:
    """What the rules in force now make of an invalidated outcome. Empty for other acts."""
    if pack is None or kind != INVALIDATION:
        return ""
    return later_void_text(judge_later_void(pack, INVALIDATED), INVALIDATED, "the rounds you name")


@readers_only
@require_safe
def act(request: CasinoRequest, casino: str, act: int) -> HttpResponse:
    found = access_act(request.user, request.casino, act)
    place = request.casino
    entry = entry_url(casino, found.entry_index)
    rows = [
        SummaryRow("What", found.get_kind_display()),
        SummaryRow("Table", found.table.name),
        SummaryRow("When", local(found.at, place)),
        SummaryRow("Whom", found.whom),
        SummaryRow("Grounds", found.grounds_words),
        SummaryRow("By clause", found.clause or "The rules of this table are silent"),
        SummaryRow("Excluded from", {"game": "The game", "casino": "The casino"}.get(found.scope, "")),
        SummaryRow("Rounds", _round_links(found.rounds, place)),
        SummaryRow("Wagers", ", ".join(found.wagers)),
        SummaryRow("Forfeited", ", ".join(found.forfeited)),
        SummaryRow("By", f"{found.by_name}, {Role(found.acted_as).label.lower()}"),
        SummaryRow("Recorded", format_html('<a href="{}">Entry {}</a>', entry, f"{found.entry_index:,}")),
    ]
    is_withdrawn = bool(corrections_of(found.log, [found.entry_index]))
    may_record = request.user.has_role(*MAY_RECORD, casino=place)
    # Floor staff wrote the details but cannot read them later; overseers can, with a reason.
    may_look = found.personal_id is not None and request.user.has_role(*OVERSEERS, casino=place)
    owes = found.kind in (INVALIDATION, WAGERS_VOIDED) and bool(found.rounds)
    returns = casino_url("equipment:returns", casino, because=found.entry_index) if owes else ""
    may_return = request.user.has_role(Role.SHIFT_MANAGER, Role.CASINO_SUPERVISOR, casino=place)
    context = {
        "casino": place,
        "act": found,
        "returns": returns if may_return else "",
        "summary": SummaryList([row for row in rows if row.value]),
        "is_withdrawn": is_withdrawn,
        "may_record_anew": is_withdrawn and may_record,
        "may_look": may_look,
        "corrections": record_lines(request.user, place, [found.entry_index]),
    }
    return render(request, "player_conduct/act.html", context)


def _round_links(indexes: list[int], casino: Casino) -> SafeString:
    links = ((casino_url("desk:round", casino, index=index), f"{index:,}") for index in indexes)
    return format_html_join(", ", '<a href="{}">Entry {}</a>', links)
