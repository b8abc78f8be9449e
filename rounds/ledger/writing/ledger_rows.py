"""Rows written together with their ledger entry. The entry is appended first, because the row stores its index."""

from abc import abstractmethod
from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar, Self, TypeVar

from django.db import models
from django.db.models import Exists, OuterRef

from rounds.ledger.models import Reversal
from rounds.ledger.writing.append import append, make_entry


class LedgerModel(models.Model):
    """Abstract base of rows that are written together with one entry. `entry_body()` rebuilds that entry's body.

    The two columns never change, and `entry_body` may use only columns that never change. `entry_time` names the column
    with the time of recording, if the body does not contain it. `read_with` lists the relations that `entry_body`
    reads.
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
        """The rows of entries first..last-1, for `register_rows`. An override must return rows of this table only."""
        rows = cls._base_manager.filter(log=log, entry_index__gte=first, entry_index__lt=last)
        # Without names, select_related would follow every relation.
        return (rows.select_related(*cls.read_with) if cls.read_with else rows).order_by("entry_index")

    @abstractmethod
    def entry_body(self) -> Mapping[str, Any]:
        """The body of the entry that this row was written with."""


Row = TypeVar("Row", bound=LedgerModel)
StandingRow = TypeVar("StandingRow", bound="WithdrawableModel")


def is_taken_back(index: str = "entry_index") -> Exists:
    """Condition on rows with `log` and the index of an entry: a correction took that entry back."""
    return Exists(Reversal.objects.filter(log__slug=OuterRef("log"), corrected_index=OuterRef(index)))


class StandingManager(models.Manager[StandingRow]):
    """Leaves out rows whose entry was taken back by a correction. Related managers (`draw.winners`) do so too."""

    def get_queryset(self) -> models.QuerySet[StandingRow]:
        return super().get_queryset().filter(~is_taken_back())


class WithdrawableModel(LedgerModel):
    """Abstract base of rows that people can withdraw: see compliance.core.corrections. `objects` leaves withdrawn rows
    out; `recorded` has them too, for numbering and for pages that show them as withdrawn."""

    objects: ClassVar[models.Manager[Self]] = StandingManager()
    recorded: ClassVar[models.Manager[Self]] = models.Manager()

    class Meta(LedgerModel.Meta):
        abstract = True


def write_row(row: Row, *, kind: str, log: str, now: datetime, table: str | None = None) -> Row:
    """Append the entry and insert the row. Call it last in a transaction."""
    [receipt] = append(log, [make_entry(kind, row.entry_body(), table=table)], now)
    row.log, row.entry_index = receipt.log, receipt.index
    row.save(force_insert=True)
    return row
