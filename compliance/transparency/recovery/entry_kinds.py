"""The rows that stand for entries with which an epoch begins."""

from compliance.transparency.recovery.models import EpochBegun
from rounds.ledger.registry import register_rows
from rounds.ledger.writing.entry_kinds import EPOCH


def register_kinds() -> None:
    register_rows(EPOCH.name, EpochBegun.rows_between)
