"""Stating a fact of a table, a terminal or the casino, and taking one back."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from compliance.accounts.requests import CasinoRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.web.errors import Refusal
from rounds.floor.breaches import situation_at
from rounds.floor.fact_forms import FORMS
from rounds.floor.facts import FactKind, fact_kind
from rounds.floor.forms import ReasonForm
from rounds.floor.models import Table, Terminal
from rounds.floor.selectors import FactsAt, access_fact, access_table, access_terminal, terminal_facts_at
from rounds.floor.services import state_fact, take_back_fact
from rounds.floor.views.presenting import address_of, reader_for, staters
from rounds.floor.wording import words_of


@staters
@never_cache
@asks_first
def set_fact(request: CasinoRequest, casino: str, table: str, fact: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    return _page(request, fact_kind(fact, "table"), found, None)


@staters
@never_cache
@asks_first
def set_terminal_fact(request: CasinoRequest, casino: str, table: str, terminal: str, fact: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    return _page(request, fact_kind(fact, "terminal"), found, access_terminal(request.user, found, terminal))


@staters
@never_cache
@asks_first
def set_casino_fact(request: CasinoRequest, casino: str, fact: str) -> HttpResponse:
    return _page(request, fact_kind(fact, "casino"), None, None)


def _page(request: CasinoRequest, kind: FactKind, table: Table | None, terminal: Terminal | None) -> HttpResponse:
    now = timezone.now()
    situation = situation_at(request.casino, table, now)
    facts = situation.facts
    if table and terminal:
        facts = terminal_facts_at(table, now).get(terminal.slug) or FactsAt(now, ())
    held = facts.rows.get(kind.name)
    form = FORMS[kind.name](
        posted(request), kind=kind, situation=situation, table=table, now=now,
        before=held.read() if held else None,
    )  # fmt: skip
    back = _back(request, table, terminal)
    if request.method == "POST" and form.is_valid() and form.value is not None:
        try:
            state_fact(
                casino=request.casino, table=table, terminal=terminal, value=form.value,
                effective_at=form.effective_at, note=form.cleaned_data["note"], actor=request.user, now=now,
            )  # fmt: skip
        except Refusal as refusal:
            form.add_error(None, refusal.words)
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
        "held_words": words_of(held, reader_for(request.casino, situation.pack, now)) if held else [],
        "has_rules": table is None or situation.pack is not None or kind.name == "rules",
    }
    return render(request, "floor/set-fact.html", context)


def _back(request: CasinoRequest, table: Table | None, terminal: Terminal | None) -> str:
    if table is None:
        return address_of("casino", request.casino)
    return address_of("terminals" if terminal else "table", request.casino, table=table.slug)


@staters
@never_cache
@asks_first
def take_back(request: CasinoRequest, casino: str, fact: int) -> HttpResponse:
    found = access_fact(request.user, request.casino, fact)
    form = ReasonForm(posted(request))
    act = Act(
        title=f"Take back: {found.kind.label.lower()}",
        consequences=(
            f"What {found.by} stated counts as a mistake: it never held, and what was so before holds on.",
            "It stays readable in the history, with your name and reason. To say that something changed later, "
            "state a new fact instead.",
        ),
        submit="Take back",
        back=_back(request, found.table, found.terminal),
        back_label=str(found.terminal or found.table or request.casino),
        done="It is taken back.",
        is_danger=True,
    )
    return act_page(
        request, act, form,
        lambda: take_back_fact(
            fact=found, reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now()
        ),
    )  # fmt: skip
