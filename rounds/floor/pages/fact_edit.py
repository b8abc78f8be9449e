"""Forms that record a fact of a table, a terminal or the casino, and that retract one."""

from functools import partial

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.errors import Refusal
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.forms import ReasonForm
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.precheck import carry_out
from rounds.floor.fact_catalogue import FactKind, fact_kind
from rounds.floor.facts.rule_breaches import table_setup_at
from rounds.floor.facts.text import fact_lines
from rounds.floor.models import FactRetraction, Table, Terminal
from rounds.floor.pages.common import fact_editors_only, formatter_for
from rounds.floor.pages.fact_forms import FORM_BY_FACT
from rounds.floor.selectors import FactsAt, access_fact, access_table, access_terminal, terminal_facts_at
from rounds.floor.services import record_fact, retract_fact


@fact_editors_only
@allow_get_post
def set_fact(request: CasinoRequest, casino: str, table: str, fact: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    return _fact_form_page(request, fact_kind(fact, "table"), found, None)


@fact_editors_only
@allow_get_post
def set_terminal_fact(request: CasinoRequest, casino: str, table: str, terminal: str, fact: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    return _fact_form_page(request, fact_kind(fact, "terminal"), found, access_terminal(request.user, found, terminal))


@fact_editors_only
@allow_get_post
def set_casino_fact(request: CasinoRequest, casino: str, fact: str) -> HttpResponse:
    return _fact_form_page(request, fact_kind(fact, "casino"), None, None)


def _fact_form_page(
    request: CasinoRequest, kind: FactKind, table: Table | None, terminal: Terminal | None
) -> HttpResponse:
    now = timezone.now()
    situation = table_setup_at(request.casino, table, now)
    facts = situation.facts
    if table and terminal:
        facts = terminal_facts_at(table, now).get(terminal.slug) or FactsAt(now, ())
    held = facts.rows.get(kind.name)
    form = FORM_BY_FACT[kind.name](
        bound_data(request),
        kind=kind,
        situation=situation,
        table=table,
        now=now,
        before=held.parse_value() if held else None,
    )
    back = _return_url(request, table, terminal)
    if request.method == "POST" and form.is_valid() and form.value is not None:
        state = partial(
            record_fact,
            casino=request.casino,
            table=table,
            terminal=terminal,
            value=form.value,
            effective_at=form.effective_at,
            note=form.cleaned_data["note"],
            actor=request.user,
            now=now,
        )
        try:
            carry_out(request, form, state)
        except Refusal as refusal:
            form.add_error(None, refusal.full_message)
        else:
            messages.success(request, f"{kind.label}: recorded.")
            return redirect(back)
    context = {
        "casino": request.casino,
        "kind": kind,
        "form": form,
        "subject": terminal or table or request.casino,
        "back": back,
        "held": held,
        "held_words": fact_lines(held, formatter_for(request.casino, situation.pack, now)) if held else [],
        "has_rules": table is None or situation.pack is not None or kind.name == "rules",
    }
    return render(request, "floor/set-fact.html", context)


def _return_url(request: CasinoRequest, table: Table | None, terminal: Terminal | None) -> str:
    if table is None:
        return casino_url("floor:casino", request.casino)
    return casino_url("floor:terminals" if terminal else "floor:table", request.casino, table=table.slug)


@fact_editors_only
@allow_get_post
def retract(request: CasinoRequest, casino: str, fact: int) -> HttpResponse:
    found = access_fact(request.user, request.casino, fact)
    form = ReasonForm(bound_data(request), model=FactRetraction)
    act = ConfirmPage(
        title=f"Take back: {found.kind.label.lower()}",
        consequences=(
            f"What {found.by} stated counts as a mistake: it never held, and what was so before holds on.",
            "It stays readable in the history, with your name and reason. To say that something changed later, "
            "state a new fact instead.",
        ),
        submit="Take back",
        back=_return_url(request, found.table, found.terminal),
        back_label=str(found.terminal or found.table or request.casino),
        done="It is taken back.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: retract_fact(fact=found, reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now()),
    )
