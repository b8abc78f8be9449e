"""Registers the rows written with the entries that begin an epoch."""

from compliance.transparency.recovery.models import EpochBegun
from rounds.ledger import register_rows, writing


def register_kinds() -> None:
    register_rows(writing.EPOCH.name, EpochBegun.rows_between)
