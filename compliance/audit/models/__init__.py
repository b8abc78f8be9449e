"""Models of the audit.

findings.py     Coverage, Finding, ReadingCase, ReadingImpact, and Block, the work list
record_findings.py  SQL that finds the findings about records
confirmed_warnings.py  ConfirmedWarning: acts recorded in spite of predicted findings
projections.py  projections of the ledger: PackedRound, OpenedStreak, VoidedRound, TimelineEvent, DailyTotals
"""

from compliance.audit.models.confirmed_warnings import ConfirmedWarning
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
    "ConfirmedWarning",
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
