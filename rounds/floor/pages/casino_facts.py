"""Page of the casino's own facts (currency, gaming day, shifts, holidays) and of their history."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.ui.components import DataTable
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from rounds.floor.fact_catalogue import fact_kind, fact_kinds_about
from rounds.floor.facts.gaming_days import corrected_holiday, gaming_day, shift_at
from rounds.floor.models import Fact
from rounds.floor.pages.common import FactRow, action_link, fact_columns, formatter_for, may_state_facts, readers_only
from rounds.floor.pages.forms import InstantForm
from rounds.floor.pages.table_facts import history_table
from rounds.floor.selectors import casino_facts_at


@readers_only
@require_safe
def casino_facts(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()
    form = InstantForm(request.GET or None, zone=request.casino.zone)
    at = form.instant(now)
    facts, may = casino_facts_at(request.casino, at), may_state_facts(request.user, request.casino)

    def action_links(row: FactRow) -> SafeString:
        about = row.kind.label.lower()
        past = action_link(
            casino_url("floor:casino-history", request.casino, fact=row.kind.name), "History", f"of {about}"
        )
        if not may:
            return past
        href = casino_url("floor:set-casino-fact", request.casino, fact=row.kind.name)
        return format_html("{} · {}", action_link(href, "Change" if row.fact else "State", about), past)

    day = gaming_day(request.casino, at)
    context = {
        "casino": request.casino,
        "form": form,
        "at": at,
        "is_now": at == now,
        "gaming_day": day,
        "is_holiday": corrected_holiday(request.casino, day),
        "shift": shift_at(request.casino, at),
        "table": DataTable(
            caption="Facts of the casino",
            columns=fact_columns(request.casino, formatter_for(request.casino, None, at), action_links),
            rows=[FactRow(kind, facts.rows.get(kind.name)) for kind in fact_kinds_about("casino")],
            is_caption_hidden=True,
        ),
    }
    return render(request, "floor/casino.html", context)


@readers_only
@require_safe
def casino_fact_history(request: CasinoRequest, casino: str, fact: str) -> ListResponse:
    kind, now = fact_kind(fact, "casino"), timezone.now()
    facts = Fact.objects.filter(casino=request.casino, table=None, name=kind.name).with_people().newest_first()
    held = casino_facts_at(request.casino, now).rows.get(kind.name)
    context = {
        "kind": kind,
        "subject": request.casino,
        "back": casino_url("floor:casino", request.casino),
        "table": history_table(request, facts, formatter_for(request.casino, None, now), held),
    }
    return list_response(request, "floor/history.html", context)
