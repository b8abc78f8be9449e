"""What the audit remembers.

judgements.py   coverage, findings, what hangs on readings, and the blocks that wait
projections.py  rounds as columns, streaks, void rounds and everything else that happened, for reading at once
"""

from compliance.audit.models.judgements import (
    BLOCK_ENTRIES,
    Block,
    BlockQuerySet,
    Coverage,
    Finding,
    FindingQuerySet,
    ReadingCase,
    ReadingWeight,
    Superseding,
    superseded_between,
)
from compliance.audit.models.projections import (
    Happening,
    OpenedStreak,
    PackedRound,
    VoidedRound,
)

__all__ = [
    "BLOCK_ENTRIES",
    "Block",
    "BlockQuerySet",
    "Coverage",
    "Finding",
    "FindingQuerySet",
    "Happening",
    "OpenedStreak",
    "PackedRound",
    "ReadingCase",
    "ReadingWeight",
    "Superseding",
    "VoidedRound",
    "superseded_between",
]
