"""What the audit remembers.

judgements.py   coverage, findings, what hangs on readings, and the blocks that wait
projections.py  rounds as columns, streaks, void rounds, everything else that happened, sums of what was played
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
    PlayedBet,
    PlayedDay,
    Sort,
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
    "PlayedBet",
    "PlayedDay",
    "ReadingCase",
    "ReadingWeight",
    "Sort",
    "Superseding",
    "VoidedRound",
    "superseded_between",
]
