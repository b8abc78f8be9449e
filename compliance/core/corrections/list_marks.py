"""The column of lists that says which records were withdrawn or corrected. One for all lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from django.db.models import QuerySet

from compliance.core.accounts.models import Casino
from compliance.core.web.ui.components import Column, Tag
from rounds.ledger import corrections_of

WITHDRAWN, CORRECTED = Tag("Withdrawn", "neutral"), Tag("Corrected", "info")


def own_entry(row: Any) -> int | None:
    """Of rows that are written with one entry."""
    index: int | None = row.entry_index
    return index


def no_entry(row: Any) -> int | None:
    """Of rows that cannot be withdrawn themselves."""
    return None


@dataclass(frozen=True)
class Parts:
    """Records that belong to the rows of a list, such as the steps of disputes: `owner` is their column with the key of
    the row, `index` that with their entry. `rows` must contain withdrawn ones."""

    rows: QuerySet[Any]
    owner: str
    index: str = "entry_index"


@dataclass
class CorrectionMarks:
    """Give `read` to the table as `prepare`, and `column` among its columns: the entries of a page, or of a chunk of a
    file, are read at once. A query, and one for each kind of parts."""

    casino: Casino
    parts: Sequence[Parts] = ()
    own: Callable[[Any], int | None] = own_entry
    key: Callable[[Any], Any] = attrgetter("pk")
    # Other readers of the same list.
    also_read: Callable[[Sequence[Any]], None] | None = None
    _withdrawn: set[int] = field(default_factory=set)
    _corrected_keys: set[Any] = field(default_factory=set)

    def read(self, rows: Sequence[Any]) -> None:
        if self.also_read:
            self.also_read(rows)
        owners: dict[int, set[Any]] = {}
        for parts in self.parts if rows else ():
            of_rows = parts.rows.order_by().filter(**{f"{parts.owner}__in": [self.key(row) for row in rows]})
            for owner, index in of_rows.values_list(parts.owner, parts.index):
                if index is not None:
                    owners.setdefault(index, set()).add(owner)
        own = {index for row in rows if (index := self.own(row)) is not None}
        found = corrections_of(self.casino.slug, own | owners.keys()) if own or owners else {}
        self._withdrawn = own & found.keys()
        self._corrected_keys = set().union(*(owners[index] for index in owners.keys() & found.keys()))

    def tag(self, row: Any) -> Tag | str:
        if self.own(row) in self._withdrawn:
            return WITHDRAWN
        return CORRECTED if self.key(row) in self._corrected_keys else ""

    @property
    def column(self) -> Column:
        return Column("Corrections", self.tag)
