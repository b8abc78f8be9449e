"""The rows that stand for entries with which an epoch begins."""

from compliance.restores.models import EpochBegun
from rounds.ledger.kinds import EPOCH
from rounds.ledger.recorded import register_record


def register_kinds() -> None:
    register_record(EPOCH.name, EpochBegun.recorded_between)
