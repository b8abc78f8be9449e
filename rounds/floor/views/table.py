"""One table at any instant: what held, since when, who said so; what is to come; and the history of each fact."""

from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.models import Casino
from compliance.accounts.requests import CasinoRequest
from compliance.web.components import Column, Table
from compliance.web.templatetags.kit import local
from rounds.engine.packs import Pack
from rounds.floor import models
from rounds.floor.breaches import standing_breaches
from rounds.floor.facts import fact_kind, facts_about
from rounds.floor.forms import InstantForm
from rounds.floor.models import ControllerTable, Fact
from rounds.floor.selectors import FactsAt, access_table, facts_at, history, upcoming
from rounds.floor.values import TableRules
from rounds.floor.views.presenting import (
    FactRow,
    address_of,
    entry_link,
    fact_columns,
    in_lines,
    link,
    may_state,
    reader_for,
    readers,
    said_by,
    state_of,
)
from rounds.floor.wording import Reader, words_of
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of, version_in_force


@readers
@never_cache
@require_safe
def table(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    found, now = access_table(request.user, request.casino, table), timezone.now()
    form = InstantForm(request.GET or None, zone=request.casino.zone)
    at = form.instant(now)
    facts = facts_at(found, at)
    version = version_of(request.casino, facts)
    pack = pack_of(version) if version else None
    reader = reader_for(request.casino, pack, at)
    context = {
        "casino": request.casino,
        "floor_table": found,
        "form": form,
        "at": at,
        "is_now": at == now,
        "version": version,
        "may_state": may_state(request.user, request.casino),
        "breaches": standing_breaches(request.casino, facts, version),
        "facts": _facts(request, found, facts, pack, reader),
        "upcoming": _upcoming(request, found, now, reader),
        "controllers": ControllerTable.objects.at(at).filter(table=found).select_related("controller"),
        "terminals": found.terminals.filter(retired_at=None).count(),
        "entry": entry_link(request.casino, found.entry_index),
    }
    return render(request, "floor/table.html", context)


def version_of(casino: Casino, facts: FactsAt) -> RuleVersion | None:
    """Like version_for, without asking for the facts again."""
    played = facts.get(TableRules)
    return version_in_force(casino, played.rules, facts.instant) if played else None


def _facts(request: CasinoRequest, found: models.Table, facts: FactsAt, pack: Pack | None, reader: Reader) -> Table:
    applying = {kind.name for kind in facts_about("table", pack)} if pack else {"rules"}
    rows = [
        FactRow(kind, facts.rows.get(kind.name))
        for kind in facts_about("table")
        if kind.name in applying or kind.name in facts.rows
    ]
    may = may_state(request.user, request.casino) and not found.retired_at

    def actions(row: FactRow) -> SafeString:
        place = {"table": found.slug, "fact": row.kind.name}
        about = row.kind.label.lower()
        past = link(address_of("history", request.casino, **place), "History", f"of {about}")
        if not may:
            return past
        words = "Change" if row.fact else "State"
        return format_html("{} · {}", link(address_of("set-fact", request.casino, **place), words, about), past)

    return Table(
        caption="Facts of the table",
        columns=fact_columns(request.casino, reader, actions),
        rows=rows,
        name="facts",
        is_caption_hidden=True,
    )


def _upcoming(request: CasinoRequest, found: models.Table, now: datetime, reader: Reader) -> Table | None:
    facts = upcoming(Fact.objects.filter(table=found), now)
    if not facts.exists():
        return None

    def what(fact: Fact) -> Any:
        where = f"Terminal {fact.terminal.slug}: " if fact.terminal else ""
        return in_lines([where + line for line in words_of(fact, reader)])

    columns = [
        Column("Fact", lambda fact: fact.kind.label, is_row_heading=True),
        Column("What will be so", what),
        Column("From", lambda fact: local(fact.effective_at, request.casino)),
        Column("Said by", lambda fact: said_by(fact, request.casino)),
    ]
    if may_state(request.user, request.casino):
        columns.append(Column("Action", lambda fact: take_back_link(fact, request.casino)))
    return Table(
        caption="Facts that take effect later", columns=columns, rows=facts, query=request.GET, name="upcoming"
    )


def take_back_link(fact: Fact, casino: Casino) -> SafeString:
    return link(address_of("take-back", casino, fact=fact.pk), "Take back", fact.kind.label.lower())


def history_table(request: CasinoRequest, facts: Any, reader: Reader, in_force: Fact | None) -> Table:
    now = timezone.now()

    def what(fact: Fact) -> Any:
        lines = words_of(fact, reader) + ([f"Note: {fact.note}"] if fact.note else [])
        if hasattr(fact, "taken_back"):
            lines.append(f"Taken back by {fact.taken_back.by_name}: {fact.taken_back.reason}")
        return in_lines(lines)

    def recorded(fact: Fact) -> SafeString:
        return format_html("{}<br>{}", local(fact.recorded_at, request.casino), said_by(fact, request.casino))

    columns = [
        Column("From", lambda fact: local(fact.effective_at, request.casino), sort="effective_at", is_row_heading=True),
        Column("What was stated", what),
        Column("State", lambda fact: state_of(fact, in_force, now)),
        Column("Recorded", recorded, sort="recorded_at"),
    ]
    if may_state(request.user, request.casino):
        columns.append(
            Column(
                "Action",
                lambda fact: "" if hasattr(fact, "taken_back") else take_back_link(fact, request.casino),
            )
        )
    return Table(
        caption="Every fact of this name, newest first",
        columns=columns,
        rows=facts,
        query=request.GET,
        empty="Nothing was ever stated.",
    )


@readers
@never_cache
@require_safe
def fact_history(request: CasinoRequest, casino: str, table: str, fact: str) -> HttpResponse:
    found, now = access_table(request.user, request.casino, table), timezone.now()
    kind = fact_kind(fact, "table")
    facts = facts_at(found, now)
    version = version_of(request.casino, facts)
    reader = reader_for(request.casino, pack_of(version) if version else None, now)
    context = {
        "casino": request.casino,
        "kind": kind,
        "subject": found,
        "back": address_of("table", request.casino, table=found.slug),
        "table": history_table(request, history(found, kind.name), reader, facts.rows.get(kind.name)),
    }
    return render(request, "floor/history.html", context)
