"""What other apps keep beside the ledger and what it must still agree with: recorded rows and projections.

Each app registers its own when Django starts; `verify_ledger` compares them with the entries they came from.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.db import connection, models
from psycopg import sql

from rounds.ledger.entry import LogEntry
from rounds.ledger.writing.entry_kinds import require_registered_kind
from rounds.ledger.writing.ledger_rows import LedgerModel

HAS_ROWS_SQL = "EXISTS (SELECT FROM {} WHERE log = %s AND entry_index >= %s AND entry_index < %s)"


class LedgerRow(Protocol):
    """A row that stands for one entry: it knows which, and what it said."""

    @property
    def entry_index(self) -> int: ...

    def entry_body(self) -> Mapping[str, Any]: ...


def rows_of_other_casinos(rows: "RowSource", log: str, first: int, last: int) -> list[int]:
    """Entries whose rows name a casino that is not the log's; rows that name none are where they are."""
    model = _ledger_model_of(rows)
    if model is None:
        return []
    casinos = next((field.related_model for field in model._meta.get_fields() if field.name == "casino"), None)
    if casinos is None:
        return []
    here: models.QuerySet[Any] = model._default_manager.filter(log=log, entry_index__gte=first, entry_index__lt=last)
    its = casinos._default_manager.filter(slug=log).values("pk")
    return list(here.exclude(casino__in=its).values_list("entry_index", flat=True))


def models_without_rows(sources: "Sequence[RowSource]", log: str, first: int, last: int) -> "frozenset[RowSource]":
    """Those who keep a model's own rows and have none of entries first..last-1 of the log. One query."""
    own = {rows: model for rows in sources if (model := _ledger_model_of(rows))}
    if not own:
        return frozenset()
    # A model that extends another has its entries in that one's table.
    holders = [model._meta.get_field("entry_index").model for model in own.values()]
    tables = [sql.SQL(HAS_ROWS_SQL).format(sql.Identifier(model._meta.db_table)) for model in holders]
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("SELECT {}").format(sql.SQL(", ").join(tables)), [log, first, last] * len(tables))
        have = cursor.fetchone() or ()
    return frozenset(rows for rows, has_rows in zip(own, have, strict=True) if not has_rows)


def _ledger_model_of(rows: "RowSource") -> type[LedgerModel] | None:
    """Whose `recorded_between` it is."""
    model = getattr(rows, "__self__", None)
    is_own = isinstance(model, type) and issubclass(model, LedgerModel) and rows.__name__ == "rows_between"
    return model if is_own else None


# (log, first, last) → the rows that stand for entries first..last-1 of the log, in any order.
RowSource = Callable[[str, int, int], Iterable[LedgerRow]]
# (log, first, last, entries first..last-1 of the projection's kinds) → (index, what is wrong there), a sentence each.
# The index is None where no entry is to blame.
VerifyRows = Callable[[str, int, int, Sequence[LogEntry]], Iterable[tuple[int | None, str]]]
# log → the first index that a projection which follows the log has not reached yet.
PositionReader = Callable[[str], int]


@dataclass(frozen=True)
class Projection:
    """Something derived from entries that can be derived again: `differences` does so and compares.

    Without `kinds` it derives from entries of every kind; with `reached` it is held to what it has followed so far."""

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
    """Every entry of this kind has a row among `rows`, and every such row has its entry.

    Rows that stand for entries of several kinds are registered once for each of these kinds, with the same function.
    """
    require_registered_kind(kind)
    if _ROWS.setdefault(kind, rows) != rows:
        raise ValueError(f"Two apps keep the rows of the entry kind {kind!r}.")


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
    """Each registered function once, with all the kinds it serves."""
    kinds: dict[RowSource, set[str]] = {}
    for kind, rows in _ROWS.items():
        kinds.setdefault(rows, set()).add(kind)
    return [(rows, frozenset(served)) for rows, served in kinds.items()]


def registered_projections() -> list[Projection]:
    return sorted(_PROJECTIONS.values(), key=lambda projection: projection.name)
