"""Registry of the rows and projections that other apps derive from entries.

Each app registers its own in AppConfig.ready(); `verify_ledger` compares them with the entries.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.apps import apps
from django.db import connection, models
from psycopg import sql

from rounds.ledger.entry import LogEntry
from rounds.ledger.entry_kinds import registered_kinds, require_registered_kind
from rounds.ledger.writing.ledger_rows import LedgerModel

HAS_ROWS_SQL = "EXISTS (SELECT FROM {} WHERE log = %s AND entry_index >= %s AND entry_index < %s)"


class LedgerRow(Protocol):
    """A row that was written with one entry: it knows the entry's index and can rebuild its body."""

    @property
    def entry_index(self) -> int: ...

    def entry_body(self) -> Mapping[str, Any]: ...


def rows_of_other_casinos(rows: "RowSource", log: str, first: int, last: int) -> list[int]:
    """Indexes of entries whose rows belong to a casino other than the log's. Rows without a casino are not compared."""
    model = _ledger_model_of(rows)
    if model is None:
        return []
    casinos = next((field.related_model for field in model._meta.get_fields() if field.name == "casino"), None)
    if casinos is None:
        return []
    here: models.QuerySet[Any] = model._base_manager.filter(log=log, entry_index__gte=first, entry_index__lt=last)
    own_casino = casinos._default_manager.filter(slug=log).values("pk")
    return list(here.exclude(casino__in=own_casino).values_list("entry_index", flat=True))


def unregistered_ledger_models(
    sources: "Sequence[RowSource]", log: str, first: int, last: int
) -> "frozenset[RowSource]":
    """Which of the sources that read a LedgerModel have no rows for entries first..last-1. One query for all."""
    own = {rows: model for rows in sources if (model := _ledger_model_of(rows))}
    if not own:
        return frozenset()
    # With multi-table inheritance the columns are in the parent's table.
    holders = [model._meta.get_field("entry_index").model for model in own.values()]
    tables = [sql.SQL(HAS_ROWS_SQL).format(sql.Identifier(model._meta.db_table)) for model in holders]
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("SELECT {}").format(sql.SQL(", ").join(tables)), [log, first, last] * len(tables))
        have = cursor.fetchone() or ()
    return frozenset(rows for rows, has_rows in zip(own, have, strict=True) if not has_rows)


def _ledger_model_of(rows: "RowSource") -> type[LedgerModel] | None:
    """The model, if the source is its `rows_between`; otherwise None."""
    model = getattr(rows, "__self__", None)
    is_own = isinstance(model, type) and issubclass(model, LedgerModel) and rows.__name__ == "rows_between"
    return model if is_own else None


# (log, first, last) → the rows written with entries first..last-1 of the log, in any order.
RowSource = Callable[[str, int, int], Iterable[LedgerRow]]
# (log, first, last, entries first..last-1 of the projection's kinds) → (index, sentence that says what is wrong). The
# index is None if no single entry is concerned.
VerifyRows = Callable[[str, int, int, Sequence[LogEntry]], Iterable[tuple[int | None, str]]]
# log → the first index that the projection's consumer has not handled yet.
PositionReader = Callable[[str], int]


@dataclass(frozen=True)
class Projection:
    """Rows derived from entries, which `verify_rows` derives again and compares.

    `kinds` of None means entries of every kind. With `read_position` only the entries before that position are
    compared.
    """

    name: str
    kinds: frozenset[str] | None
    verify_rows: VerifyRows
    read_position: PositionReader | None = None

    def accepts_kind(self, kind: str) -> bool:
        return self.kinds is None or kind in self.kinds

    def verifiable_end(self, log: str, last: int) -> int:
        return last if self.read_position is None else min(last, self.read_position(log))


_ROWS: dict[str, RowSource] = {}
_PROJECTIONS: dict[str, Projection] = {}


def register_rows(kind: str, rows: RowSource) -> None:
    """Register that every entry of this kind has a row among `rows`, and every such row has its entry.

    Only for rows that are not those of `EntryKind.model`. If they belong to several kinds, register each.
    """
    require_registered_kind(kind)
    if _ROWS.setdefault(kind, rows) != rows:
        raise ValueError(f"Two apps keep the rows of the entry kind {kind!r}.")


def register_models_of_kinds() -> None:
    for kind in registered_kinds():
        if kind.model:
            register_rows(kind, apps.get_model(kind.model).rows_between)


def register_projection(
    name: str, kinds: Collection[str] | None, verify_rows: VerifyRows, read_position: PositionReader | None = None
) -> None:
    for kind in kinds or ():
        require_registered_kind(kind)
    projection = Projection(name, None if kinds is None else frozenset(kinds), verify_rows, read_position)
    if _PROJECTIONS.setdefault(name, projection) != projection:
        raise ValueError(f"Two apps register the projection {name!r}.")


def kinds_with_rows() -> frozenset[str]:
    return frozenset(_ROWS)


def registered_rows() -> list[tuple[RowSource, frozenset[str]]]:
    """Each registered function once, with all its kinds."""
    kinds: dict[RowSource, set[str]] = {}
    for kind, rows in _ROWS.items():
        kinds.setdefault(rows, set()).add(kind)
    return [(rows, frozenset(served)) for rows, served in kinds.items()]


def registered_projections() -> list[Projection]:
    return sorted(_PROJECTIONS.values(), key=lambda projection: projection.name)
