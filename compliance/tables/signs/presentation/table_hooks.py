"""What the apps above know of a table: they register it here, and the pages of signs show it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from compliance.core.web.ui.components import Tag
from compliance.tables.signs.presentation.text import SignFact
from rounds.floor.models import Table


@dataclass(frozen=True)
class TodoItem:
    """One thing that a table needs now. With `button` it is done by one tap, which posts to `href`; otherwise `link`
    says what is behind it. `topic` tells those of the equipment, which home counts by itself."""

    table: Table
    label: str
    href: str
    state: Tag
    hint: str = ""
    button: str = ""
    link: str = "Open"
    topic: str = ""


@dataclass(frozen=True)
class TableAction:
    """Something that can be done at any table: a page whose address names casino and table."""

    label: str
    url_name: str
    order: int


TodoProvider = Callable[[Sequence[Table], datetime], Iterable[TodoItem]]
DisplayProvider = Callable[[Table, datetime], Sequence[SignFact] | None]

_todo_providers: list[TodoProvider] = []
_display_providers: list[DisplayProvider] = []
_actions: set[TableAction] = set()


def register_todo_items(provider: TodoProvider) -> None:
    if provider not in _todo_providers:
        _todo_providers.append(provider)


def register_display_facts(provider: DisplayProvider) -> None:
    """What a table's display shows while no sign is wanted; the first that answers."""
    if provider not in _display_providers:
        _display_providers.append(provider)


def register_actions(*actions: TableAction) -> None:
    _actions.update(actions)


def collect_todo_items(tables: Sequence[Table], now: datetime) -> list[TodoItem]:
    """What is pressing first; each provider takes a fixed number of queries, however many tables there are."""
    found = [need for provider in _todo_providers for need in provider(tables, now)] if tables else []
    order = ("danger", "warning", "info", "success", "neutral")
    return sorted(found, key=lambda need: (order.index(need.state.kind), need.table.name))


def display_facts_for(table: Table, now: datetime) -> Sequence[SignFact] | None:
    return next((face for provider in _display_providers if (face := provider(table, now)) is not None), None)


def all_actions() -> list[TableAction]:
    return sorted(_actions, key=lambda action: action.order)
