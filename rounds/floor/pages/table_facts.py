"""One table at any instant: facts in force with source and time, upcoming facts, breaches; and the history of each
fact.
"""

from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.ui.cell_values import Lines
from compliance.core.web.ui.components import Column, DataTable
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from rounds.engine import Pack
from rounds.floor import models
from rounds.floor.fact_catalogue import fact_kind, fact_kinds_about
from rounds.floor.fact_values import TableRulesValue
from rounds.floor.facts.rule_breaches import current_breaches
from rounds.floor.facts.text import FactFormatter, fact_lines
from rounds.floor.models import ControllerTable, Fact
from rounds.floor.pages.common import (
    FactRow,
    action_link,
    entry_link,
    fact_columns,
    fact_state_tag,
    formatter_for,
    may_state_facts,
    readers_only,
    source_link,
)
from rounds.floor.pages.forms import InstantForm
from rounds.floor.selectors import FactsAt, access_table, facts_at, table_fact_history, upcoming_facts
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of, version_in_force


@readers_only
@require_safe
def table_facts(request: CasinoRequest, casino: str, table: str) -> ListResponse:
    found, now = access_table(request.user, request.casino, table), timezone.now()
    form = InstantForm(request.GET or None, zone=request.casino.zone)
    at = form.instant(now)
    facts = facts_at(found, at)
    version = version_from_facts(request.casino, facts)
    pack = pack_of(version) if version else None
    reader = formatter_for(request.casino, pack, at)
    context = {
        "floor_table": found,
        "form": form,
        "at": at,
        "is_now": at == now,
        "version": version,
        "may_state": may_state_facts(request.user, request.casino),
        "breaches": current_breaches(request.casino, facts, version),
        "facts": _fact_table(request, found, facts, pack, reader),
        "upcoming": _upcoming_facts_table(request, found, now, reader),
        "controllers": ControllerTable.objects.assigned_at(at).filter(table=found).select_related("controller"),
        "terminals": found.terminals.filter(retired_at=None).count(),
        "entry": entry_link(request.casino, found.entry_index),
    }
    return list_response(request, "floor/table.html", context, lists=("upcoming",))


def version_from_facts(casino: Casino, facts: FactsAt) -> RuleVersion | None:
    """Like `version_for`, but with facts already read, to save the query."""
    played = facts.get(TableRulesValue)
    return version_in_force(casino, played.rules, facts.instant) if played else None


def _fact_table(
    request: CasinoRequest, found: models.Table, facts: FactsAt, pack: Pack | None, reader: FactFormatter
) -> DataTable:
    applying = {kind.name for kind in fact_kinds_about("table", pack)} if pack else {"rules"}
    rows = [
        FactRow(kind, facts.rows.get(kind.name))
        for kind in fact_kinds_about("table")
        if kind.name in applying or kind.name in facts.rows
    ]
    may = may_state_facts(request.user, request.casino) and not found.retired_at

    def action_links(row: FactRow) -> SafeString:
        place = {"table": found.slug, "fact": row.kind.name}
        about = row.kind.label.lower()
        past = action_link(casino_url("floor:history", request.casino, **place), "History", f"of {about}")
        if not may:
            return past
        words = "Change" if row.fact else "State"
        return format_html(
            "{} · {}", action_link(casino_url("floor:set-fact", request.casino, **place), words, about), past
        )

    return DataTable(
        caption="Facts of the table",
        columns=fact_columns(request.casino, reader, action_links),
        rows=rows,
        name="facts",
        is_caption_hidden=True,
    )


def _upcoming_facts_table(
    request: CasinoRequest, found: models.Table, now: datetime, reader: FactFormatter
) -> DataTable | None:
    facts = upcoming_facts(Fact.objects.filter(table=found), now)
    if not facts.exists():
        return None

    def value_cell(fact: Fact) -> Any:
        where = f"Terminal {fact.terminal.slug}: " if fact.terminal else ""
        return Lines(*(where + line for line in fact_lines(fact, reader)))

    columns = [
        Column("Fact", lambda fact: fact.kind.label, is_row_heading=True),
        Column("What will be so", value_cell),
        Column("From", "effective_at"),
        Column("Said by", lambda fact: source_link(fact, request.casino)),
    ]
    if may_state_facts(request.user, request.casino):
        columns.append(Column("Action", lambda fact: retract_link(fact, request.casino), is_control=True))
    return DataTable(caption="Facts that take effect later", columns=columns, rows=facts, name="upcoming")


def retract_link(fact: Fact, casino: Casino) -> SafeString:
    return action_link(casino_url("floor:take-back", casino, fact=fact.pk), "Take back", fact.kind.label.lower())


def history_table(request: CasinoRequest, facts: Any, reader: FactFormatter, in_force: Fact | None) -> DataTable:
    now = timezone.now()

    def value_cell(fact: Fact) -> Any:
        lines = fact_lines(fact, reader) + ([f"Note: {fact.note}"] if fact.note else [])
        if hasattr(fact, "taken_back"):
            lines.append(f"Taken back by {fact.taken_back.by_name}: {fact.taken_back.reason}")
        return Lines(*lines)

    def recorded_cell(fact: Fact) -> Lines:
        return Lines(fact.recorded_at, source_link(fact, request.casino))

    columns = [
        Column("From", "effective_at", sort="effective_at", is_row_heading=True),
        Column("What was stated", value_cell),
        Column("State", lambda fact: fact_state_tag(fact, in_force, now)),
        Column("Recorded", recorded_cell, sort="recorded_at"),
    ]
    if may_state_facts(request.user, request.casino):
        columns.append(
            Column(
                "Action",
                lambda fact: "" if hasattr(fact, "taken_back") else retract_link(fact, request.casino),
                is_control=True,
            )
        )
    return DataTable(
        caption="Every fact of this name, newest first",
        columns=columns,
        rows=facts,
        empty="Nothing was ever stated.",
    )


@readers_only
@require_safe
def fact_history(request: CasinoRequest, casino: str, table: str, fact: str) -> ListResponse:
    found, now = access_table(request.user, request.casino, table), timezone.now()
    kind = fact_kind(fact, "table")
    facts = facts_at(found, now)
    version = version_from_facts(request.casino, facts)
    reader = formatter_for(request.casino, pack_of(version) if version else None, now)
    context = {
        "kind": kind,
        "subject": found,
        "back": casino_url("floor:table", request.casino, table=found.slug),
        "table": history_table(request, table_fact_history(found, kind.name), reader, facts.rows.get(kind.name)),
    }
    return list_response(request, "floor/history.html", context)
