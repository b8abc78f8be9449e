"""Writing a row together with its entry: the entry is appended first, because the row bears its index."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Protocol, TypeVar

from compliance.accounts.models import Casino
from rounds.ledger.appending import append, record
from rounds.ledger.recorded import RecordedModel

GROWS_ONLY = ("SELECT", "INSERT")


class PromotionRecord(RecordedModel):
    """A row that stands for one entry, is written once and never changes."""

    app_privileges = GROWS_ONLY

    class Meta(RecordedModel.Meta):
        abstract = True


class Recordable(Protocol):
    """What a row must know to be written with its entry."""

    log: Any
    entry_index: Any

    def as_record(self) -> Mapping[str, Any]: ...

    def save(self, *, force_insert: bool) -> None: ...


Row = TypeVar("Row", bound=Recordable)


def write_row(row: Row, *, kind: str, casino: Casino, now: datetime) -> Row:
    """The last two statements of a transaction."""
    [written] = write_rows([row], kind=kind, casino=casino, now=now)
    return written


def write_rows(rows: Iterable[Row], *, kind: str, casino: Casino, now: datetime) -> list[Row]:
    waiting = list(rows)
    receipts = append(casino.slug, [record(kind, row.as_record()) for row in waiting], now)
    for row, receipt in zip(waiting, receipts, strict=True):
        row.log, row.entry_index = receipt.log, receipt.index
        row.save(force_insert=True)
    return waiting
