"""Terminals of an electronic table: the list with the layout of each at any instant; add and retire."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.ui.cell_values import Phrase
from compliance.core.web.ui.components import Column, DataTable, Tag
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from rounds.floor.fact_values import TerminalLayoutValue
from rounds.floor.models import Terminal
from rounds.floor.pages.common import action_link, fact_editors_only, may_state_facts, readers_only, source_link
from rounds.floor.pages.forms import AddTerminalForm, InstantForm
from rounds.floor.selectors import access_table, access_terminal, facts_at, pack_for, pay_table_for, terminal_facts_at
from rounds.floor.services import add_terminal, retire_terminal


@readers_only
@require_safe
def terminals(request: CasinoRequest, casino: str, table: str) -> ListResponse:
    found, now = access_table(request.user, request.casino, table), timezone.now()
    form = InstantForm(request.GET if "at" in request.GET else None, zone=request.casino.zone)
    at = form.instant(now)
    layouts, pack, facts = terminal_facts_at(found, at), pack_for(found, at), facts_at(found, at)
    may = may_state_facts(request.user, request.casino)

    def pay_table_cell(terminal: Terminal) -> str | None:
        return pay_table_for(pack, facts, layouts.get(terminal.slug)) if pack else None

    def layout_cell(terminal: Terminal) -> Any:
        stated = layouts[terminal.slug].get(TerminalLayoutValue) if terminal.slug in layouts else None
        return stated.layout if stated else Tag("Not stated", "warning")

    def since_cell(terminal: Terminal) -> Any:
        fact = layouts[terminal.slug].rows.get("layout") if terminal.slug in layouts else None
        if fact is None:
            return ""
        return Phrase("{}, {}", fact.effective_at, source_link(fact, request.casino))

    def action_links(terminal: Terminal) -> Any:
        place = {"table": found.slug, "terminal": terminal.slug}
        change = action_link(
            casino_url("floor:set-terminal-fact", request.casino, fact="layout", **place),
            "Layout",
            f"of {terminal.slug}",
        )
        if terminal.retired_at:
            return ""
        retire = action_link(casino_url("floor:retire-terminal", request.casino, **place), "Retire", terminal.slug)
        return format_html("{} · {}", change, retire)

    columns = [
        Column("Terminal", "slug", sort="slug", is_row_heading=True),
        Column("Layout", layout_cell),
        Column("Pay table", pay_table_cell),
        Column("Since", since_cell),
        Column("State", lambda terminal: Tag("Retired") if terminal.retired_at else Tag("In use", "success")),
    ]
    context = {
        "floor_table": found,
        "form": form,
        "at": at,
        "may_state": may,
        "table": DataTable(
            caption=f"Terminals of {found}",
            columns=[*columns, Column("Action", action_links, is_control=True)] if may else columns,
            rows=found.terminals.all(),
            sort="slug",
            empty="This table has no terminals.",
        ),
    }
    return list_response(request, "floor/terminals.html", context)


@fact_editors_only
@allow_get_post
def add_terminal_page(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    form = AddTerminalForm(bound_data(request))
    act = ConfirmPage(
        title=f"Add a terminal to {found}",
        consequences=("State its layout afterwards: it decides the pay table of its wagers.",),
        submit="Add terminal",
        back=casino_url("floor:terminals", request.casino, table=found.slug),
        back_label="Terminals",
        done="The terminal is added.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: add_terminal(table=found, slug=form.cleaned_data["slug"], actor=request.user, now=timezone.now()),
    )


@fact_editors_only
@allow_get_post
def retire_terminal_page(request: CasinoRequest, casino: str, table: str, terminal: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    one = access_terminal(request.user, found, terminal)
    act = ConfirmPage(
        title=f"Retire terminal {one}",
        consequences=("It is no longer in use. What was recorded about it stays.",),
        submit="Retire terminal",
        back=casino_url("floor:terminals", request.casino, table=found.slug),
        back_label="Terminals",
        done=f"Terminal {one} is retired.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        forms.Form(bound_data(request)),
        lambda: retire_terminal(terminal=one, actor=request.user, now=timezone.now()),
    )
