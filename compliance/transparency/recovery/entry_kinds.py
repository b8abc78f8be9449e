"""The rows that stand for entries with which an epoch begins."""

from compliance.transparency.recovery.models import EpochBegun
from rounds.ledger import register_rows, writing


def register_kinds() -> None:
    register_rows(writing.EPOCH.name, EpochBegun.rows_between)
