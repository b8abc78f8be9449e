"""Registry by which apps of higher layers add to-do items, actions and display facts to the pages of a table."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from compliance.core.web.ui.components import Tag
from compliance.tables.signs.presentation.text import SignFact
from rounds.floor.models import Table


@dataclass(frozen=True)
class TodoItem:
    """A pending task of a table. With `button` it is done by a POST to `href`; otherwise `link` is the label of the
    link to `href`. `topic` marks the equipment's items, which the home page counts separately.
    """

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
    """An action available at every table. `url_name` takes casino and table."""

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
    """What a table's display shows while it has no active sign. The first provider that returns facts is used."""
    if provider not in _display_providers:
        _display_providers.append(provider)


def register_actions(*actions: TableAction) -> None:
    _actions.update(actions)


def collect_todo_items(tables: Sequence[Table], now: datetime) -> list[TodoItem]:
    """Most urgent first. Each provider uses a fixed number of queries, however many tables there are."""
    items = [item for provider in _todo_providers for item in provider(tables, now)] if tables else []
    order = ("danger", "warning", "info", "success", "neutral")
    return sorted(items, key=lambda item: (order.index(item.state.kind), item.table.name))


def display_facts_for(table: Table, now: datetime) -> Sequence[SignFact] | None:
    return next((facts for provider in _display_providers if (facts := provider(table, now)) is not None), None)


def all_actions() -> list[TableAction]:
    return sorted(_actions, key=lambda action: (action.order, action.label))
