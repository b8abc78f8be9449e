"""Shared by the floor's pages: permission decorators, links to ledger entries, the columns of a fact table."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString

from compliance.core.accounts.models import Casino, User
from compliance.core.web.access import require_roles
from compliance.core.web.ui.cell_values import Lines, Link, Phrase
from compliance.core.web.ui.components import Column, Tag
from compliance.core.web.ui.links import entry_url
from rounds.engine import Pack
from rounds.floor.fact_catalogue import FactKind
from rounds.floor.fact_values import CurrencyValue
from rounds.floor.facts.text import FactFormatter, fact_lines
from rounds.floor.models import Fact
from rounds.floor.permissions import MAY_READ, MAY_REGISTER, MAY_SEE_CONTROLLERS, MAY_STATE_FACTS
from rounds.floor.selectors import casino_facts_at

readers_only = require_roles(*MAY_READ)
fact_editors_only = require_roles(*MAY_STATE_FACTS)
registrars_only = require_roles(*MAY_REGISTER)
controller_readers_only = require_roles(*MAY_SEE_CONTROLLERS)


def may_state_facts(user: User, casino: Casino) -> bool:
    return user.has_role(*MAY_STATE_FACTS, casino=casino)


def may_register_controllers(user: User, casino: Casino) -> bool:
    return user.has_role(*MAY_REGISTER, casino=casino)


def formatter_for(casino: Casino, pack: Pack | None, at: datetime) -> FactFormatter:
    currency = casino_facts_at(casino, at).get(CurrencyValue)
    return FactFormatter(currency.code if currency else "", pack)


def entry_link(casino: Casino, index: int) -> Link:
    return Link(entry_url(casino, index), f"entry {index}")


def action_link(href: str, words: str, hidden: str) -> SafeString:
    return format_html('<a href="{}">{}<span class="visually-hidden"> {}</span></a>', href, words, hidden)


@dataclass(frozen=True)
class FactRow:
    """A row of the fact table: one kind of fact, and the fact in force, or None if none was recorded."""

    kind: FactKind
    fact: Fact | None


def fact_columns(casino: Casino, reader: FactFormatter, actions: Any) -> tuple[Column, ...]:
    def value_cell(row: FactRow) -> Any:
        return Lines(*fact_lines(row.fact, reader)) if row.fact else Tag("Not stated", "neutral")

    return (
        Column("Fact", lambda row: row.kind.label, is_row_heading=True),
        Column("What is so", value_cell),
        Column("Since", lambda row: row.fact.effective_at if row.fact else ""),
        Column("Said by", lambda row: source_link(row.fact, casino) if row.fact else ""),
        Column("Action", actions),
    )


def source_link(fact: Fact, casino: Casino) -> Phrase:
    return Phrase("{}, {}", fact.by, entry_link(casino, fact.entry_index))


def fact_state_tag(fact: Fact, in_force: Fact | None, now: datetime) -> Tag:
    if hasattr(fact, "taken_back"):
        return Tag("Taken back", "danger")
    if fact.effective_at > now:
        return Tag("Upcoming", "info")
    return Tag("In force", "success") if fact == in_force else Tag("Overtaken", "neutral")
