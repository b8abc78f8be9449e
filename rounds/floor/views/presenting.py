"""What the floor's pages share: addresses, links to entries, and a fact as a row."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from compliance.accounts.models import Casino, User
from compliance.web.access import held_by
from compliance.web.components import Column, Tag
from compliance.web.templatetags.kit import local
from rounds.engine.packs import Pack
from rounds.floor.facts import FactKind
from rounds.floor.models import Fact
from rounds.floor.selectors import casino_facts_at
from rounds.floor.standing import MAY_READ, MAY_REGISTER, MAY_SEE_CONTROLLERS, MAY_STATE_FACTS
from rounds.floor.values import Currency
from rounds.floor.wording import Reader, words_of

LINE_BREAK = SafeString("<br>")
readers = held_by(*MAY_READ)
staters = held_by(*MAY_STATE_FACTS)
registrars = held_by(*MAY_REGISTER)
seers_of_controllers = held_by(*MAY_SEE_CONTROLLERS)


def address_of(name: str, casino: Casino, **kwargs: object) -> str:
    return reverse(f"floor:{name}", kwargs={"casino": casino.slug, **kwargs})


def may_state(user: User, casino: Casino) -> bool:
    return user.holds(*MAY_STATE_FACTS, casino=casino)


def may_register(user: User, casino: Casino) -> bool:
    return user.holds(*MAY_REGISTER, casino=casino)


def reader_for(casino: Casino, pack: Pack | None, at: datetime) -> Reader:
    currency = casino_facts_at(casino, at).get(Currency)
    return Reader(currency.code if currency else "", pack)


def entry_link(casino: Casino, index: int) -> SafeString:
    """To the page of an entry, which a higher app has; its number alone where that app is not installed."""
    try:
        href = reverse("evidence:entry", kwargs={"casino": casino.slug, "index": index})
    except NoReverseMatch:
        return format_html("entry {}", index)
    return format_html('<a href="{}">entry {}</a>', href, index)


def in_lines(lines: list[str]) -> SafeString:
    return format_html_join(LINE_BREAK, "{}", ((line,) for line in lines))


def link(href: str, words: str, hidden: str) -> SafeString:
    return format_html('<a href="{}">{}<span class="visually-hidden"> {}</span></a>', href, words, hidden)


@dataclass(frozen=True)
class FactRow:
    """One kind of fact on a page: what is so, or that nothing was stated."""

    kind: FactKind
    fact: Fact | None


def fact_columns(casino: Casino, reader: Reader, actions: Any) -> tuple[Column, ...]:
    def what(row: FactRow) -> Any:
        return in_lines(words_of(row.fact, reader)) if row.fact else Tag("Not stated", "neutral")

    return (
        Column("Fact", lambda row: row.kind.label, is_row_heading=True),
        Column("What is so", what),
        Column("Since", lambda row: local(row.fact.effective_at, casino) if row.fact else ""),
        Column("Said by", lambda row: said_by(row.fact, casino) if row.fact else ""),
        Column("Action", actions),
    )


def said_by(fact: Fact, casino: Casino) -> SafeString:
    return format_html("{}, {}", fact.by, entry_link(casino, fact.entry_index))


def state_of(fact: Fact, in_force: Fact | None, now: datetime) -> Tag:
    if hasattr(fact, "taken_back"):
        return Tag("Taken back", "danger")
    if fact.effective_at > now:
        return Tag("Upcoming", "info")
    return Tag("In force", "success") if fact == in_force else Tag("Overtaken", "neutral")
