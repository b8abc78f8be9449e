"""Writing a row together with its entry: the entry is appended first, because the row bears its index."""

from datetime import datetime
from typing import TypeVar

from rounds.ledger.registry import LedgerModel
from rounds.ledger.writing.append import append, make_entry

Row = TypeVar("Row", bound=LedgerModel)


def write_row(row: Row, *, kind: str, log: str, now: datetime, table: str | None = None) -> Row:
    """The last two statements of a transaction."""
    [receipt] = append(log, [make_entry(kind, row.entry_body(), table=table)], now)
    row.log, row.entry_index = receipt.log, receipt.index
    row.save(force_insert=True)
    return row
