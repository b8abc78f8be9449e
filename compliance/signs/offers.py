"""What the apps above know of a table: they register it here, and the pages of signs show it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from compliance.signs.faces import Fact
from compliance.web.components import Tag
from rounds.floor.models import Table


@dataclass(frozen=True)
class Need:
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
class Action:
    """Something that can be done at any table: a page whose address names casino and table."""

    label: str
    url_name: str
    order: int


Needs = Callable[[Sequence[Table], datetime], Iterable[Need]]
Face = Callable[[Table, datetime], Sequence[Fact] | None]

_needs: list[Needs] = []
_faces: list[Face] = []
_actions: set[Action] = set()


def register_needs(provider: Needs) -> None:
    if provider not in _needs:
        _needs.append(provider)


def register_face(provider: Face) -> None:
    """What a table's display shows while no sign is wanted; the first that answers."""
    if provider not in _faces:
        _faces.append(provider)


def register_actions(*actions: Action) -> None:
    _actions.update(actions)


def needs_of(tables: Sequence[Table], now: datetime) -> list[Need]:
    """What is pressing first; each provider takes a fixed number of queries, however many tables there are."""
    found = [need for provider in _needs for need in provider(tables, now)] if tables else []
    order = ("danger", "warning", "info", "success", "neutral")
    return sorted(found, key=lambda need: (order.index(need.state.kind), need.table.name))


def face_of(table: Table, now: datetime) -> Sequence[Fact] | None:
    return next((face for provider in _faces if (face := provider(table, now)) is not None), None)


def every_action() -> list[Action]:
    return sorted(_actions, key=lambda action: action.order)
