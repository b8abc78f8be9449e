"""What one table needs now, from every app that has duties at a table. Each has a provider; the desk asks them."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Protocol

from compliance.accounts.models import User
from compliance.equipment.needs import needs_of
from compliance.equipment.selectors import equipment_now
from compliance.web.components import Tag
from rounds.floor.models import Table


class Need(Protocol):
    """One thing to do at a table: what, why, and the button that does it."""

    @property
    def what(self) -> str: ...
    @property
    def why(self) -> str: ...
    @property
    def tag(self) -> Tag: ...
    @property
    def href(self) -> str: ...
    @property
    def button(self) -> str: ...


Provider = Callable[[User, Table, datetime], Iterable[Need]]


def equipment(user: User, table: Table, now: datetime) -> Iterable[Need]:
    return needs_of(equipment_now(table.casino, [table], now))


PROVIDERS: tuple[Provider, ...] = (equipment,)


def needs_at(user: User, table: Table, now: datetime) -> list[Need]:
    """What is pressing first; within that, in the order of the providers."""
    found = [need for provider in PROVIDERS for need in provider(user, table, now)]
    order = ("danger", "warning", "info", "success", "neutral")
    return sorted(found, key=lambda need: order.index(need.tag.kind))
