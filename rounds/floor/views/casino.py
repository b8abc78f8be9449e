"""The facts of the casino itself: currency, gaming day, shifts, holidays."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.requests import CasinoRequest
from compliance.web.components import Table
from rounds.floor.facts import fact_kind, facts_about
from rounds.floor.forms import InstantForm
from rounds.floor.gaming_days import gaming_day, is_holiday, shift_at
from rounds.floor.models import Fact
from rounds.floor.selectors import casino_facts_at
from rounds.floor.views.presenting import FactRow, address_of, fact_columns, link, may_state, reader_for, readers
from rounds.floor.views.table import history_table


@readers
@never_cache
@require_safe
def casino(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()
    form = InstantForm(request.GET or None, zone=request.casino.zone)
    at = form.instant(now)
    facts, may = casino_facts_at(request.casino, at), may_state(request.user, request.casino)

    def actions(row: FactRow) -> SafeString:
        about = row.kind.label.lower()
        past = link(address_of("casino-history", request.casino, fact=row.kind.name), "History", f"of {about}")
        if not may:
            return past
        href = address_of("set-casino-fact", request.casino, fact=row.kind.name)
        return format_html("{} · {}", link(href, "Change" if row.fact else "State", about), past)

    day = gaming_day(request.casino, at)
    context = {
        "casino": request.casino,
        "form": form,
        "at": at,
        "is_now": at == now,
        "gaming_day": day,
        "is_holiday": is_holiday(request.casino, day),
        "shift": shift_at(request.casino, at),
        "table": Table(
            caption="Facts of the casino",
            columns=fact_columns(request.casino, reader_for(request.casino, None, at), actions),
            rows=[FactRow(kind, facts.rows.get(kind.name)) for kind in facts_about("casino")],
            is_caption_hidden=True,
        ),
    }
    return render(request, "floor/casino.html", context)


@readers
@never_cache
@require_safe
def fact_history(request: CasinoRequest, casino: str, fact: str) -> HttpResponse:
    kind, now = fact_kind(fact, "casino"), timezone.now()
    facts = Fact.objects.filter(casino=request.casino, table=None, name=kind.name).with_people().newest_first()
    held = casino_facts_at(request.casino, now).rows.get(kind.name)
    context = {
        "casino": request.casino,
        "kind": kind,
        "subject": request.casino,
        "back": address_of("casino", request.casino),
        "table": history_table(request, facts, reader_for(request.casino, None, now), held),
    }
    return render(request, "floor/history.html", context)
