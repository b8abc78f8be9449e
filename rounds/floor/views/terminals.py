"""Terminals of an electronic table: which there are, and the layout of each at any instant."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.requests import CasinoRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.web.components import Column, Table, Tag
from compliance.web.templatetags.kit import local
from rounds.floor.forms import AddTerminalForm, InstantForm
from rounds.floor.models import Terminal
from rounds.floor.selectors import access_table, access_terminal, facts_at, pack_for, pay_table_for, terminal_facts_at
from rounds.floor.services import add_terminal, retire_terminal
from rounds.floor.values import TerminalLayout
from rounds.floor.views.presenting import address_of, link, may_state, readers, said_by, staters


@readers
@never_cache
@require_safe
def terminals(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    found, now = access_table(request.user, request.casino, table), timezone.now()
    form = InstantForm(request.GET if "at" in request.GET else None, zone=request.casino.zone)
    at = form.instant(now)
    layouts, pack, facts = terminal_facts_at(found, at), pack_for(found, at), facts_at(found, at)
    may = may_state(request.user, request.casino)

    def pay_table(terminal: Terminal) -> str | None:
        return pay_table_for(pack, facts, layouts.get(terminal.slug)) if pack else None

    def layout(terminal: Terminal) -> Any:
        stated = layouts[terminal.slug].get(TerminalLayout) if terminal.slug in layouts else None
        return stated.layout if stated else Tag("Not stated", "warning")

    def since(terminal: Terminal) -> Any:
        fact = layouts[terminal.slug].rows.get("layout") if terminal.slug in layouts else None
        if fact is None:
            return ""
        return format_html("{}, {}", local(fact.effective_at, request.casino), said_by(fact, request.casino))

    def actions(terminal: Terminal) -> Any:
        place = {"table": found.slug, "terminal": terminal.slug}
        change = link(
            address_of("set-terminal-fact", request.casino, fact="layout", **place), "Layout", f"of {terminal.slug}"
        )
        if terminal.retired_at:
            return ""
        retire = link(address_of("retire-terminal", request.casino, **place), "Retire", terminal.slug)
        return format_html("{} · {}", change, retire)

    columns = [
        Column("Terminal", "slug", sort="slug", is_row_heading=True),
        Column("Layout", layout),
        Column("Pay table", pay_table),
        Column("Since", since),
        Column("State", lambda terminal: Tag("Retired") if terminal.retired_at else Tag("In use", "success")),
    ]
    context = {
        "casino": request.casino,
        "floor_table": found,
        "form": form,
        "at": at,
        "may_state": may,
        "table": Table(
            caption=f"Terminals of {found}",
            columns=[*columns, Column("Action", actions)] if may else columns,
            rows=found.terminals.all(),
            query=request.GET,
            sort="slug",
            empty="This table has no terminals.",
        ),
    }
    return render(request, "floor/terminals.html", context)


@staters
@never_cache
@asks_first
def add(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    form = AddTerminalForm(posted(request))
    act = Act(
        title=f"Add a terminal to {found}",
        consequences=("State its layout afterwards: it decides the pay table of its wagers.",),
        submit="Add terminal",
        back=address_of("terminals", request.casino, table=found.slug),
        back_label="Terminals",
        done="The terminal is added.",
    )
    return act_page(
        request, act, form,
        lambda: add_terminal(table=found, slug=form.cleaned_data["slug"], actor=request.user, now=timezone.now()),
    )  # fmt: skip


@staters
@never_cache
@asks_first
def retire(request: CasinoRequest, casino: str, table: str, terminal: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    one = access_terminal(request.user, found, terminal)
    act = Act(
        title=f"Retire terminal {one}",
        consequences=("It is no longer in use. What was recorded about it stays.",),
        submit="Retire terminal",
        back=address_of("terminals", request.casino, table=found.slug),
        back_label="Terminals",
        done=f"Terminal {one} is retired.",
        is_danger=True,
    )
    return act_page(
        request, act, forms.Form(posted(request)),
        lambda: retire_terminal(terminal=one, actor=request.user, now=timezone.now()),
    )  # fmt: skip
