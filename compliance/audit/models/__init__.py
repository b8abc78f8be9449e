"""What the audit remembers.

judgements.py   coverage, findings, what hangs on readings, and the blocks that wait
projections.py  rounds as columns, streaks, void rounds, everything else that happened, sums of what was played
"""

from compliance.audit.models.findings import (
    BLOCK_ENTRIES,
    Block,
    BlockQuerySet,
    Coverage,
    Finding,
    FindingQuerySet,
    ReadingCase,
    ReadingImpact,
    SupersededFinding,
    superseded_between,
)
from compliance.audit.models.projections import (
    DailyBetTotals,
    DailyTotals,
    OpenedStreak,
    PackedRound,
    TimelineEvent,
    VoidedRound,
    WagerCategory,
)

__all__ = [
    "BLOCK_ENTRIES",
    "Block",
    "BlockQuerySet",
    "Coverage",
    "DailyBetTotals",
    "DailyTotals",
    "Finding",
    "FindingQuerySet",
    "OpenedStreak",
    "PackedRound",
    "ReadingCase",
    "ReadingImpact",
    "SupersededFinding",
    "TimelineEvent",
    "VoidedRound",
    "WagerCategory",
    "superseded_between",
]
