"""Rows written together with their ledger entry. The entry is appended first, because the row stores its index."""

from abc import abstractmethod
from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar, Self, TypeVar

from django.db import models

from rounds.ledger.writing.append import append, make_entry


class LedgerModel(models.Model):
    """A model each of whose rows was written together with one entry, and whose `as_record()` is that entry's body.

    The two columns never change once written; `as_record` may use only columns that never change either.
    `entry_time` names the column that holds when the entry was recorded, where the body does not say it;
    `read_with` the relations that `as_record` reads beside its own row.
    """

    entry_time: ClassVar[str] = ""
    read_with: ClassVar[tuple[str, ...]] = ()

    log = models.TextField()
    entry_index = models.BigIntegerField()

    class Meta:
        abstract = True
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["log", "entry_index"], name="%(app_label)s_%(class)s_one_entry"),
        ]

    @classmethod
    def rows_between(cls, log: str, first: int, last: int) -> models.QuerySet[Self]:
        """The rows that stand for entries first..last-1: what `register_record` wants to be given. Whoever overrides it
        gives rows of this table alone."""
        rows = cls._default_manager.filter(log=log, entry_index__gte=first, entry_index__lt=last)
        # Without names, select_related would follow every relation.
        return (rows.select_related(*cls.read_with) if cls.read_with else rows).order_by("entry_index")

    @abstractmethod
    def entry_body(self) -> Mapping[str, Any]:
        """The body of the entry that this row stands for."""


Row = TypeVar("Row", bound=LedgerModel)


def write_row(row: Row, *, kind: str, log: str, now: datetime, table: str | None = None) -> Row:
    """The last two statements of a transaction."""
    [receipt] = append(log, [make_entry(kind, row.entry_body(), table=table)], now)
    row.log, row.entry_index = receipt.log, receipt.index
    row.save(force_insert=True)
    return row
